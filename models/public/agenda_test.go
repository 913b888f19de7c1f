package public_test

import (
	"encoding/json"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/public"
	"lectern/models/store"
)

// TestAnAgendaThatGrewIsAsOneThatIsReadAnew changes what the public programme says in each way that there is, also
// beside the program, and holds what this process makes of its last reading against what another one reads.
func TestAnAgendaThatGrewIsAsOneThatIsReadAnew(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		add := func(title string) *models.Session {
			return modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: title, SessionInput: models.SessionInput{
				StartsAt: store.Some(store.At(time.Date(2027, time.May, 20, 10, 0, 0, 0, time.UTC))), Description: new("<p>About " + title + "</p>")}}))(t)
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
			grown := modelstest.Must(public.Of(f.Programme()).Agenda(ctx))(t)
			anew := modelstest.Must(public.Of(modelstest.Replica(t, f).Programme()).Agenda(ctx))(t)
			is, want := modelstest.Must(json.Marshal(grown))(t), modelstest.Must(json.Marshal(anew))(t)
			if string(is) != string(want) {
				t.Errorf("%s: it says\n%s\nand read anew\n%s", step.name, is, want)
			}
		}
	})
}
