package models_test

import (
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// asked counts the statements of one request: authentication, then operation.
func asked(t *testing.T, f *modelstest.Fixture, key string, operation func(*models.Programme)) int {
	t.Helper()
	statements := f.Statement.During(func() {
		k := modelstest.Must(apikey.In(f.Store).Authenticate(t.Context(), key, modelstest.Tester))(t)
		operation(f.Store.Programme(k.Event, modelstest.Tester))
	})
	if t.Failed() || testing.Verbose() {
		for i, s := range statements {
			t.Logf("%d %.100s", i+1, s)
		}
	}
	return len(statements)
}

func TestASearchCostsAtMostEightStatementsHoweverManyRows(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		_, key, err := apikey.Of(f.Programme()).Create(t.Context(), apikey.New{Name: "k", Scopes: apikey.Scopes})
		modelstest.Fine(t, err)
		search := func(size int) int {
			return asked(t, f, key, func(p *models.Programme) {
				rows, _, err := p.SearchSessions(t.Context(), models.SessionSearch{Page: store.Page{Number: 1, Size: size}})
				if err != nil || len(rows) != size || rows[0].Track == nil || len(rows[0].Participants) != 2 ||
					len(rows[0].Tags) != 2 {
					t.Fatalf("%d rows, %v", len(rows), err)
				}
			})
		}
		modelstest.Full(t, f, 1)
		first := search(1) // with the key's last use, and nothing remembered
		modelstest.Holds(t, first <= 8, "the first search costs %d statements", first)
		modelstest.Full(t, f, 14)
		few, many := search(2), search(25)
		modelstest.Holds(t, few <= 7 && many <= 7, "searches of 2 and 25 rows cost %d and %d statements", few, many)
		again := search(25)
		modelstest.Holds(t, again <= many, "the same search again costs %d statements, not %d", again, many)
	})
}

func TestStatementsOfSingleOperations(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		_, key, err := apikey.Of(f.Programme()).Create(t.Context(), apikey.New{Name: "k", Scopes: apikey.Scopes})
		modelstest.Fine(t, err)
		s, plain := modelstest.Full(t, f, 1)[0], modelstest.Must(f.Programme().
			CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
		asked(t, f, key, func(p *models.Programme) { modelstest.Must(p.Session(t.Context(), s.ID))(t) })
		for _, c := range []struct {
			name string
			most int
			do   func(*models.Programme) error
		}{
			{"read", 4, func(p *models.Programme) error { _, err := p.Session(t.Context(), s.ID); return err }},
			{"create", 5, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.CreateSession(t.Context(), models.NewSession{Title: "T"}))
			}},
			{"update", 8, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.UpdateSession(t.Context(), plain.ID, models.SessionChange{Title: new("New")}))
			}},
			{"update of nothing", 4, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.UpdateSession(t.Context(), plain.ID, models.SessionChange{Title: new("New")}))
			}},
			{"delete", 8, func(p *models.Programme) error { _, err := p.DeleteSession(t.Context(), plain.ID); return err }},
			{"metadata list", 1, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.ListMetadata(t.Context(), models.Tracks, "", store.Page{}))
			}},
			{"speakers", 3, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.Speakers(t.Context(), "", store.Page{}))
			}},
			{"speaker", 3, func(p *models.Programme) error {
				return modelstest.ErrorOf(p.Speaker(t.Context(), s.Participants[0].ContactID))
			}},
		} {
			got := asked(t, f, key, func(p *models.Programme) { modelstest.Fine(t, c.do(p)) })
			modelstest.Holds(t, got <= c.most, "%s costs %d statements, more than %d", c.name, got, c.most)
			t.Log(fmt.Sprint(c.name, " ", got))
		}
	})
}

// TestTheSameIsSaidAndAskedTheSameWayEveryTime repeats operations with several faults or conditions, whose order is
// that of the fields.
func TestTheSameIsSaidAndAskedTheSameWayEveryTime(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx, id, odd := f.Programme(), t.Context(), store.NewID(), []string{"x"}
		now := store.At(f.Clock.Now())
		linked := modelstest.Full(t, f, 1)[0]
		source := modelstest.Must(p.Sources(ctx, linked.ID))(t)[0]
		search := func(filter models.SessionFilter) error {
			return modelstest.ErrorOf(p.SearchSessions(ctx, models.SessionSearch{Filter: filter}))
		}
		for name, do := range map[string]func() error{
			"a search with faults": func() error {
				return search(models.SessionFilter{IDs: odd, TrackIDs: odd, RoomIDs: odd, LevelIDs: odd, TagIDs: odd,
					ContactIDs: odd, ReviewedBy: "x", AwaitsReviewBy: "x"})
			},
			"a search with conditions": func() error {
				return search(models.SessionFilter{IsAbstract: new(true), IsPublic: new(true), TrackIDs: []string{id},
					RoomIDs: []string{id}, FormatIDs: []string{id},
					ScoreFrom: new(models.Score(100)), ScoreBelow: new(models.Score(200)), StartsAfter: &now, StartsBefore: &now,
					CreatedAfter: &now, UpdatedBefore: &now})
			},
			"the text of a linked abstract": func() error {
				return modelstest.ErrorOf(p.UpdateSession(ctx, source.ID,
					models.SessionChange{Title: new("X"), SessionInput: models.SessionInput{Description: new("X")}}))
			},
			"a contact": func() error {
				_, err := p.CreateContact(ctx, models.NewContact{FirstName: "A", WebsiteURL: "x", LinkedinURL: "x", PhotoURL: "x"})
				return err
			},
			"a batch": func() error {
				_, err := p.StartBatch(ctx, []string{id}, nil, models.BatchChange{AddTags: odd, RemoveTags: []string{"y"}})
				return err
			},
			"sessions with people and tags": func() error { return search(models.SessionFilter{}) },
		} {
			said := map[string]bool{}
			for range 20 {
				var err error
				f.Clock.Move(time.Second)
				statements := f.Statement.During(func() { err = do() })
				said[fmt.Sprint(err, statements)] = true
			}
			if len(said) > 2 { // once before, once after what is remembered
				t.Errorf("%s goes %d ways: %.1000v", name, len(said), said)
			}
		}
	})
}
