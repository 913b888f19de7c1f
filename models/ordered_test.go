package models_test

import (
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestTheSameIsSaidAndAskedTheSameWayEveryTime repeats what has several faults or
// conditions: their order is that of the fields.
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
