package models_test

import (
	"fmt"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestLettersAreSentByKind(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		for i, status := range []models.Status{models.Accepted, models.Accepted, models.Accepted, models.Declined} {
			setStatus(t, p, withPeople(t, f, "Tide", fmt.Sprintf("p%d@x.org", i)), status)
		}
		kinds := func(text string) string {
			var out string
			for _, k := range modelstest.Must(p.DraftKinds(ctx, text))(t) {
				out += fmt.Sprintf("%s %d/%d ", k.Kind, k.Ready, k.Drafts)
			}
			return out
		}
		if got := kinds(""); got != "accepted 3/3 declined 1/1 undone 0/0 free 0/0 " {
			t.Error(got)
		}
		if got := kinds("p1@x.org"); got != "accepted 1/1 declined 0/0 undone 0/0 free 0/0 " {
			t.Error(got)
		}
		refusals, one := models.LetterChoice{Kind: models.LetterDeclined}, models.LetterChoice{Text: "p1@x.org"}
		_, err := p.SendChosen(ctx, refusals, 4)
		modelstest.WantKind(t, "the number of all", err, store.Stale)
		if n := modelstest.Must(p.ReadyPeople(ctx, refusals))(t); n != 1 {
			t.Errorf("%d people", n)
		}
		modelstest.Must(p.SendChosen(ctx, refusals, 1))(t)
		if got := kinds(""); got != "accepted 3/3 declined 0/0 undone 0/0 free 0/0 " {
			t.Error(got)
		}
		modelstest.Must(p.SendChosen(ctx, one, 1))(t)
		rows, _, err := p.LettersIn(ctx, models.DraftLetters, models.LetterChoice{Kind: models.LetterAccepted}, store.Page{})
		modelstest.Fine(t, err)
		if len(rows) != 2 || kinds("p1@x.org") != "accepted 0/0 declined 0/0 undone 0/0 free 0/0 " {
			t.Errorf("%d acceptances are left, %s", len(rows), kinds(""))
		}
		_, err = f.Elsewhere().SendChosen(ctx, models.LetterChoice{}, 2)
		modelstest.WantKind(t, "another event", err, store.Stale)
	})
}
