package call_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestACallIsStartedWithOnePress(t *testing.T) {
	d, viewer := admintest.OpenAs(t, staff.Viewer)
	admintest.Lacks(t, viewer.Get(d.At("/call"), 200), "Start a call")
	viewer.Post(d.At("/call/start"), nil, 403)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/call"), 200), "No call for papers yet", "Start a call")
	b.Get(d.At("/call/texts"), 303)
	page := b.Follow(b.Post(d.At("/call/start"), nil, 303))
	admintest.Wants(t, page, "Your session", "Have you given this talk before?", "Not open yet.", "6 questions")
	admintest.Lacks(t, viewer.Get(d.At("/call"), 200), "Add a question", "Remove")
	admintest.Wants(t, viewer.Get(d.At("/call/preview"), 200), "Have you given this talk before?")
	admintest.Wants(t, viewer.Get(d.At("/activity"), 200), "the call for papers of")
}

func TestAQuestionIsAddedWithChoicesAndACondition(t *testing.T) {
	d := admintest.Open(t)
	modelstest.RowOf(t, d.Programme(), models.Formats, "Workshop")
	b := d.As(staff.Organizer)
	b.On(d.At("/call")).Post(d.At("/call/start"), nil, 303)
	part, format := d.Form().Parts[1].ID, d.Form().Question("format")
	workshop := d.Form().Offered(format)[0].Value
	admintest.Wants(t, b.Get(d.At("/call/questions/new?part="+part), 200), "Workshop", "One of several choices")
	choice := admintest.Filled("Size", url.Values{"part": {part}, "type": {"choice"}, "choice": {"S", " M ", "", "L"},
		"choice_note": {"Small", "", "", ""}, "choice_limit": {"", "3", "", ""}, "formats": {workshop}})
	b.Post(d.At("/call/questions/new"), choice, 303)
	q := d.Form().Question("size")
	if q.Type != field.Choice || len(q.Options) != 3 || q.Options[1].Value != "M" || q.Options[1].Limit != 3 ||
		q.Options[0].Note != "Small" || len(q.AskedIf.Formats) != 1 {
		t.Fatalf("%+v", q)
	}
	b.Get(d.At("/call/questions/new?part="+part), 200)
	_, page := b.Post(d.At("/call/questions/new"), admintest.Filled("", url.Values{"part": {part}, "type": {"choices"},
		"choice": {"a, b", "c"}, "limit": {"ten"}, "after": {"size\tS", "nothing\tX"}}), 422)
	admintest.Wants(t, page, `value="c"`, `value="a, b"`, "two questions")
	admintest.Wants(t, b.Answer(d.At("/call/questions/new"), admintest.Filled("<script>", url.Values{"part": {part},
		"type": {"choices"}, "choice": {"one", "two"}, "do": {"more"}}), 200), `value="one"`, "Choice 6", "&lt;script&gt;")
	after := admintest.Filled("Fits?", url.Values{"part": {part}, "type": {"yes_no"}, "after": {"size\tS", "size\tL"},
		"key": {"it fits"}})
	b.Post(d.At("/call/questions/new"), after, 303)
	admintest.Wants(t, b.Get(d.At("/call"), 200), "you answer “S or L” to “Size”", "Only if you choose Workshop")
	admintest.Wants(t, b.Get(d.At("/call/preview"), 200), "Only if you choose Workshop", "Fits?", "data-if=")
}

