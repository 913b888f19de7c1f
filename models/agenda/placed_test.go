package agenda_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// What cards show is changed in each way that there is, and what this process makes of its last reading is what another
// one reads.
func TestADayThatGrewIsAsOneThatIsReadAnew(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, day := t.Context(), "2027-05-20"
		hall := modelstest.RowOf(t, f.Programme(), models.Rooms, "Great hall")
		cellar := modelstest.RowOf(t, f.Programme(), models.Rooms, "Cellar")
		short := modelstest.Must(f.Programme().CreateMetadata(ctx, models.Formats,
			models.NewMetadata{Name: "Short", DefaultMinutes: new(10)}))(t)
		span := spanOf(t, day+" 09:00 +00", day+" 10:00 +00")
		add := func(title string) *models.Session {
			return modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: title, SessionInput: models.SessionInput{
				StartsAt: store.Some(span.From), EndsAt: store.Some(span.Until), RoomID: store.Some(hall.ID)}}))(t)
		}
		first, second, third := add("First"), add("Second"), add("Third")
		ada := f.Speaker(t, f.Event, first.ID, models.NewContact{FirstName: "Ada", LastName: "Lovelace"})
		f.Join(t, f.Event, second.ID, ada, models.Speaking)
		part := func(title string) *models.Session {
			return modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{IsAbstract: true, Title: title,
				SessionInput: models.SessionInput{Status: new(models.Accepted), FormatID: store.Some(short.ID)}}))(t)
		}
		whole, half := part("Whole"), part("Half")
		change := func(id string, c models.SessionChange) {
			t.Helper()
			modelstest.Must(f.Programme().UpdateSession(ctx, id, c))(t)
		}
		set := func(id string, in models.SessionInput) {
			t.Helper()
			change(id, models.SessionChange{SessionInput: in})
		}
		for _, step := range []struct {
			name string
			do   func()
		}{
			{"at first", func() {}},
			{"a title", func() { change(first.ID, models.SessionChange{Title: new("Renamed")}) }},
			{"another time", func() {
				set(first.ID, models.SessionInput{StartsAt: store.Some(store.At(span.From.Add(-time.Hour)))})
			}},
			{"another room", func() { set(second.ID, models.SessionInput{RoomID: store.Some(cellar.ID)}) }},
			{"a person's name", func() {
				modelstest.Fine(t, modelstest.ErrorOf(people.In(modelstest.DirectoryOf(f)).Update(ctx, ada,
					modelstest.Values("first_name", "Augusta"))))
			}},
			{"a person less", func() { modelstest.Must(f.Programme().SetParticipants(ctx, second.ID, nil))(t) }},
			{"a person more", func() { f.Join(t, f.Event, third.ID, ada, models.Chairperson) }},
			{"a room's name", func() {
				modelstest.Must(metadata.Of(f.Programme()).Update(ctx, models.Rooms, hall.ID,
					metadata.Change{Name: new("Aula")}))(t)
			}},
			{"another event's session", func() {
				modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Elsewhere",
					SessionInput: models.SessionInput{StartsAt: store.Some(span.From)}}))(t)
			}},
			{"declined", func() { set(second.ID, models.SessionInput{Status: new(models.Declined)}) }},
			{"deleted", func() { modelstest.Must(f.Programme().DeleteSession(ctx, third.ID))(t) }},
			{"restored", func() { modelstest.Must(f.Programme().RestoreSession(ctx, third.ID))(t) }},
			{"without a time", func() {
				set(first.ID, models.SessionInput{StartsAt: store.Null[store.Time](), EndsAt: store.Null[store.Time]()})
			}},
			{"placed again", func() { set(first.ID, models.SessionInput{StartsAt: store.Some(span.From)}) }},
			{"composed, without an end", func() {
				set(third.ID, models.SessionInput{EndsAt: store.Null[store.Time]()})
				modelstest.Must(f.Programme().Compose(ctx, []string{whole.ID, half.ID}, third.ID))(t)
			}},
			{"minutes of a part", func() {
				modelstest.Must(f.Programme().ComposeParts(ctx, models.Composition{Into: third.ID,
					Parts: []models.Part{{AbstractID: whole.ID, Minutes: new(25)}, {AbstractID: half.ID}}}))(t)
			}},
			{"minutes of a part's format", func() {
				modelstest.Must(metadata.Of(f.Programme()).Update(ctx, models.Formats, short.ID,
					metadata.Change{DefaultMinutes: store.Some(15)}))(t)
			}},
			{"the event's clock", func() {
				f.Event = modelstest.Must(f.Programme().UpdateEvent(ctx, models.EventChange{Timezone: new("Asia/Tokyo")}))(t)
			}},
			{"a room that is gone", func() {
				modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, models.Rooms, hall.ID, &cellar.ID))
			}},
		} {
			step.do()
			grown, anew := shownOf(t, f, day), shownOf(t, modelstest.Replica(t, f), day)
			if grown != anew {
				t.Errorf("%s: it says\n%s\nand read anew\n%s", step.name, grown, anew)
			}
		}
		third = modelstest.Must(agenda.Of(f.Programme()).Card(ctx, third.ID))(t)
		if third.PartsMinutes == nil || *third.PartsMinutes != 40 {
			t.Errorf("the parts last %v", third.PartsMinutes)
		}
	})
}

// shownOf is all that a day shows.
func shownOf(t *testing.T, f *modelstest.Fixture, day string) (said string) {
	t.Helper()
	d := modelstest.Must(agenda.Of(f.Programme()).Day(t.Context(), day, ""))(t)
	for _, s := range d.Sessions {
		said += fmt.Sprintf("%s %v\n", modelstest.Must(json.Marshal(s))(t), s.Length())
	}
	for _, c := range d.Conflicts.All {
		said += fmt.Sprint(c.Need, c.Name, c.Of.Title, c.Of.Room, c.From, c.Until, "\n")
	}
	return said
}
