package models_test

import (
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestCommitsSurviveTheirMigration goes down and up with rows: letters and decisions stay, but for those that took a
// decision back, and what was only looked at is not made by the program of before.
func TestCommitsSurviveTheirMigration(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ids := queued(t, f, 2)
		stays := withPeople(t, f, "Stays", "s@x.org")
		for _, id := range []string{stays, ids[0]} {
			setStatus(t, p, id, models.Accepted)
		}
		_, _, err := p.UndoDecision(ctx, ids[0], models.Undoing{To: models.AcceptQueue, Everybody: true})
		modelstest.Fine(t, err)
		looked := modelstest.Must(p.OpenCommit(ctx, ids, nil))(t)
		dialect := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}[f.Dialect()]
		files := modelstest.Must(fs.Sub(store.Migrations(), "migrations/"+f.Dialect()))(t)
		provider := modelstest.Must(goose.NewProvider(dialect, f.SQL(t), files))(t)
		modelstest.Must(provider.DownTo(ctx, 31))(t)
		modelstest.Must(provider.Up(ctx))(t)
		if got := lettersOf(t, f, stays) + "; " + lettersOf(t, f, ids[0]); got != "accepted 1 draft; accepted 1 superseded old" {
			t.Error(got)
		}
		if worked := modelstest.Must(f.RunBatch(ctx, 10))(t); worked {
			t.Error("what was looked at is at work")
		}
		_, err = p.Commit(ctx, looked.ID, store.Page{})
		modelstest.WantKind(t, "what was looked at", err, store.NotFound)
	})
}
