package tasks_test

import (
	"context"
	"fmt"
	"io"
	"sync"
	"syscall"
	"testing"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/models/tasks"
)

// atOnce runs operations against each other, each several times, and accepts only known errors.
func atOnce(t *testing.T, known func(error) bool, all ...func(round int) error) {
	t.Helper()
	modelstest.AllSucceed(t, len(all), func(i int) error {
		for round := range 6 {
			if err := all[i](round); err != nil && !known(err) {
				return err
			}
		}
		return nil
	})
}

// TestTwoUploadsAtOnceAreTwoVersions has two people hand in while staff ask for changes and approve.
func TestTwoUploadsAtOnceAreTwoVersions(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck := s.define(t, slides)
		var mu sync.Mutex
		kept := 0
		hand := func(who string) func(int) error {
			return func(round int) error {
				err := s.place(who).Upload(ctx, deck.ID, s.tides.ID, pdf(fmt.Sprint(who, round)))
				if err == nil {
					mu.Lock()
					kept++
					mu.Unlock()
				}
				return err
			}
		}
		refused := func(err error) bool { return store.KindOf(err) == store.Invalid } // approved meanwhile
		atOnce(t, refused, hand(s.ada), hand(s.bo), func(int) error {
			return s.place(s.ada).Comment(ctx, deck.ID, s.tides.ID, "again")
		}, func(round int) error {
			return s.tasks.Decide(ctx, deck.ID, s.tides.ID, []tasks.Verdict{tasks.Ask, tasks.Approve, tasks.Reopen}[round%3], "Words", nil)
		}, func(int) error {
			return modelstest.ErrorOf(f.Programme().UpdateSession(ctx, s.tides.ID, models.SessionChange{Title: new("Tides")}))
		})
		sheet := modelstest.Must(s.tasks.One(ctx, deck.ID, s.tides.ID))(t)
		if len(sheet.Versions) != kept || kept == 0 || modelstest.RowsOf(t, f, "SELECT count(*) FROM files WHERE purpose = 'deliverable'") != kept {
			t.Errorf("%d versions, %d were kept", len(sheet.Versions), kept)
		}
	})
}

// TestWhatHappensMeanwhileIsToldAndNothingIsHalfKept deletes a task, takes people off and merges them while they hand
// in.
func TestWhatHappensMeanwhileIsToldAndNothingIsHalfKept(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		own, deck := s.define(t, tasks.Change{Title: new("Photo"), Kind: new(tasks.File)}), s.define(t, slides)
		known := func(err error) bool {
			kind := store.KindOf(err)
			return kind == store.NotFound || kind == store.Invalid || kind == store.Stale
		}
		var doomed sync.Mutex
		id := own.ID
		atOnce(t, known, func(int) error {
			doomed.Lock()
			of := id
			doomed.Unlock()
			return s.place(s.bo).Upload(ctx, of, s.bo, pdf("bo"))
		}, func(int) error { return s.place(s.ada).Comment(ctx, own.ID, s.ada, "hello") },
			func(int) error { return s.place(s.bo).Upload(ctx, deck.ID, s.tides.ID, pdf("deck")) },
			func(int) error { return s.tasks.Comment(ctx, deck.ID, s.tides.ID, "hello both") }, func(round int) error {
				if round != 2 {
					return modelstest.ErrorOf(s.tasks.Save(ctx, own.ID, tasks.Change{Title: new(fmt.Sprint("Photo ", round))}))
				}
				made, err := s.tasks.Create(ctx, tasks.Change{Title: new("Other"), Kind: new(tasks.File)})
				if err != nil {
					return err
				}
				doomed.Lock()
				id = made.ID
				doomed.Unlock()
				return s.tasks.Delete(ctx, own.ID, nil)
			}, func(round int) error {
				if round != 4 {
					return nil
				}
				return modelstest.ErrorOf(people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester)).Merge(ctx,
					[]people.MergePair{{SurvivorID: s.ada, RemovedID: s.bo}}))
			})
		lost := modelstest.RowsOf(t, f, "SELECT count(*) FROM deliverable_versions v WHERE NOT EXISTS "+
			"(SELECT 1 FROM files f WHERE f.id = v.file_id) OR NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = v.task_id)")
		doubled := modelstest.RowsOf(t, f, "SELECT count(*) FROM (SELECT task_id, contact_id FROM deliverables GROUP BY 1, 2 HAVING count(*) > 1) x")
		modelstest.Want(t, "versions without a file or a task, people with two rows of one", [2]int{lost, doubled}, [2]int{})
	})
}

// fullDisk is a file store that takes no more.
type fullDisk struct{ files.Storage }

func (fullDisk) Put(context.Context, string, io.ReadSeeker) error {
	return &files.Fault{Message: "The disk is full.", Cause: syscall.ENOSPC}
}

func TestAFullDiskKeepsNothingAndLosesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		own := s.define(t, tasks.Change{Title: new("Photo"), Kind: new(tasks.File)})
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, own.ID, s.ada, pdf("one")))
		modelstest.Fine(t, s.tasks.Decide(ctx, own.ID, s.ada, tasks.Ask, "Larger, please", nil))
		f.Options.Files = fullDisk{f.Options.Files}
		modelstest.WantKind(t, "a full disk", s.place(s.ada).Upload(ctx, own.ID, s.ada, pdf("two")), store.Unavailable)
		sheet := modelstest.Must(s.tasks.One(ctx, own.ID, s.ada))(t)
		if len(sheet.Versions) != 1 || sheet.State != tasks.Changes || sheet.Words != "Larger, please" {
			t.Errorf("%d versions, %s", len(sheet.Versions), sheet.State)
		}
	})
}

func TestABoardCostsTheSameHoweverManyTasksThereAre(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		for i := range 3 {
			s.define(t, tasks.Change{Title: new(fmt.Sprint("Task ", i))})
		}
		s.define(t, slides)
		modelstest.Fine(t, s.place(s.ada).Comment(ctx, modelstest.Must(s.tasks.All(ctx))(t)[0].ID, s.ada, "x"))
		ran := f.Statement.During(func() { modelstest.Must(s.tasks.Board(ctx))(t) })
		if len(ran) != 4 { // tasks, people on sessions, deliverables and comments
			t.Errorf("%d statements: %q", len(ran), ran)
		}
	})
}
