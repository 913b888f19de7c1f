package models_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// slot returns a slot from one time to another, as the clocks of a zone show them; "" for no end.
func slot(t *testing.T, id, room string, people []string, zone, from, to string) models.Slot {
	t.Helper()
	place := modelstest.Must(time.LoadLocation(zone))(t)
	at := func(wall string) store.Time {
		return store.At(modelstest.Must(time.ParseInLocation("2006-01-02 15:04 -07", wall, place))(t))
	}
	s := models.Slot{SessionID: id, RoomID: room, ContactIDs: people, Start: at(from), End: at(from)}
	if to != "" {
		s.End = at(to)
	}
	return s
}

func TestSlotsCollideWhileTheyHaveATimeInCommon(t *testing.T) {
	t.Parallel()
	const day = "2027-05-20 "
	for name, c := range map[string]struct {
		zone, fromA, toA, fromB, toB string
		want                         bool
	}{
		"one within the other":       {"UTC", day + "09:00 +00", day + "11:00 +00", day + "09:30 +00", day + "10:00 +00", true},
		"one begins as another ends": {"UTC", day + "09:00 +00", day + "10:00 +00", day + "10:00 +00", day + "11:00 +00", false},
		"a minute in common":         {"UTC", day + "09:00 +00", day + "10:01 +00", day + "10:00 +00", day + "11:00 +00", true},
		"the same start":             {"UTC", day + "09:00 +00", day + "10:00 +00", day + "09:00 +00", day + "09:10 +00", true},
		"two instants":               {"UTC", day + "09:00 +00", "", day + "09:00 +00", "", true},
		"an instant at the start":    {"UTC", day + "09:00 +00", "", day + "09:00 +00", day + "10:00 +00", true},
		"an instant within":          {"UTC", day + "09:30 +00", "", day + "09:00 +00", day + "10:00 +00", true},
		"an instant at the end":      {"UTC", day + "10:00 +00", "", day + "09:00 +00", day + "10:00 +00", false},
		"no length":                  {"UTC", day + "10:00 +00", day + "10:00 +00", day + "09:00 +00", day + "10:00 +00", false},
		"over midnight":              {"UTC", day + "23:30 +00", "2027-05-21 00:30 +00", "2027-05-21 00:15 +00", "2027-05-21 01:00 +00", true},
		// The clocks show 01:30 twice that night, and 02:30 never in spring.
		"the hour that comes twice": {"Europe/Brussels", "2027-10-31 02:15 +02", "2027-10-31 02:45 +02",
			"2027-10-31 02:15 +01", "2027-10-31 02:45 +01", false},
		"through that hour": {"Europe/Brussels", "2027-10-31 02:15 +02", "2027-10-31 02:30 +01",
			"2027-10-31 02:15 +01", "2027-10-31 02:45 +01", true},
		"over the hour that is skipped": {"Europe/Brussels", "2027-03-28 01:30 +01", "2027-03-28 03:00 +02",
			"2027-03-28 03:00 +02", "2027-03-28 04:00 +02", false},
	} {
		a, b := slot(t, "a", "hall", nil, c.zone, c.fromA, c.toA), slot(t, "b", "hall", nil, c.zone, c.fromB, c.toB)
		for _, slots := range [][]models.Slot{{a, b}, {b, a}} {
			modelstest.Want(t, name, len(models.Collisions(slots, slots, models.Bounds{})) == 2, c.want)
		}
	}
}

