package models_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestMigratingTwiceDoesNothing(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			store := openEmpty(t, modelstest.EmptyDatabase(t, dialect))
			first, err := store.Migrate(t.Context())
			if err != nil || len(first) == 0 || !slices.IsSorted(first) {
				t.Fatalf("the first migration applied %v, %v", first, err)
			}
			if second, err := store.Migrate(t.Context()); err != nil || len(second) != 0 {
				t.Fatalf("the second migration applied %v, %v", second, err)
			}
			modelstest.Must(store.CreateEvent(t.Context(), models.NewEvent{Name: "E", Slug: "e", Timezone: "UTC"}))(t)
		})
	}
}

func TestReplicasThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	address := modelstest.EmptyDatabase(t, "postgres")
	var stores [4]*models.Store
	for i := range stores {
		stores[i] = openEmpty(t, address)
	}
	var versions [4][]int64
	modelstest.AllSucceed(t, 4, func(i int) (err error) {
		versions[i], err = stores[i].Migrate(context.Background())
		return err
	})
	applied := slices.Concat(versions[:]...)
	modelstest.Holds(t, len(applied) != 0 && len(slices.Compact(slices.Sorted(slices.Values(applied)))) == len(applied),
		"the replicas applied %v", applied)
}

func openEmpty(t *testing.T, address string) *models.Store {
	t.Helper()
	store := modelstest.Must(models.Open(t.Context(), address, store.Options{}))(t)
	t.Cleanup(func() { store.Close() })
	return store
}

// TestTheSchemaRefusesWhatCrossesEvents proves that the boundary between events does not depend on the operations
// alone.
func TestTheSchemaRefusesWhatCrossesEvents(t *testing.T) {
	modelstest.EachAlone(t, func(t *testing.T, f *modelstest.Fixture) {
		ours := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "T", IsAbstract: true}))(t)
		theirs := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
		contact := f.Speaker(t, f.Other, theirs.ID, models.NewContact{FirstName: "Ada"})
		track := modelstest.Must(f.Elsewhere().CreateMetadata(t.Context(), models.Tracks, models.NewMetadata{Name: "T"}))(t)
		tag := modelstest.Must(f.Elsewhere().CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: "T"}))(t)
		db := f.SQL
		if f.Dialect() == "sqlite" {
			db.SetMaxOpenConns(1)
			modelstest.Exec(t, db, "PRAGMA foreign_keys = ON")
		}
		for name, statement := range map[string][]any{
			"a track":        {"UPDATE sessions SET track_id = $1 WHERE id = $2", track.ID, ours.ID},
			"a composition":  {"UPDATE sessions SET composed_into = $1 WHERE id = $2", theirs.ID, ours.ID},
			"a tag":          {"INSERT INTO session_tags VALUES ($1, $2, $3)", f.Event.ID, ours.ID, tag.ID},
			"a participant":  {"INSERT INTO participants VALUES ($1, $2, $3, 'speaker', 0)", f.Event.ID, ours.ID, contact},
			"an empty title": {"UPDATE sessions SET title = '' WHERE id = $1", ours.ID},
			"a status":       {"UPDATE sessions SET status = 'lost' WHERE id = $1", ours.ID},
			"an end alone":   {"UPDATE sessions SET ends_at = '2026-11-21T09:30:00.000Z' WHERE id = $1", ours.ID},
			"a number":       {"UPDATE sessions SET number = -1, is_linked = (1 = 1) WHERE id = $1", ours.ID},
		} {
			if _, err := db.Exec(statement[0].(string), statement[1:]...); err == nil {
				t.Errorf("the schema takes %s", name)
			} else if !strings.Contains(strings.ToLower(err.Error()), "constraint") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestADeletedSessionLooksForItsOwnRows checks SQLite's plans for the rows that go with a session: they are found by
// the session, not among all rows of the event, which made undoing 4,000 sessions take a minute.
func TestADeletedSessionLooksForItsOwnRows(t *testing.T) {
	f := modelstest.Open(t, "sqlite")
	rows := modelstest.Must(f.SQL.Query(`SELECT m.name, k."from" FROM sqlite_master m, pragma_foreign_key_list(m.name) k
		WHERE m.type = 'table' AND k."table" = 'sessions' AND k."to" = 'id' ORDER BY m.name, k."from"`))(t)
	var refers [][2]string
	for rows.Next() {
		var table, column string
		modelstest.Fine(t, rows.Scan(&table, &column))
		refers = append(refers, [2]string{table, column})
	}
	modelstest.Fine(t, rows.Close())
	if len(refers) < 15 {
		t.Fatalf("only %v refer to sessions", refers)
	}
	for _, r := range refers {
		var id, parent, unused int
		var plan string
		ask := fmt.Sprintf("EXPLAIN QUERY PLAN SELECT rowid FROM %s WHERE event_id = 'a' AND %s = 'b'", r[0], r[1])
		modelstest.Fine(t, f.SQL.QueryRow(ask).Scan(&id, &parent, &unused, &plan))
		modelstest.Holds(t, strings.Contains(plan, r[1]+"=?"), "%s.%s: %s", r[0], r[1], plan)
	}
}

// TestSavedSessionsAreFoundByTheirIDs checks SQLite's plan for saving sessions: they are found by their ids, not among
// all of the event, which would parse the values again for each.
func TestSavedSessionsAreFoundByTheirIDs(t *testing.T) {
	f := modelstest.Open(t, "sqlite")
	s := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Tides"}))(t)
	save := ""
	for _, statement := range f.Statement.During(func() {
		modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Ebb")}))(t)
	}) {
		if strings.HasPrefix(statement, "UPDATE sessions SET") {
			save = statement
		}
	}
	var plan []string
	rows := modelstest.Must(f.SQL.Query("EXPLAIN QUERY PLAN "+save, "[]", f.Event.ID))(t)
	for rows.Next() {
		var id, parent, unused int
		var step string
		modelstest.Fine(t, rows.Scan(&id, &parent, &unused, &step))
		plan = append(plan, step)
	}
	modelstest.Fine(t, rows.Close())
	modelstest.Holds(t, len(plan) >= 2 && strings.HasPrefix(plan[0], "SCAN v") && strings.Contains(plan[1], "(id=?)"),
		"%s: %q", save, plan)
}

// unfolded leaves rows as they were before the migration: folded in case alone, and waiting.
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

// searches returns how many sessions, speakers and rooms a text finds.
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
		_, err := mortal.Migrate(ctx)
		modelstest.Holds(t, err != nil, "nothing was cut short")
		var first string
		modelstest.Fine(t, f.SQL.QueryRow("SELECT done FROM folding WHERE name = 'contacts'").Scan(&first))
		modelstest.Holds(t, first != "", "no step was kept")
		// Replicas that start together share the work.
		within, end := context.WithTimeout(context.Background(), modelstest.Patience)
		defer end()
		modelstest.AllSucceed(t, 3, func(int) error { return modelstest.ErrorOf(f.Migrate(within)) })
		folded := modelstest.Must(f.Folded(t.Context()))(t)
		modelstest.Holds(t, folded, "not all is folded")
		modelstest.Want(t, "found after", searches(t, f, "cafe"), "1 1 1")
		modelstest.Want(t, "found after", searches(t, f, "zoe grusse"), "1 0 0")
		var wrong int
		modelstest.Fine(t, f.SQL.QueryRow(`SELECT (SELECT count(*) FROM contacts WHERE search LIKE '%?') +
			(SELECT count(*) FROM sessions WHERE search LIKE '%?')`).Scan(&wrong))
		modelstest.Want(t, "rows that are otherwise", wrong, 0)
	})
}
