package models_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestEventSettingsChange(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, at := f.Programme(), store.At(f.Clock.Now())
		later := store.At(at.Add(24 * time.Hour))
		first := f.Programme().Event()
		e := modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{Name: new(" Conf 2027 "), Slug: new("conf-2027"),
			Timezone: new("Asia/Kathmandu"), UpdatedAt: &first.UpdatedAt, StartsOn: store.Some("2027-05-20"),
			EndsOn: store.Some("2027-05-20"), CFPOpensAt: store.Some(at), CFPClosesAt: store.Some(later)}))(t)
		kept := f.Programme().Event()
		for _, e := range []*models.Event{e, kept} {
			if e.Name != "Conf 2027" || e.Slug != "conf-2027" || e.Timezone != "Asia/Kathmandu" || *e.StartsOn != "2027-05-20" ||
				*e.EndsOn != "2027-05-20" || !e.CFPOpensAt.Equal(at.Time) || !e.CFPClosesAt.Equal(later.Time) ||
				!e.UpdatedAt.After(first.UpdatedAt.Time) {
				t.Errorf("%+v", e)
			}
		}
		shown, _ := json.Marshal(kept)
		modelstest.Holds(t, !strings.Contains(string(shown), "2027-05") && !strings.Contains(string(shown), "cfp"),
			"the settings are shown: %s", shown)
		lines, err := p.Activity(t.Context(), f.Event.ID)
		if err != nil || len(lines) != 1 || lines[0].Subject != "event" || !strings.Contains(lines[0].After, "Kathmandu") ||
			!strings.Contains(lines[0].Before, "Brussels") {
			t.Errorf("%+v, %v", lines, err)
		}
		// What is not named stays, what is null goes, and what changes nothing writes nothing.
		if e, err = p.UpdateEvent(t.Context(), models.EventChange{CFPOpensAt: store.Null[store.Time](),
			EndsOn: store.Null[string]()}); err != nil {
			t.Fatal(err)
		}
		modelstest.Holds(t, e.CFPOpensAt == nil && e.EndsOn == nil && e.StartsOn != nil && e.CFPClosesAt != nil &&
			e.Name == "Conf 2027", "%+v", e)
		again, err := p.UpdateEvent(t.Context(), models.EventChange{Slug: new("conf-2027"), UpdatedAt: &e.UpdatedAt})
		modelstest.Holds(t, err == nil && again.UpdatedAt.Equal(e.UpdatedAt.Time), "%+v, %v", again, err)
		other := f.Elsewhere().Event()
		modelstest.Holds(t, other.Name == "Another" && other.StartsOn == nil, "the other event became %+v", other)
	})
}

func TestEventSettingsAreChecked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, at := f.Programme(), store.At(f.Clock.Now())
		old := f.Programme().Event().UpdatedAt
		modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{StartsOn: store.Some("2027-05-20"),
			CFPClosesAt: store.Some(at)}))(t)
		before := f.Programme().Event()
		for _, c := range []struct {
			field  string
			change models.EventChange
		}{
			{"name", models.EventChange{Name: new(" ")}},
			{"name", models.EventChange{Name: new(strings.Repeat("x", 256))}},
			{"slug", models.EventChange{Slug: new("Conf")}},
			{"slug", models.EventChange{Slug: new("")}},
			{"slug", models.EventChange{Slug: new(store.NewID())}},
			{"slug", models.EventChange{Slug: &f.Other.Slug}},
			{"timezone", models.EventChange{Timezone: new("Local")}},
			{"timezone", models.EventChange{Timezone: new("")}},
			{"timezone", models.EventChange{Timezone: new("Mars/Olympus")}},
			{"timezone", models.EventChange{Timezone: new("../etc/passwd")}},
			{"starts_on", models.EventChange{StartsOn: store.Some("2027-02-29")}},
			{"starts_on", models.EventChange{StartsOn: store.Some("")}},
			{"ends_on", models.EventChange{EndsOn: store.Some("20.05.2027")}},
			{"ends_on", models.EventChange{EndsOn: store.Some("2027-05-19")}},
			{"cfp_closes_at", models.EventChange{CFPOpensAt: store.Some(at)}},
			{"updated_at", models.EventChange{Name: new("New"), UpdatedAt: &old}},
		} {
			_, err := p.UpdateEvent(t.Context(), c.change)
			e, ok := err.(*store.Error)
			modelstest.Holds(t, ok && len(e.Fields) == 1 && e.Fields[0].Field == c.field &&
				(e.Kind == store.Stale) == (c.field == "updated_at"), "%s %+v: %v", c.field, c.change, err)
		}
		if after := f.Programme().Event(); after.Name != before.Name || !after.UpdatedAt.Equal(before.UpdatedAt.Time) {
			t.Errorf("something was kept: %+v", after)
		}
		for field, n := range map[string]models.NewEvent{
			"starts_on": {Name: "E", Slug: "e", Timezone: "UTC", StartsOn: new("soon")},
			"ends_on":   {Name: "E", Slug: "e", Timezone: "UTC", StartsOn: new("2027-05-20"), EndsOn: new("2027-05-19")},
		} {
			_, err := f.CreateEvent(t.Context(), n)
			if e, ok := err.(*store.Error); !ok || e.Fields[0].Field != field {
				t.Errorf("%s: %v", field, err)
			}
		}
		e, err := f.CreateEvent(t.Context(), models.NewEvent{Name: "E", Slug: "e", Timezone: "UTC",
			StartsOn: new("2027-05-20"), EndsOn: new("2027-05-22")})
		modelstest.Holds(t, err == nil && *e.StartsOn == "2027-05-20" && *e.EndsOn == "2027-05-22", "%+v, %v", e, err)
	})
}

