package cfp_test

import (
	"testing"

	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
)

// TestAChoiceMayHaveACommaInIt answers with some of them, beside what a renamed one was called.
func TestAChoiceMayHaveACommaInIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		call := cfp.Of(f.Programme())
		part := modelstest.Must(call.Form(ctx))(t).Parts[1].ID
		offer := func(values ...string) (all []cfp.Choice) {
			for _, value := range values {
				all = append(all, cfp.Choice{Value: value})
			}
			return all
		}
		ask := func(in cfp.QuestionInput) (*cfp.Question, error) {
			in.Required, in.SeenBy = cfp.Optional, cfp.Reviewers
			return call.AddQuestion(ctx, part, in)
		}
		modelstest.Must(ask(cfp.QuestionInput{Key: "record", Type: field.Choice, Label: "Record?",
			Options: offer("Yes", "Yes, record me", "No, thanks,")}))(t)
		several := modelstest.Must(ask(cfp.QuestionInput{Key: "needs", Type: field.Choices, Label: "Needs",
			Options: offer("Chair, high", "Table", "Water, still, cold", "Chair")[:3]}))(t)
		for what, choices := range map[string][]cfp.Choice{"options[0]": offer("Chair, high", "Chair"),
			"options[1]": offer("A", "A, B", "B")} {
			if _, err := ask(cfp.QuestionInput{Type: field.Choices, Label: what, Options: choices}); fields(err) != what {
				t.Errorf("%s: %v", what, err)
			}
		}
		ada, s := c.Begin(t, f, "Ada", "Tides")
		saved(t, ada, c, s.ID, cfp.Values{"record": "Yes, record me", "needs": "Chair, high\nWater, still, cold"})
		p := proposalOf(t, ada, c, s.ID)
		if p.Values["record"] != "Yes, record me" || p.Values["needs"] != "Chair, high\nWater, still, cold" ||
			!has(p.CustomFields, "needs", "Chair, high, Water, still, cold") {
			t.Errorf("%v", p.Values)
		}
		in := cfp.InputOf(several)
		in.Options[0] = cfp.Choice{Value: "High chair", Was: []string{"Chair, high"}}
		modelstest.Must(call.ChangeQuestion(ctx, several.ID, in, nil))(t)
		modelstest.Want(t, "renamed", proposalOf(t, ada, c, s.ID).Values["needs"], "High chair\nWater, still, cold")
		answers := modelstest.Must(call.Answered(ctx, modelstest.Must(call.Form(ctx))(t).Question("needs")))(t)
		if answers.Total() != 1 || answers.Of(modelstest.Must(call.Form(ctx))(t).Question("needs"),
			"Water, still, cold") != 1 {
			t.Errorf("counted %v", answers)
		}
	})
}
