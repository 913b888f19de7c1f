package models_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestAnAgendaThatGrewIsAsOneThatIsReadAnew changes what the public programme says in each way that there is, also
// beside the program, and holds what this process makes of its last reading against what another one reads.
func TestAnAgendaThatGrewIsAsOneThatIsReadAnew(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		add := func(title string) *models.Session {
			return modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: title, SessionInput: models.SessionInput{
				StartsAt: store.Some(clock("10:00")), Description: new("<p>About " + title + "</p>")}}))(t)
		}
		first, second := add("First"), add("Second")
		ada := f.Speaker(t, f.Event, first.ID, models.NewContact{FirstName: "Ada", LastName: "Lovelace", About: "<p>Counts</p>"})
		f.Join(t, f.Event, second.ID, ada, models.Speaking)
		zoe := f.Speaker(t, f.Event, second.ID, models.NewContact{FirstName: "Zoë", LastName: "Neil"})
		change := func(id string, c models.SessionChange) {
			t.Helper()
			modelstest.Must(f.Programme().UpdateSession(ctx, id, c))(t)
		}
		beside := func(statement string, values ...any) {
			t.Helper()
			modelstest.Must(f.SQL.ExecContext(ctx, statement, values...))(t)
			change(second.ID, models.SessionChange{Title: new("Second " + store.NewID())}) // tells that something changed
		}
		for _, s := range []*models.Session{first, second} {
			change(s.ID, models.SessionChange{IsPublic: new(true), PublishOverride: true})
		}
		for _, step := range []struct {
			name string
			do   func()
		}{
			{"published", func() {}},
			{"a title", func() { change(first.ID, models.SessionChange{Title: new("Renamed")}) }},
			{"a text", func() {
				change(first.ID, models.SessionChange{SessionInput: models.SessionInput{Description: new("<p>Anew</p>")}})
			}},
			{"a text, by hand", func() { beside("UPDATE sessions SET description = '<p>By hand</p>' WHERE id = $1", first.ID) }},
			{"a person, by hand", func() {
				beside("UPDATE contacts SET about = '<p>By hand</p>', sort_name = 'Zzz' WHERE id = $1", ada)
			}},
			{"a person without a name", func() { beside("UPDATE contacts SET full_name = '' WHERE id = $1", zoe) }},
			{"who has one again", func() { beside("UPDATE contacts SET full_name = 'Zoë' WHERE id = $1", zoe) }},
			{"withdrawn", func() { change(second.ID, models.SessionChange{IsPublic: new(false)}) }},
			{"back", func() { change(second.ID, models.SessionChange{IsPublic: new(true), PublishOverride: true}) }},
			{"without a time", func() {
				change(first.ID, models.SessionChange{SessionInput: models.SessionInput{StartsAt: store.Null[store.Time]()}})
			}},
			{"nothing", func() { change(second.ID, models.SessionChange{Title: new("Last")}) }},
		} {
			step.do()
			grown := modelstest.Must(f.Programme().PublicAgenda(ctx))(t)
			anew := modelstest.Must(modelstest.Replica(t, f).Programme().PublicAgenda(ctx))(t)
			is, want := modelstest.Must(json.Marshal(grown))(t), modelstest.Must(json.Marshal(anew))(t)
			if string(is) != string(want) {
				t.Errorf("%s: it says\n%s\nand read anew\n%s", step.name, is, want)
			}
		}
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
		modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{
			SessionInput: models.SessionInput{StartsAt: store.Some(clock("10:00"))}}))(t)
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
		if _, err := f.EventBy(t.Context(), "none"); store.KindOf(err) != store.NotFound {
			t.Errorf("no event: %v", err)
		}
	})
}
