package models_test

import (
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestLettersSurviveTheirMigration goes down and up with rows: who was told stays told, and the gate as it was.
func TestLettersSurviveTheirMigration(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		told, waits := withPeople(t, f, "Told", "a@x.org", "b@x.org"), withPeople(t, f, "Waits", "c@x.org")
		setStatus(t, p, told, models.Accepted)
		setStatus(t, p, waits, models.Accepted)
		modelstest.Fine(t, p.MarkTold(ctx, told, "", "By telephone"))
		db := f.SQL(t)
		dialect := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}[f.Dialect()]
		files := modelstest.Must(fs.Sub(store.Migrations(), "migrations/"+f.Dialect()))(t)
		provider := modelstest.Must(goose.NewProvider(dialect, db, files))(t)
		modelstest.Must(provider.DownTo(ctx, 28))(t)
		var state string
		modelstest.Fine(t, db.QueryRow("SELECT state FROM letters WHERE session_id = $1", told).Scan(&state))
		if state != "sent" {
			t.Errorf("before, it is %q", state)
		}
		modelstest.Must(provider.Up(ctx))(t)
		letters := modelstest.Must(allLetters(t, f))(t)
		states := map[models.LetterState]int{}
		for _, l := range letters {
			states[l.State]++
			if !store.IsID(l.ID) || !l.IsCurrent {
				t.Errorf("%+v", l)
			}
		}
		if len(letters) != 3 || states[models.LetterTold] != 2 || states[models.LetterDraft] != 1 {
			t.Errorf("%v", states)
		}
		// A draft of before has no text, and gets one.
		if n := modelstest.Must(f.Programme().RegenerateLetters(ctx))(t); n != 1 {
			t.Errorf("%d made anew", n)
		}
		modelstest.Must(f.Programme().SendLetters(ctx, 1))(t)
		_, err := f.Programme().UpdateSession(ctx, told, models.SessionChange{IsPublic: new(true)})
		modelstest.WantKind(t, "publishing", err, 0)
	})
}
