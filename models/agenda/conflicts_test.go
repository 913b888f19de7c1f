package agenda_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func spanOf(t *testing.T, from, until string) models.Span {
	t.Helper()
	at := func(wall string) store.Time {
		return store.At(modelstest.Must(time.Parse("2006-01-02 15:04 -07", wall))(t))
	}
	return models.Span{From: at(from), Until: at(until)}
}

func TestWhenSomebodyIsAwayIsKnownOnceTheyAreMerged(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Dated(t, f, "UTC")
		span := spanOf(t, "2027-05-20 09:40 +00", "2027-05-20 10:10 +00")
		talk := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Talk",
			SessionInput: models.SessionInput{StartsAt: store.Some(span.From), EndsAt: store.Some(span.Until)}}))(t)
		li := f.Speaker(t, f.Event, talk.ID, models.NewContact{FirstName: "Li"})
		twin := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Twin"}))(t)
		modelstest.IsAway(t, f, twin.ID, "2027-05-20 00:00-10:00")
		modelstest.Want(t, "conflicts before", len(modelstest.Must(agenda.Of(f.Programme()).Conflicts(ctx))(t).All), 0)
		modelstest.Merged(t, f, li, twin.ID)
		all := modelstest.Must(agenda.Of(f.Programme()).Conflicts(ctx))(t).All
		if len(all) != 1 || all[0].Need != models.NeedsPresence {
			t.Errorf("afterwards: %+v", all)
		}
	})
}

func TestTheAgendaTellsOfEachConflictOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Dated(t, f, "Europe/Lisbon")
		p := f.Programme()
		loft := modelstest.Must(p.CreateMetadata(ctx, models.Rooms,
			models.NewMetadata{Name: "Rope Loft", Capacity: new(40)}))(t)
		hall := modelstest.RowOf(t, p, models.Rooms, "Hall").ID
		at := func(of *models.Programme, title, room, from, to string, expects int) *models.Session {
			span := spanOf(t, "2027-05-"+from+" +01", "2027-05-"+to+" +01")
			in := models.SessionInput{StartsAt: store.Some(span.From), EndsAt: store.Some(span.Until)}
			if room != "" {
				in.RoomID = store.Some(room)
			}
			if expects > 0 {
				in.Capacity = store.Some(expects)
			}
			return modelstest.Must(of.CreateSession(ctx, models.NewSession{Title: title, SessionInput: in}))(t)
		}
		ledgers := at(p, "Ledgers", loft.ID, "20 09:40", "20 11:00", 90)
		team, pagers := at(p, "Team", hall, "20 09:40", "20 10:10", 600), at(p, "Pagers", "", "20 09:50", "20 10:20", 0)
		night, dawn := at(p, "Night", hall, "20 23:30", "21 00:30", 0), at(p, "Dawn", hall, "21 00:15", "21 01:00", 0)
		li := f.Speaker(t, f.Event, team.ID, models.NewContact{FirstName: "Li", LastName: "Na"})
		f.Join(t, f.Event, pagers.ID, li, models.Chairperson)
		modelstest.IsAway(t, f, li, "2027-05-20 00:00-10:00")
		// The other event has the same at the same time.
		twin := at(f.Elsewhere(), "Twin", "", "20 09:40", "20 10:10", 900)
		modelstest.Must(f.Elsewhere().SetParticipants(ctx, twin.ID, []models.Participation{{ContactID: li}}))(t)

		var all *agenda.Conflicts
		p = f.Programme()
		asked := f.Statement.During(func() { all = modelstest.Must(agenda.Of(p).Conflicts(ctx))(t) })
		if len(asked) > 5 { // two of which read the metadata
			t.Errorf("%d statements: %q", len(asked), asked)
		}
		modelstest.WantAll(t, "again", f.Statement.During(func() { modelstest.Must(agenda.Of(p).Conflicts(ctx))(t) }), nil)
		var said []string
		for _, c := range all.All {
			line := fmt.Sprint(c.Need, " ", c.Name, " ", c.Of.Title)
			if c.With != nil {
				line += " " + c.With.Title
			}
			zone := f.Event.Location()
			said = append(said, line+" "+c.From.In(zone).Format("2 15:04")+" "+c.Until.In(zone).Format("2 15:04"))
		}
		want := []string{"away Li Na Team 20 09:40 20 10:00", "seats Rope Loft Ledgers 20 09:40 20 11:00",
			"person Li Na Pagers Team 20 09:50 20 10:10", "away Li Na Pagers 20 09:50 20 10:00",
			"room Hall Dawn Night 21 00:15 21 00:30"}
		slices.Sort(want)
		slices.Sort(said)
		if !slices.Equal(said, want) {
			t.Errorf("%q,\nwant %q", said, want)
		}
		if all.Days["2027-05-20"] != 4 || all.Days["2027-05-21"] != 1 || len(all.Days) != 2 {
			t.Errorf("days %v", all.Days)
		}
		for s, n := range map[*models.Session]int{ledgers: 1, team: 2, pagers: 2, night: 1, dawn: 1} {
			modelstest.Want(t, s.Title+" has", len(all.Of[s.ID]), n)
		}
		modelstest.Want(t, "away", all.Of[team.ID][1].Away.Until.In(f.Event.Location()).Format("2 15:04"), "20 10:00")
		if c := all.Of[ledgers.ID][0]; c.Seats != 40 || *c.Of.Capacity != 90 || c.Of.Room.Name != "Rope Loft" {
			t.Errorf("seats %+v", c)
		}
	})
}