func TestAnEventIsReadWithAllItsColumns(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		f.Clock.Move(time.Hour)
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Name: new("Later")}))(t)
		modelstest.Must(f.SQL.ExecContext(t.Context(), `UPDATE events SET starts_on = '2027-05-20', ends_on = '2027-05-21',
			cfp_opens_at = created_at, cfp_closes_at = updated_at, asks_approval = true WHERE id = $1`, f.Event.ID))(t)
		s := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Moves the versions"}))(t)
		f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: "Ada"})
		modelstest.Update(t, f.Programme(), s.ID, models.SessionInput{StartsAt: store.Some(clock("10:00"))})
		modelstest.Must(f.Programme().CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: "too"}))(t)
		for _, named := range []string{f.Event.ID, f.Event.Slug} {
			var want models.Event
			modelstest.Fine(t, f.Read(t.Context()).Joins("JOIN event_counters ON event_counters.event_id = events.id").
				Select("*").Where("id = ?", f.Event.ID).Take(&want).Error)
			e := modelstest.Must(f.EventBy(t.Context(), named))(t)
			if !reflect.DeepEqual(*e, want) {
				t.Errorf("%+v, not %+v", *e, want)
			}
			for i := range reflect.TypeFor[models.Event]().NumField() {
				if reflect.ValueOf(*e).Field(i).IsZero() {
					t.Errorf("%s is empty", reflect.TypeFor[models.Event]().Field(i).Name)
				}
			}
		}
		modelstest.Answers(f.EventBy(t.Context(), "none"))(t, "no event", store.NotFound)
	})
}

// TestChangesLeaveTheRowOfTheirEventAsItIs keeps foreign keys to an event quick: PostgreSQL checks each of them against
// every version of the event's row.
func TestChangesLeaveTheRowOfTheirEventAsItIs(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	db, p, ctx := f.SQL, f.Programme(), t.Context()
	version := func() (writer string) {
		modelstest.Fine(t, db.QueryRow("SELECT ctid || ' by ' || xmin FROM events WHERE id = $1", f.Event.ID).Scan(&writer))
		return writer
	}
	before, counted := version(), f.Programme().Event()
	tag := modelstest.Must(p.CreateMetadata(ctx, models.Tags, models.NewMetadata{Name: "T"}))(t)
	abstract := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "A", IsAbstract: true}))(t)
	f.Speaker(t, f.Event, abstract.ID, models.NewContact{FirstName: "Ada"})
	modelstest.Must(p.UpdateSession(ctx, abstract.ID, models.SessionChange{Title: new("B"),
		SessionInput: models.SessionInput{TagIDs: &[]string{tag.ID}}}))(t)
	modelstest.Must(p.SetParticipants(ctx, abstract.ID, nil))(t)
	modelstest.Must(p.DeleteSession(ctx, abstract.ID))(t)
	modelstest.Fine(t, metadata.Of(p).Delete(ctx, models.Tags, tag.ID, nil))
	modelstest.Want(t, "the event's row was written", version(), before)
	now := f.Programme().Event()
	modelstest.Holds(t, now.SessionsVersion != counted.SessionsVersion && now.SpeakersVersion != counted.SpeakersVersion &&
		now.MetadataVersion != counted.MetadataVersion, "the versions went from %+v to %+v", counted, now)
	modelstest.Must(p.UpdateEvent(ctx, models.EventChange{Name: new("Another")}))(t)
	after := version()
	modelstest.Holds(t, after != before, "a change of the event itself is not seen")
}

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
		shown := modelstest.Update(t, other(), s.ID, models.SessionInput{TrackID: store.Some(track.ID)})
		modelstest.Holds(t, shown.Track != nil && shown.Track.Name == "Late",
			"the other replica shows the track %v", shown.Track)
	})
}

func TestManyAtOnceGetLabelsAndPlacesOfTheirOwn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		labels, places := make([]string, 12), make([]int, 12)
		modelstest.AllSucceed(t, 12, func(i int) error {
			s, err := f.Programme().CreateSession(t.Context(), models.NewSession{Title: "T"})
			if err != nil {
				return err
			}
			m, err := f.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "R"})
			if err == nil {
				labels[i], places[i] = s.FriendlyID, m.Position
			}
			return err
		})
		slices.Sort(labels)
		slices.Sort(places)
		if n := len(slices.Compact(labels)); n != 12 || !slices.Equal(places, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
			t.Errorf("%d labels and the places %v", n, places)
		}
	})
}
