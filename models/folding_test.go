package models_test

import (
	"context"
	"fmt"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// unfolded makes rows of before the migration: folded in case alone, and waiting.
func unfolded(t *testing.T, f *modelstest.Fixture) {
	t.Helper()
	db := f.SQL
	for _, statement := range []string{
		"UPDATE sessions SET search = title || '?'", "UPDATE contacts SET search = full_name || '?'",
		"UPDATE metadata SET name_key = name || '?'",
		"INSERT INTO folding VALUES ('contacts', ''), ('metadata', ''), ('sessions', '')",
	} {
		modelstest.Exec(t, db, statement)
	}
}

// searches are what is found of a name, in sessions, speakers and rooms.
func searches(t *testing.T, f *modelstest.Fixture, text string) string {
	t.Helper()
	rows := modelstest.First(f.Programme().SearchSessions(t.Context(),
		models.SessionSearch{Filter: models.SessionFilter{Text: text}}))(t)
	people := modelstest.First(f.Programme().Speakers(t.Context(), text, store.Page{}))(t)
	rooms := modelstest.First(f.Store.Programme(f.Event, modelstest.Tester).ListMetadata(t.Context(), models.Rooms, text,
		store.Page{}))(t)
	return fmt.Sprint(len(rows), len(people), len(rooms))
}

func TestRowsOfBeforeAreFoldedAnew(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for _, event := range []*models.Event{f.Event, f.Other} {
			p := f.Store.Programme(event, modelstest.Tester)
			modelstest.Must(p.CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Café"}))(t)
			written(t, p, f, event, "Café", "<p>Gr&uuml;&szlig;e</p>", "Zoë Café")
		}
		for i := range 450 { // several steps
			modelstest.Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: fmt.Sprint("Æ", i)}))(t)
		}
		unfolded(t, f)
		modelstest.Want(t, "all is folded", modelstest.Must(f.Folded(t.Context()))(t), false)
		modelstest.Want(t, "found before", searches(t, f, "cafe zoe"), "0 0 0")
		// One that is cut short leaves the rest to the next.
		ctx, cut := context.WithCancel(t.Context())
		steps := 0
		mortal := modelstest.Must(models.Open(t.Context(), f.Address, store.Options{OnSQL: func(string) {
			if steps++; steps == 250 {
				cut()
			}
		}}))(t)
		defer mortal.Close()
		if _, err := mortal.Migrate(ctx); err == nil {
			t.Error("nothing was cut short")
		}
		var first string
		modelstest.Fine(t, f.SQL.QueryRow("SELECT done FROM folding WHERE name = 'contacts'").Scan(&first))
		if first == "" {
			t.Error("no step was kept")
		}
		// Replicas that start together share the work.
		modelstest.AllSucceed(t, 3, func(int) error { return modelstest.ErrorOf(f.Migrate(context.Background())) })
		if folded := modelstest.Must(f.Folded(t.Context()))(t); !folded {
			t.Error("not all is folded")
		}
		modelstest.Want(t, "found after", searches(t, f, "cafe"), "1 1 1")
		modelstest.Want(t, "found after", searches(t, f, "zoe grusse"), "1 0 0")
		var wrong int
		modelstest.Fine(t, f.SQL.QueryRow(`SELECT (SELECT count(*) FROM contacts WHERE search LIKE '%?') +
			(SELECT count(*) FROM sessions WHERE search LIKE '%?')`).Scan(&wrong))
		modelstest.Want(t, "rows that are otherwise", wrong, 0)
	})
}
