package cfp_test

import (
	"testing"

	"lectern/models/cfp"
	"lectern/models/modelstest"
)

// What a proposal costs while its speaker works on it: BEGIN and COMMIT count, too.
func TestStatementsOfAProposal(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		settle(t, f, map[string]any{"max_total": 300, "max_proposals": 3})
		pl, id := ready(t, f, c, "Ada")
		v := answers(c)
		v["biography"] = "Wrote programs"
		saved(t, pl, c, id, v)
		for _, step := range []struct {
			what string
			most int
			do   func() error
		}{
			{"form", 10, func() error { return second(pl.Proposal(ctx, c.Event, id)) }},
			{"autosave", 16, func() error {
				v["title"] += "!"
				return third(pl.Save(ctx, c.Event, id, cfp.Saving{Values: v}))
			}},
			{"autosave of nothing", 14, func() error { return third(pl.Save(ctx, c.Event, id, cfp.Saving{Values: v})) }},
			{"submit", 24, func() error { return second(pl.Submit(ctx, c.Event, id, cfp.Submitting{})) }},
			{"second click", 11, func() error { return second(pl.Submit(ctx, c.Event, id, cfp.Submitting{})) }},
		} {
			statements := f.Statement.During(func() { modelstest.Fine(t, step.do()) })
			if len(statements) > step.most {
				for i, s := range statements {
					t.Logf("%d %.150s", i+1, s)
				}
				t.Errorf("%s costs %d statements, more than %d", step.what, len(statements), step.most)
			}
			t.Log(step.what, len(statements))
		}
	})
}
