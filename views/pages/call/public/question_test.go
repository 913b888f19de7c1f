package public

import (
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
)

const talk, workshop = "0190a000-0000-7000-8000-000000000001", "0190a000-0000-7000-8000-000000000002"

// form returns a form with a choice, a question that depends on it, and one of each other kind of control.
func form() *call.Form {
	return &call.Form{
		Rows: []*models.Metadata{{ID: talk, Family: models.Formats, Name: "Talk <b>"},
			{ID: workshop, Family: models.Formats, Name: "Workshop", DefaultMinutes: new(90)}},
		Parts: []*call.Part{{ID: "1", Title: "Your session", Questions: []*call.Question{
			{Key: "title", Standard: call.Title, Type: field.Text, Label: "Title", Required: call.Required, MaxLength: new(10)},
			{Key: "format", Standard: call.Format, Type: field.Choice, Label: "Format", Required: call.Required},
			{ID: "1", Key: "bring", Type: field.LongText, Label: "What to bring?", Help: "<script>", Required: call.Required,
				MaxWords: new(3), AskedIf: call.Condition{Formats: []string{workshop}}},
		}}, {ID: "2", Title: "You", Questions: []*call.Question{
			{ID: "2", Key: "size", Type: field.Choice, Label: "Size", Required: call.Optional,
				Options: []call.Choice{{Value: "S"}, {Value: "M"}, {Value: "L"}, {Value: "XL"}, {Value: "XXL"}}},
			{ID: "3", Key: "deck", Type: field.File, Label: "Deck", Required: call.Later, FileKinds: []call.FileKind{"pdf"}},
		}}},
	}
}

// drawn renders the question with this key.
func drawn(t *testing.T, parts []PartView, key string) string {
	t.Helper()
	for _, part := range parts {
		if i := slices.IndexFunc(part.Questions, func(q QuestionView) bool { return q.Key == key }); i >= 0 {
			var page strings.Builder
			if err := Question(part.Questions[i]).Render(t.Context(), &page); err != nil {
				t.Fatal(err)
			}
			return page.String()
		}
	}
	t.Fatal("there is no", key)
	return ""
}

func TestAQuestionIsDrawnWithAllThatIsSaidOfIt(t *testing.T) {
	t.Parallel()
	v := call.Values{"title": "A title that is long", "format": workshop, "bring": "a b c d", "size": "Small", "deck": "f"}
	f := form()
	file := &models.File{ID: "f", Name: "<deck>.pdf"}
	parts := Parts(f, v, f.Unfinished(v), map[string]*models.File{"deck": file})
	if parts[0].Unfinished != 2 || parts[0].Optional || parts[1].Unfinished != 0 || !parts[1].Optional {
		t.Errorf("%+v", parts)
	}
	for key, wants := range map[string][]string{
		"title": {`<label class="label" for="title">`, "10 characters too long. The limit is 10.",
			`<b data-counted>20</b> of 10 characters`, `aria-invalid="true"`},
		"format": {`role="radiogroup"`, "Talk &lt;b&gt;", "90 min", `value="` + workshop + `" checked`},
		"bring": {"Asked because you chose Workshop", "&lt;script&gt;", "of 3 words",
			`data-only="Only if you choose Workshop"`, `&#34;Workshop&#34;`},
		"size": {`<option value="Small" selected>Small (no longer offered)`, `<option value="">No answer`, "Optional"},
		"deck": {"&lt;deck&gt;.pdf", `accept=".pdf"`, `name="remove_file" value="deck"`, "PDF, up to 20 MB",
			"Not needed yet"},
	} {
		page := drawn(t, parts, key)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not say %s:\n%s", key, want, page)
			}
		}
	}
}

func TestAConditionalQuestionStandsThereWithItsWords(t *testing.T) {
	t.Parallel()
	page := drawn(t, Parts(form(), call.Values{"format": talk}, nil, nil), "bring")
	if !strings.Contains(page, "Only if you choose Workshop</p>") || strings.Contains(page, "hidden") {
		t.Error(page)
	}
}