func TestACollisionSaysWhatIsTakenTwice(t *testing.T) {
	t.Parallel()
	at := func(id, room string, people ...string) models.Slot {
		return slot(t, id, room, people, "UTC", "2027-05-20 09:00 +00", "2027-05-20 10:00 +00")
	}
	for name, c := range map[string]struct {
		slots []models.Slot
		want  string
	}{
		"other rooms, other people": {[]models.Slot{at("a", "hall", "ada"), at("b", "cellar", "li")}, "[]"},
		"no room, nobody":           {[]models.Slot{at("a", ""), at("b", "")}, "[]"},
		"a room":                    {[]models.Slot{at("b", "hall", "ada"), at("a", "hall")}, "[{room hall b a}]"},
		"a person":                  {[]models.Slot{at("a", "", "li", "ada"), at("b", "hall", "ada")}, "[{person ada a b}]"},
		"all of it": {[]models.Slot{at("a", "hall", "ada", "li"), at("b", "hall", "li", "ada")},
			"[{room hall a b} {person li a b} {person ada a b}]"},
		"three": {[]models.Slot{at("c", "hall"), at("b", "hall"), at("a", "hall")}, "[{room hall c a} {room hall c b}]"},
	} {
		var said []string
		for _, found := range models.Collisions(c.slots[:1], c.slots, models.Bounds{}) {
			said = append(said, fmt.Sprint("{", found.Need, " ", found.ID, " ", found.Of, " ", found.With, "}"))
		}
		modelstest.Want(t, name, fmt.Sprint(said), c.want)
	}
}

// stand is an event whose sessions may collide.
type stand struct {
	*modelstest.Fixture
	t     *testing.T
	rooms map[string]string
}

func newStand(t *testing.T, f *modelstest.Fixture) *stand {
	s := &stand{f, t, map[string]string{}}
	for _, name := range []string{"Hall", "Cellar"} {
		s.rooms[name] = modelstest.RowOf(t, f.Programme(), models.Rooms, name).ID
	}
	return s
}

// session makes a session in a room, "" for none, that begins so many minutes from now; 0 minutes for no end.
func (s *stand) session(title, room string, from, minutes int) *models.Session {
	start := store.At(s.Clock.Now().Add(time.Duration(from) * time.Minute))
	in := models.SessionInput{StartsAt: store.Some(start)}
	if room != "" {
		in.RoomID = store.Some(s.rooms[room])
	}
	if minutes > 0 {
		in.EndsAt = store.Some(store.At(start.Add(time.Duration(minutes) * time.Minute)))
	}
	return modelstest.Must(s.Programme().CreateSession(s.t.Context(),
		models.NewSession{Title: title, SessionInput: in}))(s.t)
}

// meetings returns the conflicts of a session in words.
func (s *stand) meetings(id string) string {
	s.t.Helper()
	p := s.Programme()
	session := modelstest.Must(p.Session(s.t.Context(), id))(s.t)
	said := store.Map(modelstest.Must(p.Conflicts(s.t.Context(), session))(s.t)[id],
		func(m models.Conflict) string { return m.Name + " " + m.With.Title })
	return fmt.Sprint(said)
}

func TestASessionMeetsWhatTakesItsRoomOrItsPeople(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := newStand(t, f)
		here := s.session("here", "Hall", 0, 60)
		ada := f.Speaker(t, f.Event, here.ID, models.NewContact{FirstName: "Ada"})
		room, before := s.session("room", "Hall", 30, 60), s.session("before", "Hall", -60, 60)
		person, later := s.session("person", "Cellar", 10, 0), s.session("later", "Cellar", 60, 30)
		both := s.session("both", "Hall", 59, 60)
		for _, other := range []*models.Session{person, later, both} {
			f.Join(t, f.Event, other.ID, ada, models.Chairperson)
		}
		abstract := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "abstract",
			IsAbstract: true, SessionInput: models.SessionInput{RoomID: store.Some(s.rooms["Hall"]),
				StartsAt: store.Some(*here.StartsAt)}}))(t)
		f.Join(t, f.Event, abstract.ID, ada, models.Speaking)
		deleted := s.session("deleted", "Hall", 0, 60)
		modelstest.Must(f.Programme().DeleteSession(t.Context(), deleted.ID))(t)
		for _, status := range []models.Status{models.Declined, models.Withdrawn} {
			away := s.session(string(status), "Hall", 0, 60)
			modelstest.SetStatus(t, f.Programme(), away.ID, status)
			modelstest.Want(t, string(status)+" meets", s.meetings(away.ID), "[]")
		}
		for session, want := range map[*models.Session]string{
			here: "[Hall room Hall both Ada person Ada both]", room: "[Hall here Hall both]", before: "[]",
			person: "[Ada here]", later: "[Ada both]", both: "[Hall here Hall room Ada here Ada later]", deleted: "[]",
			abstract: "[]",
		} {
			modelstest.Want(t, session.Title+" meets", s.meetings(session.ID), want)
		}
		// What another event has at that time is its own.
		p := f.Programme()
		rows := []*models.Session{}
		for _, each := range []*models.Session{here, room, person} {
			rows = append(rows, modelstest.Must(p.Session(t.Context(), each.ID))(t))
		}
		asked := f.Statement.During(func() { modelstest.Must(p.Conflicts(t.Context(), rows...))(t) })
		modelstest.Want(t, "statements", len(asked), 1)
		modelstest.Want(t, "another event sees",
			len(modelstest.Must(f.Elsewhere().Conflicts(t.Context(), rows[0]))(t)[here.ID]), 0)
		none := f.Statement.During(func() { modelstest.Must(p.Conflicts(t.Context(), abstract))(t) })
		modelstest.Holds(t, len(none) == 0, "what takes nothing costs %d statements", len(none))
	})
}

