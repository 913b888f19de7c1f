package task_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/task"
)

func TestATaskOfATagAndALevelIsHadAndHandedIn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		row := func(family models.Family) string {
			return modelstest.Must(f.Programme().CreateMetadata(ctx, family, models.NewMetadata{Name: "Deep"}))(t).ID
		}
		tag, level := row(models.Tags), row(models.Levels)
		modelstest.Must(f.Programme().UpdateSession(ctx, s.tides.ID, models.SessionChange{SessionInput: models.SessionInput{
			TagIDs: &[]string{tag}, LevelID: store.Some(level)}}))(t)
		c := slides
		c.Filters = &task.Filters{Tags: []string{tag}, Levels: []string{level}}
		deck := s.define(t, c)
		modelstest.Want(t, "has it", s.owners(t, deck.ID), "Tides")
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, pdf("one")))
		modelstest.WantKind(t, "without the tag", s.place(s.cyd).Upload(ctx, deck.ID, s.ebb.ID, pdf("one")), store.NotFound)
	})
}

func TestNobodyApprovesWhatNobodyLookedAt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, at := s.define(t, slides), s.tides.ID
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, pdf("one")))
		seen := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t).Latest().ID
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, at, pdf("two")))
		for _, v := range []task.Verdict{task.Approve, task.Ask} {
			modelstest.WantKind(t, string(v), s.tasks.Decide(ctx, deck.ID, at, v, "Words", &seen), store.Stale)
		}
		now := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t)
		if now.State != task.Done || len(now.Comments) != 0 {
			t.Errorf("%s with %d comments", now.State, len(now.Comments))
		}
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, task.Approve, "", new(now.Latest().ID)))
	})
}

func TestTwoWhoRemindAtOnceWriteOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		s.define(t, slides)
		s.define(t, task.Change{Title: new("Bio")})
		var all sync.WaitGroup
		sent := make([]int, 4)
		for i := range sent {
			all.Go(func() {
				n, err := s.tasks.Remind(ctx, task.Wanted{Show: task.Missing}, 3)
				if err != nil && store.KindOf(err) != store.Stale {
					t.Error(err)
				}
				sent[i] = n
			})
		}
		all.Wait()
		if letters := mails(t, f)[""]; letters != "3" || sent[0]+sent[1]+sent[2]+sent[3] != 3 {
			t.Errorf("%s letters, %v told", letters, sent)
		}
	})
}

func TestCommentsAreNobodysWeaponAndRefusedFilesCountForNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, at := s.define(t, slides), s.tides.ID
		for i := range 20 {
			modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, at, fmt.Sprint(i)))
		}
		modelstest.WantKind(t, "one more", s.place(s.ada).Comment(ctx, deck.ID, at, "more"), store.TooMany)
		modelstest.Fine(t, s.place(s.bo).Comment(ctx, deck.ID, at, "mine"))
		modelstest.Fine(t, s.tasks.Comment(ctx, deck.ID, at, "ours"))
		f.Clock.Move(time.Hour + time.Minute)
		modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, at, "later"))

		wrong := models.Upload{Name: "a.pdf", Content: append([]byte("PK\x03\x04"), make([]byte, 19<<20)...)}
		for range 12 { // more than somebody brings in an hour
			modelstest.WantKind(t, "another kind", s.place(s.ada).Upload(ctx, deck.ID, at, wrong), store.Invalid)
		}
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, pdf("one")))
	})
}

func TestFilesOfTasksCountAmongWhatSomebodyBringsInAnHour(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, at := s.define(t, slides), s.tides.ID
		large := models.Upload{Name: "a.pdf", Content: append([]byte("%PDF-1.7 "), make([]byte, 20<<20-9)...)}
		for range 10 { // 200 MB
			modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, large))
		}
		modelstest.WantKind(t, "one more", s.place(s.ada).Upload(ctx, deck.ID, at, pdf("more")), store.TooMany)
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, deck.ID, at, pdf("mine")))
		f.Clock.Move(time.Hour + time.Minute)
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, pdf("later")))
	})
}
