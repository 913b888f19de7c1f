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

// titlesOf returns the titles of sessions.
func titlesOf(sessions []*models.Session) (titles []string) {
	return store.Map(sessions, func(s *models.Session) string { return s.Title })
}

// placed makes a session of the programme from one moment to another, or without a time for "".
func placed(t *testing.T, p *models.Programme, title, from, to string,
	change func(*models.NewSession)) *models.Session {
	t.Helper()
	n := models.NewSession{Title: title}
	at := func(text string) store.Optional[store.Time] {
		if text == "" {
			return store.Optional[store.Time]{}
		}
		return store.Some(modelstest.Must(store.ParseTime(text))(t))
	}
	n.StartsAt, n.EndsAt = at(from), at(to)
	if change != nil {
		change(&n)
	}
	return modelstest.Must(p.CreateSession(t.Context(), n))(t)
}

func TestADayOfTheAgendaHasWhatTakesAPlaceOnIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("America/New_York"),
			StartsOn: store.Some("2027-05-20"), EndsOn: store.Some("2027-05-22")}))(t)
		p := f.Programme()
		room := modelstest.RowOf(t, p, models.Rooms, "Hall")
		format := modelstest.Must(p.CreateMetadata(t.Context(), models.Formats,
			models.NewMetadata{Name: "Talk", DefaultMinutes: new(45)}))(t)
		p = f.Programme()
		placed(t, p, "the evening before", "2027-05-20T02:00:00Z", "2027-05-20T04:00:00Z", nil)
		placed(t, p, "over midnight", "2027-05-20T03:30:00Z", "2027-05-20T05:00:00Z", nil)
		first := placed(t, p, "first", "2027-05-20T04:00:00Z", "", func(n *models.NewSession) {
			n.RoomID, n.FormatID = store.Some(room.ID), store.Some(format.ID)
		})
		f.Speaker(t, f.Event, first.ID, models.NewContact{FirstName: "Ada", LastName: "Byron"})
		placed(t, p, "last", "2027-05-21T03:59:00Z", "2027-05-21T05:00:00Z", nil)
		placed(t, p, "the next day", "2027-05-21T04:00:00Z", "", nil)
		waits := placed(t, p, "waits for Harbour", "", "", nil)
		placed(t, p, "waits too", "", "", nil)
		for _, status := range []models.Status{models.Declined, models.Withdrawn} {
			gone := func(n *models.NewSession) { n.Status = new(status) }
			placed(t, p, "leaks", "2027-05-20T14:00:00Z", "", gone)
			placed(t, p, "leaks", "", "", gone)
		}
		placed(t, p, "leaks", "2027-05-20T14:00:00Z", "", func(n *models.NewSession) { n.IsAbstract = true })
		placed(t, f.Elsewhere(), "leaks", "2027-05-20T14:00:00Z", "", nil)
		placed(t, f.Elsewhere(), "leaks", "", "", nil)
		deleted := placed(t, p, "leaks", "2027-05-20T14:00:00Z", "", nil)
		modelstest.Must(p.DeleteSession(t.Context(), deleted.ID))(t)

		p = f.Programme()
		a := modelstest.Must(agenda.Of(p).Day(t.Context(), "2027-05-20", ""))(t)
		modelstest.WantAll(t, "titles of", titlesOf(a.Sessions), []string{"over midnight", "first", "last"})
		if a.UnplacedCount != 2 || a.Unplaced[0].ID != waits.ID || a.Days.Unplaced != 2 || a.Days.On("2027-05-20") != 2 ||
			a.Until.Sub(a.From.Time) != 24*time.Hour {
			t.Errorf("%+v %+v", a, a.Days)
		}
		s := a.Sessions[1]
		if s.Room.Name != "Hall" || s.Participants[0].FullName != "Ada Byron" || s.Length() != 45*time.Minute ||
			!s.UpdatedAt.Equal(modelstest.Must(p.Session(t.Context(), first.ID))(t).UpdatedAt.Time) {
			t.Errorf("%+v", s)
		}
		card := modelstest.Must(agenda.Of(p).Card(t.Context(), first.ID))(t)
		if card.Room.Name != "Hall" || card.Participants[0].FullName != "Ada Byron" {
			t.Errorf("%+v", card)
		}
		_, err := agenda.Of(f.Elsewhere()).Card(t.Context(), first.ID)
		modelstest.WantKind(t, "a session of another event", err, store.NotFound)
		modelstest.Answers(agenda.Of(p).Card(t.Context(), deleted.ID))(t, "a deleted session", store.NotFound)

		found := modelstest.Must(agenda.Of(p).Day(t.Context(), "2027-05-20", "harb"))(t)
		if found.UnplacedCount != 1 || found.Unplaced[0].ID != waits.ID || found.Days.Unplaced != 2 {
			t.Errorf("%+v", found)
		}
		for _, odd := range []string{"", "x", "2027-02-30", "0001-01-01"} {
			modelstest.Answers(agenda.Of(p).Day(t.Context(), odd, ""))(t, odd, store.Invalid)
		}
		p = f.Programme()
		first.Title = "another"
		modelstest.Must(p.UpdateSession(t.Context(), first.ID, models.SessionChange{Title: new("another")}))(t)
		if agenda.Of(f.Programme()).Stamp() == agenda.Of(p).Stamp() {
			t.Error("a change leaves the version as it was")
		}
		p = f.Programme()
		modelstest.Must(agenda.Of(p).Conflicts(t.Context()))(t)
		if n := len(f.Statement.During(func() {
			modelstest.Must(agenda.Of(p).Day(t.Context(), "2027-05-20", ""))(t)
		})); n > 6 {
			t.Errorf("a day costs %d statements", n)
		}
	})
}

func TestADayOnWhichTheClocksChangeHasAsManyHoursAsItLasts(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme() // Europe/Brussels
		for day, hours := range map[string]time.Duration{"2027-03-28": 23, "2027-05-20": 24, "2027-10-31": 25} {
			a := modelstest.Must(agenda.Of(p).Day(t.Context(), day, ""))(t)
			modelstest.Want(t, day+" has", a.Until.Sub(a.From.Time), hours*time.Hour)
		}
	})
}

// TestADayThatGrewIsAsOneThatIsReadAnew changes everything that cards show, and compares what this process updated in
// memory with what another process reads.
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
			modelstest.Want(t, step.name, grown, anew)
		}
		third = modelstest.Must(agenda.Of(f.Programme()).Card(ctx, third.ID))(t)
		if third.PartsMinutes == nil || *third.PartsMinutes != 40 {
			t.Errorf("the parts last %v", third.PartsMinutes)
		}
	})
}

// shownOf returns all that a day shows.
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