// Sessions meet in random ways; the agenda, a session, the dashboard and a search find the same.
func TestTheAgendaFindsWhatSessionsSee(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		random, rooms := rand.New(rand.NewPCG(5, 6)), []*string{nil}
		day := f.Clock.Now().UTC().Format("2006-01-02")
		f.Event = modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{StartsOn: store.Some(day),
			EndsOn: store.Some(day), Timezone: new("UTC")}))(t)
		p := f.Programme()
		for _, row := range []models.NewMetadata{{Name: "Cellar"}, {Name: "Attic"}, {Name: "Closet", Capacity: new(10)}} {
			rooms = append(rooms, &modelstest.Must(p.CreateMetadata(t.Context(), models.Rooms, row))(t).ID)
		}
		var ids []string
		for range 4 {
			ids = append(ids, modelstest.Must(p.CreateContact(t.Context(), models.NewContact{FirstName: "P"}))(t).ID)
		}
		for range 80 {
			start := f.Clock.Now().Add(time.Duration(random.IntN(60)) * 10 * time.Minute)
			in := models.SessionInput{StartsAt: store.Some(store.At(start))}
			if minutes := random.IntN(8) * 10; minutes < 70 { // 0 too
				in.EndsAt = store.Some(store.At(start.Add(time.Duration(minutes) * time.Minute)))
			}
			if room := rooms[random.IntN(len(rooms))]; room != nil {
				in.RoomID = store.Some(*room)
			}
			made := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "S", SessionInput: in}))(t)
			var on []models.Participation
			for _, id := range ids {
				if random.IntN(4) == 0 {
					on = append(on, models.Participation{ContactID: id})
				}
			}
			modelstest.Must(p.SetParticipants(t.Context(), made.ID, on))(t)
			in = models.SessionInput{Capacity: store.Some(random.IntN(20))}
			if random.IntN(6) == 0 {
				in.Status = new(models.Withdrawn)
			}
			modelstest.Update(t, p, made.ID, in)
		}
		noon := f.Clock.Now().UTC().Add(5 * 3600e9).Format("15:04")
		for _, id := range ids[:2] {
			modelstest.Must(people.Of(p).PutAtEvent(t.Context(), id))(t)
			modelstest.IsAway(t, f, id, day+" "+noon+"-24:00")
		}
		p = f.Programme()
		all := modelstest.Must(agenda.Of(p).Conflicts(t.Context()))(t)
		every, _, err := p.SearchSessions(t.Context(), models.SessionSearch{Page: store.Page{Number: 1, Size: 100}})
		modelstest.Fine(t, err)
		seen := modelstest.Must(p.Conflicts(t.Context(), every...))(t)
		d := modelstest.Must(desk.Of(p).Dashboard(t.Context(), store.At(f.Clock.Now())))(t)
		for _, each := range every {
			if a, b := conflictWords(all.Of[each.ID]), conflictWords(seen[each.ID]); !slices.Equal(a, b) {
				t.Errorf("%s: the agenda %q, the session %q", each.FriendlyID, a, b)
			}
			if a, b := conflictWords(modelstest.Must(p.WouldConflict(t.Context(), each))(t)), conflictWords(seen[each.ID]); !slices.Equal(a, b) {
				t.Errorf("%s: asked before %q, the session %q", each.FriendlyID, a, b)
			}
		}
		for _, need := range []models.Need{models.NeedsRoom, models.NeedsPerson, models.NeedsPresence, models.NeedsSeats} {
			found, pagination, err := p.SearchSessions(t.Context(), models.SessionSearch{
				Filter: models.SessionFilter{Needs: need}, Page: store.Page{Number: 1, Size: 100}})
			modelstest.Fine(t, err)
			n := d.Needs[models.Waiting{Need: need}]
			if n != int64(len(found)) || n != pagination.TotalResults || n < 3 {
				t.Errorf("%s: %d counted, %d found of %d", need, n, len(found), pagination.TotalResults)
			}
			for _, each := range every {
				sees := slices.ContainsFunc(seen[each.ID], func(c models.Conflict) bool { return c.Need == need })
				finds := slices.ContainsFunc(found, func(s *models.Session) bool { return s.ID == each.ID })
				modelstest.Want(t, string(need)+" of "+each.FriendlyID, sees, finds)
			}
		}
	})
}

func conflictWords(all []models.Conflict) (words []string) {
	for _, c := range all {
		with := ""
		if c.With != nil {
			with = c.With.FriendlyID
		}
		words = append(words, fmt.Sprint(c.Need, c.Name, with, c.From, c.Until))
	}
	return words
}
