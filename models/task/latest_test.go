package task_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/public"
	"lectern/models/store"
	"lectern/models/task"
)

func TestAnEarlierVersionCountsAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, ada, at := s.define(t, slides), s.place(s.ada), s.tides.ID
		for _, text := range []string{"one", "two"} {
			modelstest.Fine(t, ada.Upload(ctx, deck.ID, at, pdf(text)))
		}
		one := func() *task.Sheet { return modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t) }
		counts := func(what string, number, of int) {
			t.Helper()
			b := modelstest.Must(s.tasks.Board(ctx))(t)
			v := modelstest.Must(s.tasks.Latest(ctx, b.All))(t)[[2]string{deck.ID, at}]
			told, _, err := s.tasks.Deliveries(ctx, task.DeliverySearch{SessionID: at}, store.Page{Number: 1, Size: 10}, "https://x.org")
			modelstest.Fine(t, err)
			if l := one().Latest(); l.Number != number || v.Number != number || v.Count != of || told[0].Versions[0].Number != number {
				t.Errorf("%s: version %d counts on its page, %d of %d in lists, %d for programs", what, l.Number, v.Number, v.Count,
					told[0].Versions[0].Number)
			}
		}
		counts("the last", 2, 2)
		first := one().Versions[1].ID
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, task.Ask, "As before, please.", nil))
		modelstest.Fine(t, ada.MakeLatest(ctx, deck.ID, at, first))
		counts("an earlier one", 1, 2)
		if d := one(); d.State != task.Done || d.By != "Ada Marker" {
			t.Errorf("it is %s by %s", d.State, d.By)
		}
		seen := one().Versions[0].ID
		modelstest.WantKind(t, "approved by who saw another", s.tasks.Decide(ctx, deck.ID, at, task.Approve, "", &seen), store.Stale)
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, task.Approve, "", &first))
		modelstest.WantKind(t, "once it was approved", ada.MakeLatest(ctx, deck.ID, at, seen), store.Invalid)
		noVersions := func() {
			t.Helper()
			for what, id := range map[string]string{"nonsense": "x", "no version": store.NewID()} {
				modelstest.WantKind(t, what, ada.MakeLatest(ctx, deck.ID, at, id), store.NotFound)
			}
		}
		noVersions()
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, task.Reopen, "", nil))
		modelstest.Fine(t, s.tasks.MakeLatest(ctx, deck.ID, at, seen))
		counts("and back", 2, 2)
		modelstest.Fine(t, s.tasks.MakeLatest(ctx, deck.ID, at, first))
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, at, pdf("three")))
		counts("the next that came", 3, 3)

		noVersions()
		modelstest.WantKind(t, "not theirs", s.place(s.cyd).MakeLatest(ctx, deck.ID, at, first), store.NotFound)
		other := s.define(t, task.Change{Title: new("Outline"), Kind: new(task.File), AskedOf: new(task.OfSession)})
		modelstest.WantKind(t, "of another task", s.tasks.MakeLatest(ctx, other.ID, at, first), store.NotFound)
	})
}

// TestThePublicSeesTheVersionThatCounts approves an earlier version.
func TestThePublicSeesTheVersionThatCounts(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		c := slides
		c.Kind, c.FileKinds = new(task.Link), nil
		link := s.define(t, c)
		for _, url := range []string{"https://x.org/1", "https://x.org/2"} {
			modelstest.Fine(t, s.tasks.Link(ctx, link.ID, s.ebb.ID, url))
		}
		first := modelstest.Must(s.tasks.One(ctx, link.ID, s.ebb.ID))(t).Versions[1].ID
		modelstest.Fine(t, s.tasks.MakeLatest(ctx, link.ID, s.ebb.ID, first))
		modelstest.Fine(t, s.tasks.Decide(ctx, link.ID, s.ebb.ID, task.Approve, "", nil))
		begins := f.Clock.Now().AddDate(0, 1, 0)
		modelstest.Must(f.Programme().UpdateSession(ctx, s.ebb.ID, models.SessionChange{SessionInput: models.SessionInput{
			StartsAt: store.Some(store.At(begins)), EndsAt: store.Some(store.At(begins.Add(time.Hour)))},
			IsPublic: new(true), PublishOverride: true}))(t)
		for _, shown := range modelstest.Must(public.Of(f.Programme()).Agenda(ctx))(t).Sessions {
			if shown.ID == s.ebb.ID && (len(shown.Materials) != 1 || shown.Materials[0].ID != first) {
				t.Errorf("shown is %+v", shown.Materials)
			}
		}
	})
}
