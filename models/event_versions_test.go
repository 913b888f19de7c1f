package models_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestWhatOneReplicaWritesTheOtherCountsAndShows(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		other := modelstest.Replica(t, f).Programme
		tag := modelstest.Must(f.Programme().CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: "tag"}))(t)
		filters := []models.SessionFilter{{}, {Statuses: []models.Status{models.Draft}}, {IsPublic: new(true)},
			{TagIDs: []string{tag.ID}}, {Text: "new"}, {Scheduled: new(true)}, {IsAbstract: new(true)}, {IncludeDeleted: true}}
		agree := func(after string) {
			t.Helper()
			for _, filter := range filters {
				for name, p := range map[string]*models.Programme{"the writer": f.Programme(), "the other": other()} {
					_, counted, err := p.SearchSessions(t.Context(),
						models.SessionSearch{Filter: filter, Page: store.Page{Number: 999, Size: 1}})
					rows, _, err2 := p.SearchSessions(t.Context(), models.SessionSearch{Filter: filter, Page: store.Page{Size: 100}})
					if err != nil || err2 != nil || int(counted.TotalResults) != len(rows) {
						t.Errorf("after %s, %s counts %d and shows %d for %+v: %v, %v", after, name, counted.TotalResults, len(rows),
							filter, err, err2)
					}
				}
			}
		}
		agree("nothing")
		var s *models.Session
		for i := range 3 {
			s = modelstest.Must(f.Programme().CreateSession(t.Context(),
				models.NewSession{Title: fmt.Sprint(i), IsAbstract: i > 0}))(t)
			agree("a create")
		}
		for name, c := range map[string]models.SessionChange{
			"a status": {SessionInput: models.SessionInput{Status: new(models.AcceptQueue)}}, "a title": {Title: new("New")},
			"a publication": {IsPublic: new(true), PublishOverride: true},
			"a tag":         {SessionInput: models.SessionInput{TagIDs: &[]string{tag.ID}}},
			"a start":       {SessionInput: models.SessionInput{StartsAt: store.Some(store.At(f.Clock.Now()))}},
		} {
			modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, c))(t)
			agree(name)
		}
		modelstest.Must(f.Programme().Compose(t.Context(), []string{s.ID}, ""))(t)
		agree("a composition")
		modelstest.Must(f.Programme().DeleteSession(t.Context(), s.ID))(t)
		agree("a delete")
		modelstest.Must(f.Programme().RestoreSession(t.Context(), s.ID))(t)
		agree("a restore")

		track := modelstest.RowOf(t, f.Programme(), models.Tracks, "Late")
		shown := modelstest.Must(other().UpdateSession(t.Context(), s.ID,
			models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(track.ID)}}))(t)
		if shown.Track == nil || shown.Track.Name != "Late" {
			t.Errorf("the other replica shows the track %v", shown.Track)
		}
	})
}

func TestManyAtOnceGetLabelsAndPlacesOfTheirOwn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var lock sync.Mutex
		var labels []string
		var places []int
		var writers sync.WaitGroup
		for range 12 {
			writers.Go(func() {
				s, err := f.Programme().CreateSession(t.Context(), models.NewSession{Title: "T"})
				if err != nil {
					t.Error(err)
					return
				}
				m, err := f.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "R"})
				if err != nil {
					t.Error(err)
					return
				}
				lock.Lock()
				labels, places = append(labels, s.FriendlyID), append(places, m.Position)
				lock.Unlock()
			})
		}
		writers.Wait()
		slices.Sort(labels)
		slices.Sort(places)
		if n := len(slices.Compact(labels)); n != 12 || !slices.Equal(places, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
			t.Errorf("%d labels and the places %v", n, places)
		}
	})
}
