package models_test

import (
	"context"
	"slices"
	"strings"
	"sync"
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
	var lock sync.Mutex
	var applied []int64
	var replicas sync.WaitGroup
	for range 4 {
		store := openEmpty(t, address)
		replicas.Go(func() {
			versions, err := store.Migrate(context.Background())
			if err != nil {
				t.Error(err)
			}
			lock.Lock()
			applied = append(applied, versions...)
			lock.Unlock()
		})
	}
	replicas.Wait()
	if len(applied) == 0 || len(slices.Compact(slices.Sorted(slices.Values(applied)))) != len(applied) {
		t.Errorf("the replicas applied %v", applied)
	}
}

func openEmpty(t *testing.T, address string) *models.Store {
	t.Helper()
	store := modelstest.Must(models.Open(t.Context(), address, store.Options{}))(t)
	t.Cleanup(func() { store.Close() })
	return store
}

// TestTheSchemaRefusesWhatCrossesEvents proves that the boundary between events
// does not hang on the operations alone.
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
