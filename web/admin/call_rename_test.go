package admin

import (
	"net/url"
	"slices"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// TestARenamedChoiceStaysTheSame renames choices that an answer and a condition have, and takes one out.
func TestARenamedChoiceStaysTheSame(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openOn(t, dialect, Options{})
		ctx, call := t.Context(), cfp.Of(d.Programme())
		modelstest.Fine(t, call.Start(ctx))
		part := d.form().Parts[0].ID
		add := func(in cfp.QuestionInput) *cfp.Question {
			in.Required, in.SeenBy = cfp.Optional, cfp.Reviewers
			return modelstest.Must(call.AddQuestion(ctx, part, in))(t)
		}
		colour := add(cfp.QuestionInput{Type: field.Choices, Label: "Colour",
			Options: []cfp.Choice{{Value: "Red"}, {Value: "Blue"}, {Value: "Green"}}})
		add(cfp.QuestionInput{Type: field.Text, Label: "Which blue", AskedIf: cfp.Condition{Question: "colour",
			Answers: []string{"Blue"}}})
		answers := models.AnswersInput{{Key: "colour", Value: "Blue, Green"}, {Key: "which_blue", Value: "Deep"}}
		s := d.session(models.NewSession{Title: "Tides", IsAbstract: true,
			SessionInput: models.SessionInput{CustomFields: &answers}})
		b, address := d.as(staff.Organizer), d.at("/call/questions/"+colour.ID)
		save := func(choices, was []string, status int) string {
			t.Helper()
			b.get(address, 200)
			form := b.hidden("updated_at", "was_label", "was_help", "was_type", "was_part", "was_required", "was_limit",
				"was_unit", "was_seen_by", "was_options", "was_kinds", "was_size", "was_formats", "was_tracks", "was_after")
			more := url.Values{"part": {part}, "type": {"choices"}, "choice": choices, "choice_was": was}
			for name, values := range filled("Colour", more) {
				form[name] = values
			}
			location, page := b.post(address, form, status)
			if status == 303 {
				page = b.follow(location, page)
			}
			return page
		}
		wants(t, b.get(address, 200), `name="choice_was" value="Blue"`)
		wants(t, save([]string{"Green", "Navy", "Red"}, []string{"Green", "Blue", "Red"}, 303),
			"1 answer keeps this choice’s old name, “Blue”", "counts as “Navy”")
		lacks(t, b.get(d.at("/call"), 200), "that it depends on is gone")
		wants(t, b.page, "you answer “Navy” to “Colour”")
		form := d.form()
		values := form.ValuesOf(d.stored(s.ID), "", nil)
		if values["colour"] != "Navy\nGreen" || !slices.Contains(form.Asked(values), form.Question("which_blue")) {
			t.Errorf("the answer is %q", values["colour"])
		}
		kept := form.Answers(modelstest.Must(form.Clean(values, values))(t), nil, nil)
		if len(kept) != 2 || kept[0].Value != "Navy, Green" || kept[1].Value != "Deep" {
			t.Errorf("saved again it is %v", kept)
		}
		// Two that change names are told apart, and a name goes on from one to the next.
		save([]string{"Red", "Marine", "Green"}, []string{"Green", "Navy", "Red"}, 303)
		if form = d.form(); form.ValuesOf(d.stored(s.ID), "", nil)["colour"] != "Marine\nGreen" ||
			form.Question("which_blue").AskedIf.Answers[0] != "Marine" {
			t.Errorf("%+v", form.Question("colour").Options)
		}
		wants(t, save([]string{"Red", "Green"}, []string{"Red", "Green"}, 303), "“Which blue” needs another condition",
			"Asked of nobody", "1 answer keeps")
		wants(t, b.get(d.at("/call"), 200), "that it depends on is gone")
	})
}
