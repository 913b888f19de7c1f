package review_test

import (
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/review"
	"lectern/models/store"
)

func TestWhatWasReviewedBeforeRoundsIsTheRoundOfAllSubmissions(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 2, review.Settings{Name: "First"})
		for i, by := range []string{"ada", "li"} {
			u := map[string]int{"ada": 5, "li": 2}
			user := c.ada
			if i == 1 {
				user = c.li
			}
			c.fine(f.Programme().GiveReview(t.Context(), user, c.papers[0].ID, models.Opinion{Score: u[by], Comment: "By " + by}))
		}
		c.assign(1, c.ada)
		c.fine(c.give(c.ada, 1, review.Verdict{State: models.Abstained}))
		dialect := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}[f.Dialect()]
		dir := modelstest.Must(fs.Sub(store.Migrations(), "migrations/"+f.Dialect()))(t)
		provider := modelstest.Must(goose.NewProvider(dialect, f.SQL(t), dir))(t)
		modelstest.Must(provider.DownTo(t.Context(), 29))(t)
		modelstest.Must(provider.Up(t.Context()))(t)
		rows, _, err := c.rounds.Results(t.Context(), f.Event.ID, review.ResultSearch{Order: review.ByMean})
		c.fine(err)
		if len(rows) != 1 || *rows[0].Mean != 350 || rows[0].Scored != 2 || *rows[0].Spread() != 150 {
			t.Errorf("%+v", rows)
		}
		all := modelstest.Must(f.Programme().Reviews(t.Context(), c.papers[0].ID, ""))(t)
		if len(all) != 2 || all[0].RoundID != f.Event.ID || all[0].Comment == "" {
			t.Errorf("%d reviews", len(all))
		}
		list := modelstest.Must(c.rounds.List(t.Context()))(t)
		if len(list) != 1 || !list[0].GivesAll || list[0].Answered != 2 {
			t.Errorf("%+v", list)
		}
		c.fine(f.Programme().GiveReview(t.Context(), c.ada, c.papers[0].ID, models.Opinion{Score: 3}))
		if s := modelstest.Must(f.Programme().Session(t.Context(), c.papers[0].ID))(t); *s.Score != 250 {
			t.Errorf("%s", s.Score)
		}
	})
}