// TestWhatWouldCollideIsWhatDoesOnceItIsStored asks before people and a room are stored, and after.
func TestWhatWouldCollideIsWhatDoesOnceItIsStored(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		hall := modelstest.RowOf(t, p, models.Rooms, "Hall").ID
		placed := func(of *models.Programme, room, from, to string) *models.Session {
			in := models.SessionInput{StartsAt: store.Some(slot(t, "", "", nil, "UTC", from, "").Start),
				EndsAt: store.Some(slot(t, "", "", nil, "UTC", to, "").Start)}
			if room != "" {
				in.RoomID = store.Some(room)
			}
			return modelstest.Must(of.CreateSession(ctx, models.NewSession{Title: "S", SessionInput: in}))(t)
		}
		const nine, ten, eleven = "2027-05-20 09:00 +00", "2027-05-20 10:00 +00", "2027-05-20 11:00 +00"
		s := placed(p, "", nine, ten)
		inRoom, withLi, later := placed(p, hall, nine, ten), placed(p, "", nine, eleven), placed(p, hall, ten, eleven)
		li := f.Speaker(t, f.Event, withLi.ID, models.NewContact{FirstName: "Li"})
		f.Join(t, f.Event, later.ID, li, models.Speaking)
		people := []models.Participation{{ContactID: li}}
		modelstest.Must(f.Elsewhere().SetParticipants(ctx, placed(f.Elsewhere(), "", nine, ten).ID, people))(t)

		then := modelstest.Must(p.Session(ctx, s.ID))(t)
		modelstest.Want(t, "collisions already", len(modelstest.Must(p.WouldConflict(ctx, then))(t)), 0)
		then.RoomID, then.Participants = &hall, modelstest.Must(p.Session(ctx, withLi.ID))(t).Participants
		then.Room = inRoom.Room
		words := func(meetings []models.Conflict) (out []string) {
			return store.Map(meetings, func(m models.Conflict) string { return string(m.Need) + " " + m.Name + " " + m.With.FriendlyID })
		}
		would := words(modelstest.Must(p.WouldConflict(ctx, then))(t))
		modelstest.Update(t, p, s.ID, models.SessionInput{RoomID: store.Some(hall)})
		modelstest.Must(p.SetParticipants(ctx, s.ID, people))(t)
		does := words(modelstest.Must(p.Conflicts(ctx, modelstest.Must(p.Session(ctx, s.ID))(t)))(t)[s.ID])
		if want := []string{"room Hall S-2", "person Li S-3"}; !slices.Equal(would, want) || !slices.Equal(does, want) {
			t.Errorf("it would collide with %q, does with %q", would, does)
		}
	})
}
