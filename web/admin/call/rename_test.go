package call_test

import (
	"net/url"
	"slices"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

// TestARenamedChoiceStaysTheSame renames choices that an answer and a condition have, and takes one out.
func TestARenamedChoiceStaysTheSame(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ctx, call := t.Context(), cfp.Of(d.Programme())
		modelstest.Fine(t, call.Start(ctx))
		part := d.Form().Parts[0].ID
		add := func(in cfp.QuestionInput) *cfp.Question {
			in.Required, in.SeenBy = cfp.Optional, cfp.Reviewers
			return modelstest.Must(call.AddQuestion(ctx, part, in))(t)
		}
		colour := add(cfp.QuestionInput{Type: field.Choices, Label: "Colour",
			Options: []cfp.Choice{{Value: "Red"}, {Value: "Blue"}, {Value: "Green"}}})
		add(cfp.QuestionInput{Type: field.Text, Label: "Which blue", AskedIf: cfp.Condition{Question: "colour",
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