func TestChoicesAreOrderedByButtonAndByPosition(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	b.On(d.At("/call")).Post(d.At("/call/start"), nil, 303)
	part := d.Form().Parts[1].ID
	b.Get(d.At("/call/questions/new"), 200)
	rows := func(more url.Values) url.Values {
		form := admintest.Filled("Size", url.Values{"part": {part}, "type": {"choice"},
			"choice": {"S", "", "M", "L", "XL", ""}, "choice_note": {"small", "", "", "", "huge", ""},
			"choice_limit": {"", "", "3", "", "", ""}, "choice_at": {"1", "2", "3", "4", "5", "6"}})
		for name, values := range more {
			form[name] = values
		}
		return form
	}
	order := regexp.MustCompile(`name="choice" value="([^"]+)"`)
	shown := func(page string) (all string) {
		for _, m := range order.FindAllStringSubmatch(page, -1) {
			all += m[1] + " "
		}
		return all
	}
	for _, c := range []struct{ do, positions, want string }{
		{"up:3", "", "M S L XL "}, // past the empty row
		{"up:1", "", "S M L XL "}, {"down:5", "", "S M L XL "}, {"down:4", "", "S M XL L "}, {"up:x", "", "S M L XL "},
		{"order", "1 2 3 4 1 6", "XL S M L "}, {"order", "9 2 3 4 5 6", "M L XL S "}, {"order", "4 2 1 4 5 6", "M L XL S "},
		{"order", "1 2 x 4 -1 6", "XL S M L "}, {"up:4", "5 2 3 4 5 6", "L M XL S "},
	} {
		more := url.Values{"do": {c.do}}
		if c.positions != "" {
			more["choice_at"] = strings.Fields(c.positions)
		}
		_, page := b.Post(d.At("/call/questions/new"), rows(more), 200)
		modelstest.Want(t, c.do+" "+c.positions, shown(page), c.want)
	}
	b.Post(d.At("/call/questions/new"), rows(url.Values{"choice_at": {"1", "2", "3", "4", "1", "6"}}), 303)
	q := d.Form().Question("size")
	modelstest.Want(t, fmt.Sprint(q.Options), fmt.Sprint(q.Options), "[{XL huge 0 []} {S small 0 []} {M  3 []} {L  0 []}]")
	admintest.Wants(t, b.Get(d.At("/call/questions/"+q.ID), 200), "data-sortable", `data-again="order-choices"`,
		"Order by number", `aria-label="Move choice 1 up"`)
}

func TestAQuestionMovesIsTakenOutAndComesBack(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	b.On(d.At("/call")).Post(d.At("/call/start"), nil, 303)
	q, part := d.Form().Question("biography"), d.Form().Parts[0].ID
	address := d.At("/call/questions/" + q.ID)
	b.Get(d.At("/call"), 200)
	admintest.Wants(t, b.Follow(b.Post(address+"/move", url.Values{"position": {"1"}, "to": {part}}, 303)),
		"is number 1 of 5 now", "Undo")
	modelstest.Want(t, "it did not move", d.Form().Parts[0].Questions[0].Key, "biography")
	admintest.Wants(t, b.Get(address+"/remove", 200), "Stop asking", "brought back")
	admintest.Wants(t, b.Follow(b.Post(address+"/remove", nil, 303)), "is no longer asked", "About you")
	b.Follow(b.Post(d.At("/call/ask"), url.Values{"standard": {"biography"}}, 303))
	b.Follow(b.Post(d.At("/call/parts"), url.Values{"title": {"Practical"}}, 303))
	form := d.Form()
	if len(form.Parts) != 3 || form.Question("biography") == nil {
		t.Fatal(len(form.Parts))
	}
	b.Follow(b.Post(d.At("/call/parts/"+form.Parts[2].ID+"/move"), url.Values{"step": {"1"}}, 303))
	b.Get(d.At("/call/parts/"+form.Parts[2].ID+"/remove"), 200)
	b.Follow(b.Post(d.At("/call/parts/"+form.Parts[2].ID+"/remove"), nil, 303))
	modelstest.Want(t, "the part is still there", len(d.Form().Parts), 2)
}

func TestTwoEditsOfOneQuestionAreToldApart(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	b.On(d.At("/call")).Post(d.At("/call/start"), nil, 303)
	q := d.Form().Question("description")
	address := d.At("/call/questions/" + q.ID)
	b.Get(address, 200)
	old := b.Hidden("updated_at", "was_label", "was_help", "was_type", "was_part", "was_required", "was_limit",
		"was_unit", "was_seen_by", "was_asked_of", "was_is_open",
		"was_options", "was_kinds", "was_size", "was_formats", "was_tracks", "was_after")
	edit := func(more url.Values) url.Values {
		form := admintest.Filled("Abstract", url.Values{"part": {*q.PartID}, "type": {"long_text"}, "required": {"yes"},
			"limit": {"300"}, "asked_of": {"proposal"}, "help": {old.Get("was_help")}})
		for name, values := range old {
			form[name] = values
		}
		for name, values := range more {
			form[name] = values
		}
		return form
	}
	// Somebody changes another question meanwhile: the token is old, but nothing of this one.
	title := d.Form().Question("title")
	in := call.InputOf(title)
	in.Help = "Short"
	modelstest.Must(call.Of(d.Programme()).ChangeQuestion(t.Context(), title.ID, in, nil))(t)
	b.Post(address, edit(url.Values{"help": {"Mine"}}), 303)
	_, page := b.On(address).Post(address, edit(url.Values{"help": {"Theirs"}, "limit": {"200"}}), 409)
	admintest.Wants(t, page, "while you were editing", "Mine", "Theirs")
	if got := d.Form().Question("description"); got.Help != "Mine" || *got.MaxWords != 300 {
		t.Errorf("%+v", got)
	}
}

