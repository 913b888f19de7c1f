package site_test

import (
	"encoding/json"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/models/tasks"
)

// TestAnAgendaThatGrewIsAsOneThatIsReadAnew changes everything that the public programme shows, also past the program,
// and compares what this process updated in memory with what another one reads.
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
		third, lone, late := add("Third"), add("Lone"), add("Late")
		change(late.ID, models.SessionChange{SessionInput: models.SessionInput{StartsAt: store.Null[store.Time]()}})
		short := modelstest.RowOf(t, f.Programme(), models.Formats, "Short")
		keen := modelstest.RowOf(t, f.Programme(), models.Tags, "Keen")
		part := func(title string) *models.Session {
			return modelstest.Abstract(t, f.Programme(), title, models.Accepted)
		}
		whole, half := part("Whole"), part("Half")
		f.Join(t, f.Event, whole.ID, zoe, models.Speaking)
		deck := modelstest.Must(tasks.Of(f.Programme()).Create(ctx, tasks.Change{Title: new("Slides"), Kind: new(tasks.Link),
			AskedOf: new(tasks.OfSession), IsPublic: new(true)}))(t)
		decide := func(v tasks.Verdict) {
			t.Helper()
			modelstest.Fine(t, tasks.Of(f.Programme()).Decide(ctx, deck.ID, whole.ID, v, "", nil))
		}
		for _, s := range []*models.Session{first, second, third, lone} {
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
			{"a text, by hand", func() {
				beside("UPDATE sessions SET description = '<p>By hand</p>' WHERE id = $1", first.ID)
			}},
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
			{"taken off without a time", func() {
				change(late.ID, models.SessionChange{IsPublic: new(true), PublishOverride: true})
				change(late.ID, models.SessionChange{IsPublic: new(false)})
			}},
			{"beside what is gone", func() { change(second.ID, models.SessionChange{Title: new("Beside what is gone")}) }},
			{"a format and a tag", func() {
				change(third.ID, models.SessionChange{SessionInput: models.SessionInput{FormatID: store.Some(short.ID),
					TagIDs: &[]string{keen.ID}}})
			}},
			{"the format's name", func() {
				modelstest.Must(metadata.Of(f.Programme()).Update(ctx, models.Formats, short.ID,
					metadata.Change{Name: new("Brief")}))(t)
			}},
			{"composed of two", func() {
				modelstest.Must(f.Programme().Compose(ctx, []string{whole.ID, half.ID}, third.ID))(t)
			}},
			{"a part's title", func() { change(half.ID, models.SessionChange{Title: new("The other half")}) }},
			{"parts in another order, with minutes", func() {
				modelstest.Must(f.Programme().ComposeParts(ctx, models.Composition{Into: third.ID,
					Parts: []models.Part{{AbstractID: half.ID, Minutes: new(25)}, {AbstractID: whole.ID}}}))(t)
			}},
			{"slides that are approved", func() {
				modelstest.Fine(t, tasks.Of(f.Programme()).Link(ctx, deck.ID, whole.ID, "https://x.org/1"))
				decide(tasks.Approve)
			}},
			{"beside another change", func() { change(second.ID, models.SessionChange{Title: new("Beside")}) }},
			{"slides that are not any more", func() { decide(tasks.Reopen) }},
			{"a break", func() {
				modelstest.Must(agenda.Of(f.Programme()).AddBreak(ctx, models.NewBreak{
					Kind: models.BreakKind("break"), Title: "Tea",
					StartsAt: *third.StartsAt, EndsAt: store.At(third.StartsAt.Add(time.Hour))}))(t)
			}},
			{"somebody's photo", func() {
				beside("UPDATE contacts SET photo_url = 'https://x.org/a.jpg' WHERE id = $1", zoe)
			}},
			{"deleted", func() { modelstest.Must(f.Programme().DeleteSession(ctx, third.ID))(t) }},
			{"another one, while one is deleted", func() { add("Fourth") }},
			{"restored", func() { modelstest.Must(f.Programme().RestoreSession(ctx, third.ID))(t) }},
			{"gone from the database", func() {
				// A move that is taken back marks it first.
				modelstest.Must(f.Programme().DeleteSession(ctx, lone.ID))(t)
				for _, table := range []string{"calendar_entries WHERE session_id", "sessions WHERE id"} {
					modelstest.Exec(t, f.SQL, "DELETE FROM "+table+" = '"+lone.ID+"'")
				}
			}},
			{"nothing", func() { change(second.ID, models.SessionChange{Title: new("Last")}) }},
		} {
			step.do()
			grown := modelstest.Must(site.Of(f.Programme()).Agenda(ctx))(t)
			anew := modelstest.Must(site.Of(modelstest.Replica(t, f).Programme()).Agenda(ctx))(t)
			is, want := modelstest.Must(json.Marshal(grown))(t), modelstest.Must(json.Marshal(anew))(t)
			modelstest.Want(t, step.name, string(is), string(want))
		}
	})
}
