package revision_test

import (
	"strings"
	"sync"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/revision"
	"lectern/models/store"
)

func TestAMergeAndErasingTakeRevisionsAlong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		s.write(t, s.bo, "Marker", "")
		for _, who := range []string{s.ada, s.bo} {
			modelstest.Must(s.place(who).SetPhoto(ctx, picture(t, 40)))(t)
		}
		directory := people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester))
		modelstest.Must(directory.Merge(ctx, []people.MergePair{{SurvivorID: s.ada, RemovedID: s.bo}}))(t)
		all, _, err := s.desk.All(ctx, store.Page{Number: 1, Size: 10})
		if err != nil || len(all) != 2 || all[0].Author != "Ada" || all[1].Author != "Ada" {
			t.Fatalf("%v %v", all, err)
		}
		data, _, err := directory.PersonalData(ctx, s.ada)
		if modelstest.Fine(t, err); len(data.Revisions) != 2 || *data.Revisions[0].Title != "Marker" || !data.Revisions[1].HasPhoto {
			t.Errorf("%+v", data.Revisions)
		}
		modelstest.Must(directory.Erase(ctx, s.ada))(t)
		if n := modelstest.Must(s.desk.Count(ctx))(t); n != 0 {
			t.Errorf("%d wait", n)
		}
	})
}

func TestRevisionsAtOnceAreDecidedOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		var running sync.WaitGroup
		for _, do := range []func(round int) error{
			func(round int) error {
				_, err := s.place(s.ada).SaveText(ctx, s.Event, s.tides.ID, models.Text{Title: strings.Repeat("a", round+1)}, "")
				return err
			},
			func(round int) error {
				_, err := s.place(s.bo).SaveText(ctx, s.Event, s.tides.ID, models.Text{Title: strings.Repeat("b", round+1)}, "")
				return err
			},
			func(int) error {
				_, err := s.place(s.ada).SaveProfile(ctx, s.Event, models.PersonChange{Values: map[string]string{"about": store.NewID()}})
				return err
			},
			func(round int) error {
				all, _, err := s.desk.All(ctx, store.Page{Number: 1, Size: 10})
				for _, w := range all {
					if err == nil {
						_, err = s.desk.Decide(ctx, w.ID, w.Token(), []revision.Verdict{revision.Accept, revision.Refuse}[round%2], "")
					}
				}
				if kind := store.KindOf(err); kind == store.Stale || kind == store.NotFound {
					return nil
				}
				return err
			},
		} {
			running.Go(func() {
				for round := range 8 {
					if err := do(round); err != nil {
						t.Error(err)
					}
				}
			})
		}
		running.Wait()
	})
}