func TestTextsAndLimitsAreSaved(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	b.On(d.At("/call")).Post(d.At("/call/start"), nil, 303)
	b.Get(d.At("/call/texts"), 200)
	form := admintest.Fill(b.Hidden("updated_at", "was_heading", "was_max_speakers"), "heading", "Come and speak",
		"welcome", "<p>Hi</p><script>x</script>", "max_speakers", "4", "max_total", "many")
	admintest.Wants(t, b.Answer(d.At("/call/texts"), form, 422), `value="Come and speak"`, "must be a whole number")
	form.Set("max_total", "300")
	admintest.Wants(t, b.Follow(b.Post(d.At("/call/texts"), form, 303)), "Texts and limits are saved.")
	if got := d.Form(); got.Welcome != "<p>Hi</p>" || *got.MaxTotal != 300 || got.MaxSpeakers != 4 {
		t.Errorf("%+v", got.Settings)
	}
	admintest.Wants(t, b.Answer(d.At("/call/texts"), form, 409), "while you were editing")
}

func TestCodesAreMadeAndEnded(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	b.On(d.At("/call")).Post(d.At("/call/start"), nil, 303)
	d.As(staff.Viewer).Get(d.At("/call/codes"), 403)
	admintest.Wants(t, b.Get(d.At("/call/codes"), 200), "No access codes yet")
	page := b.Follow(b.Post(d.At("/call/codes"), url.Values{"code": {"KEYNOTE-1"}, "note": {"Ana"},
		"max_uses": {"2"}}, 303))
	admintest.Wants(t, page, "KEYNOTE-1", "0 of 2", "/events/"+d.Event.Slug+"/call?code=KEYNOTE-1")
	codes := modelstest.Must(call.Of(d.Programme()).Codes(t.Context()))(t)
	address := d.At("/call/codes/" + codes[0].ID)
	b.Get(address, 200)
	form := admintest.Fill(b.Hidden("updated_at", "was_note", "was_max_uses", "was_expires_at"), "note", "Ana and Bo",
		"max_uses", "3")
	admintest.Wants(t, b.Follow(b.Post(address, form, 303)), "Ana and Bo", "0 of 3")
	form.Set("note", "Nobody")
	b.Post(address, form, 409)
	admintest.Wants(t, b.Follow(b.On(d.At("/call/codes")).Post(address+"/end", nil, 303)), "Ended ")
}

func TestAFormOfAnotherEventIsCopied(t *testing.T) {
	d := admintest.Open(t)
	other := d.Elsewhere()
	modelstest.RowOf(t, other, models.Formats, "Night walk")
	modelstest.Fine(t, call.Of(other).Start(t.Context()))
	theirs := modelstest.Must(call.Of(d.Elsewhere()).Form(t.Context()))(t)
	in := call.InputOf(theirs.Question("format"))
	in.Options = []call.Choice{{Value: theirs.Offered(theirs.Question("format"))[0].Value}}
	modelstest.Must(call.Of(d.Elsewhere()).ChangeQuestion(t.Context(), theirs.Question("format").ID, in, nil))(t)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/call/copy"), 200), d.Other.Name)
	b.Post(d.At("/call/copy"), url.Values{"from": {d.Event.ID}}, 404)
	page := b.Follow(b.On(d.At("/call/copy")).Post(d.At("/call/copy"), url.Values{"from": {d.Other.ID}}, 303))
	admintest.Wants(t, page, "6 questions are here now", "does not have the format “Night walk”")
}

