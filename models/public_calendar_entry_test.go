package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/site"
	"lectern/models/store"
)

// inCalendars returns what public calendars say of all sessions that ever were in them.
func inCalendars(t *testing.T, p *models.Programme) string {
	t.Helper()
	a, err := site.Of(p).Agenda(t.Context())
	if store.KindOf(err) == store.NotFound {
		return ""
	}
	modelstest.Fine(t, err)
	names := map[string]string{}
	for _, room := range a.Rooms {
		names[room.ID] = " in " + room.Name
	}
	var words []string
	say := func(e site.Entry, state string) {
		room := ""
		if e.RoomID != nil {
			room = names[*e.RoomID]
		}
		words = append(words, fmt.Sprintf("%s at %s%s %s %d", e.Title, e.StartsAt.Format("15:04"), room, state, e.Sequence))
	}
	for _, s := range a.Sessions {
		say(s.Entry, "shown")
	}
	for _, e := range a.Cancelled {
		say(e, "cancelled")
	}
	return strings.Join(words, ", ")
}

func TestCalendarsFollowASessionWhicheverWayItChanges(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		hall, attic := room(t, f.Programme(), "Hall"), room(t, f.Programme(), "Attic")
		track := modelstest.Must(f.Programme().CreateMetadata(ctx, models.Tracks, models.NewMetadata{Name: "Track"}))(t).ID
		s := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Talk",
			SessionInput: models.SessionInput{RoomID: store.Some(hall)}}))(t)
		input := func(in models.SessionInput) func() error {
			return func() error {
				return modelstest.ErrorOf(f.Programme().UpdateSession(ctx, s.ID, models.SessionChange{SessionInput: in}))
			}
		}
		public := func(is bool) func() error {
			return func() error {
				_, err := f.Programme().UpdateSession(ctx, s.ID, models.SessionChange{IsPublic: &is, PublishOverride: is})
				return err
			}
		}
		title := func(title string) func() error {
			return func() error {
				return modelstest.ErrorOf(f.Programme().UpdateSession(ctx, s.ID, models.SessionChange{Title: &title}))
			}
		}
		for _, step := range []struct {
			what string
			do   func() error
			want string
		}{
			{"published without a time", public(true), ""},
			{"placed", input(models.SessionInput{StartsAt: store.Some(clock("10:00"))}), "Talk at 10:00 in Hall shown 0"},
			{"the same again", public(true), "Talk at 10:00 in Hall shown 0"},
			{"a description", input(models.SessionInput{Description: new("<p>Text</p>")}), "Talk at 10:00 in Hall shown 0"},
			{"a track", input(models.SessionInput{TrackID: store.Some(track)}), "Talk at 10:00 in Hall shown 0"},
			{"a title", title("Lecture"), "Lecture at 10:00 in Hall shown 1"},
			{"an end", input(models.SessionInput{EndsAt: store.Some(clock("11:00"))}), "Lecture at 10:00 in Hall shown 2"},
			{"a room", input(models.SessionInput{RoomID: store.Some(attic)}), "Lecture at 10:00 in Attic shown 3"},
			{"unpublished", public(false), "Lecture at 10:00 cancelled 4"},
			{"a title while it is not public", title("Secret"), "Lecture at 10:00 cancelled 4"},
			{"a time while it is not public", input(models.SessionInput{StartsAt: store.Some(clock("09:00"))}),
				"Lecture at 10:00 cancelled 4"},
			{"published again", public(true), "Secret at 09:00 in Attic shown 5"},
			{"withdrawn", input(models.SessionInput{Status: new(models.Withdrawn)}), "Secret at 09:00 cancelled 6"},
			{"accepted again", input(models.SessionInput{Status: new(models.Accepted)}), "Secret at 09:00 in Attic shown 7"},
			{"unplaced", input(models.SessionInput{StartsAt: store.Null[store.Time](), EndsAt: store.Null[store.Time]()}),
				"Secret at 09:00 cancelled 8"},
			{"placed again", input(models.SessionInput{StartsAt: store.Some(clock("10:00"))}),
				"Secret at 10:00 in Attic shown 9"},
			{"deleted", func() error {
				return modelstest.ErrorOf(f.Programme().DeleteSession(ctx, s.ID))
			}, "Secret at 10:00 cancelled 10"},
			{"restored", func() error {
				return modelstest.ErrorOf(f.Programme().RestoreSession(ctx, s.ID))
			}, "Secret at 10:00 in Attic shown 11"},
			{"its room gone", func() error {
				return metadata.Of(f.Programme()).Delete(ctx, models.Rooms, attic, &hall)
			}, "Secret at 10:00 in Hall shown 12"},
			{"its track gone", func() error {
				return metadata.Of(f.Programme()).Delete(ctx, models.Tracks, track, nil)
			}, "Secret at 10:00 in Hall shown 12"},
			{"its room called otherwise", func() error {
				_, err := metadata.Of(f.Programme()).Update(ctx, models.Rooms, hall, metadata.Change{Name: new("Great hall")})
				return err
			}, "Secret at 10:00 in Great hall shown 13"},
			{"its room with another capacity", func() error {
				_, err := metadata.Of(f.Programme()).Update(ctx, models.Rooms, hall, metadata.Change{Capacity: store.Some(9)})
				return err
			}, "Secret at 10:00 in Great hall shown 13"},
		} {
			modelstest.Fine(t, step.do())
			modelstest.Want(t, step.what+": calendars say", inCalendars(t, f.Programme()), step.want)
		}
		modelstest.Want(t, "elsewhere calendars say", inCalendars(t, f.Elsewhere()), "")
	})
}

func TestAnImportMovesWhatCalendarsSay(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := &frab.Schedule{Events: []frab.Event{{Index: 1, Key: "k", Title: "Talk", Start: clock("10:00").Time,
			End: clock("11:00").Time}}}
		modelstest.Must(arrival.Of(f.Programme()).Import(t.Context(), s, arrival.Options{}))(t)
		talk := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{})["Talk"]
		modelstest.Must(f.Programme().UpdateSession(t.Context(), talk.ID,
			models.SessionChange{IsPublic: new(true), PublishOverride: true}))(t)
		s.Events[0].Start = s.Events[0].Start.Add(-time.Hour)
		modelstest.Must(arrival.Of(f.Programme()).Import(t.Context(), s, arrival.Options{}))(t)
		modelstest.Want(t, "calendars say", inCalendars(t, f.Programme()), "Talk at 09:00 shown 1")
	})
}

func TestWhoLosesTheirTimeStandsInTheProgrammeOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Talk",
			SessionInput: models.SessionInput{StartsAt: store.Some(clock("10:00"))}}))(t)
		f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: "Ada", LastName: "Lovelace"})
		for _, change := range []models.SessionChange{{IsPublic: new(true), PublishOverride: true},
			{SessionInput: models.SessionInput{StartsAt: store.Null[store.Time]()}}} {
			modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, change))(t)
		}
		a := modelstest.Must(site.Of(f.Programme()).Agenda(t.Context()))(t)
		if len(a.Unplaced) != 1 || len(a.Cancelled) != 1 || len(a.Unplaced[0].People) != 1 || len(a.People) != 1 {
			t.Errorf("%d wait for a time, %d are cancelled, %d people", len(a.Unplaced), len(a.Cancelled), len(a.People))
		}
	})
}