// TestWhatTellsWhoSomebodyIsIsNotForBlindReviewersUnlessStaffSaySo adds questions without and with a word of who sees them.
func TestWhatTellsWhoSomebodyIsIsNotForBlindReviewersUnlessStaffSaySo(t *testing.T) {
	d := admintest.Open(t)
	modelstest.OpenCall(t, d.Fixture)
	olga := d.As(staff.Organizer)
	for _, c := range []struct {
		of          field.Type
		asked, seen call.Audience
	}{
		{field.File, "", call.OpenRounds}, {field.URL, "", call.OpenRounds}, {field.Email, "", call.OpenRounds},
		{field.Text, "", call.Reviewers}, {field.URL, call.Reviewers, call.Reviewers}, {field.File, call.StaffOnly, call.StaffOnly},
	} {
		page := olga.Get(d.At("/call/questions/new"), 200)
		admintest.Wants(t, page, "only who sees names sees it", "Keys, agents and webhooks")
		label := "A " + string(c.of) + " for " + string(c.asked)
		part := admintest.Between(page, `name="part"`, `</select>`)
		olga.Post(d.At("/call/questions/new"), url.Values{"label": {label}, "type": {string(c.of)}, "required": {"no"},
			"seen_by": {string(c.asked)}, "part": {admintest.Between(part, `<option value="`, `"`)}}, 303)
		form := modelstest.Must(call.FormOf(t.Context(), d.Store, d.Event))(t)
		for _, q := range form.Questions() {
			if q.Label == label && q.SeenBy != c.seen {
				t.Errorf("%s is seen by %s", label, q.SeenBy)
			}
		}
		admintest.Wants(t, olga.Get(d.At("/call"), 200), label)
	}
}

// TestARenamedChoiceStaysTheSame renames choices that an answer and a condition have, and takes one out.
func TestARenamedChoiceStaysTheSame(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ctx, cfp := t.Context(), call.Of(d.Programme())
		modelstest.Fine(t, cfp.Start(ctx))
		part := d.Form().Parts[0].ID
		add := func(in call.QuestionInput) *call.Question {
			in.Required, in.SeenBy = call.Optional, call.Reviewers
			return modelstest.Must(cfp.AddQuestion(ctx, part, in))(t)
		}
		colour := add(call.QuestionInput{Type: field.Choices, Label: "Colour",
			Options: []call.Choice{{Value: "Red"}, {Value: "Blue"}, {Value: "Green"}}})
		add(call.QuestionInput{Type: field.Text, Label: "Which blue", AskedIf: call.Condition{Question: "colour",
			Answers: []string{"Blue"}}})
		answers := models.AnswersInput{{Key: "colour", Value: "Blue, Green"}, {Key: "which_blue", Value: "Deep"}}
		s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
			SessionInput: models.SessionInput{CustomFields: &answers}})
		b, address := d.As(staff.Organizer), d.At("/call/questions/"+colour.ID)
		save := func(choices, was []string, status int) string {
			t.Helper()
			b.Get(address, 200)
			form := b.Hidden("updated_at", "was_label", "was_help", "was_type", "was_part", "was_required", "was_limit",
				"was_unit", "was_seen_by", "was_options", "was_kinds", "was_size", "was_formats", "was_tracks", "was_after")
			more := url.Values{"part": {part}, "type": {"choices"}, "choice": choices, "choice_was": was}
			for name, values := range admintest.Filled("Colour", more) {
				form[name] = values
			}
			location, page := b.Post(address, form, status)
			if status == 303 {
				page = b.Follow(location, page)
			}
			return page
		}
		admintest.Wants(t, b.Get(address, 200), `name="choice_was" value="Blue"`)
		admintest.Wants(t, save([]string{"Green", "Navy", "Red"}, []string{"Green", "Blue", "Red"}, 303),
			"1 answer keeps this choice’s old name, “Blue”", "counts as “Navy”")
		admintest.Lacks(t, b.Get(d.At("/call"), 200), "that it depends on is gone")
		admintest.Wants(t, b.Page, "you answer “Navy” to “Colour”")
		form := d.Form()
		values := form.ValuesOf(d.Read(s.ID), "", nil)
		if values["colour"] != "Navy\nGreen" || !slices.Contains(form.Asked(values), form.Question("which_blue")) {
			t.Errorf("the answer is %q", values["colour"])
		}
		kept := form.Answers(modelstest.Must(form.Clean(values, values))(t), nil, nil)
		if len(kept) != 2 || kept[0].Value != "Navy, Green" || kept[1].Value != "Deep" {
			t.Errorf("saved again it is %v", kept)
		}
		// Two that change names are told apart, and a name goes on from one to the next.
		save([]string{"Red", "Marine", "Green"}, []string{"Green", "Navy", "Red"}, 303)
		if form = d.Form(); form.ValuesOf(d.Read(s.ID), "", nil)["colour"] != "Marine\nGreen" ||
			form.Question("which_blue").AskedIf.Answers[0] != "Marine" {
			t.Errorf("%+v", form.Question("colour").Options)
		}
		admintest.Wants(t, save([]string{"Red", "Green"}, []string{"Red", "Green"}, 303),
			"“Which blue” needs another condition", "Asked of nobody", "1 answer keeps")
		admintest.Wants(t, b.Get(d.At("/call"), 200), "that it depends on is gone")
	})
}
