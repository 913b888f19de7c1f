package agenda_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// inLisbon returns a time of 20 May 2027 by the clocks of the event.
func inLisbon(clock string) store.Time {
	at, err := store.ParseTime("2027-05-20T" + clock + ":00+01:00")
	if err != nil {
		panic(err)
	}
	return at
}

// onThat makes a session on that day, in a room or in none for "".
func onThat(t *testing.T, of *models.Programme, room, from, to string, in models.SessionInput) *models.Session {
	t.Helper()
	in.StartsAt, in.EndsAt = store.Some(inLisbon(from)), store.Some(inLisbon(to))
	if room != "" {
		in.RoomID = store.Some(room)
	}
	return modelstest.Must(of.CreateSession(t.Context(), models.NewSession{Title: "S", SessionInput: in}))(t)
}

func TestTheNextFreeStartIsWhereTheRoomAndThePeopleAre(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Dated(t, f, "Europe/Lisbon")
		p := f.Programme()
		hall := modelstest.RowOf(t, p, models.Rooms, "Hall").ID
		loft := modelstest.RowOf(t, p, models.Rooms, "Loft").ID
		moved := onThat(t, p, hall, "09:00", "09:30", models.SessionInput{})
		onThat(t, p, hall, "09:10", "09:50", models.SessionInput{})
		onThat(t, p, loft, "09:50", "12:00", models.SessionInput{})
		withLi := onThat(t, p, loft, "10:00", "10:42", models.SessionInput{})
		li := f.Speaker(t, f.Event, withLi.ID, models.NewContact{FirstName: "Li"})
		f.Join(t, f.Event, moved.ID, li, models.Speaking)
		modelstest.IsAway(t, f, li, "2027-05-20 12:00-13:00")
		modelstest.Must(agenda.Of(p).AddBreak(ctx,
			models.NewBreak{Kind: models.Pause, Title: "Coffee", StartsAt: inLisbon("11:00"), EndsAt: inLisbon("11:40")}))(t)
		onThat(t, f.Elsewhere(), "", "09:50", "10:20", models.SessionInput{})

		p = f.Programme()
		ask := func(from string, minutes int, step time.Duration) string {
			s := new(*modelstest.Must(p.Session(ctx, moved.ID))(t))
			start := inLisbon(from)
			s.StartsAt, s.EndsAt = &start, new(store.At(start.Add(time.Duration(minutes)*time.Minute)))
			free := modelstest.Must(agenda.Of(p).NextFree(ctx, s, step))(t)
			if free == nil {
				return "none"
			}
			return free.In(f.Event.Location()).Format("2 15:04")
		}
		for _, c := range []struct {
			from    string
			minutes int
			step    time.Duration
			want    string
		}{
			{"09:00", 10, 5 * time.Minute, "20 09:00"},  // before all
			{"09:00", 30, 5 * time.Minute, "20 13:00"},  // between them nothing is long enough
			{"09:00", 30, 15 * time.Minute, "20 13:00"}, //
			{"09:15", 10, 5 * time.Minute, "20 09:50"},
			{"10:05", 15, 5 * time.Minute, "20 10:45"}, // Li is in the loft until 10:42
			{"10:50", 20, 5 * time.Minute, "20 11:40"}, // and then there is coffee
			{"11:45", 30, 5 * time.Minute, "20 13:00"}, // and then Li is away
			{"23:30", 60, 5 * time.Minute, "20 23:30"}, // it may go on over midnight
		} {
			modelstest.Want(t, fmt.Sprintf("%d minutes from %s", c.minutes, c.from), ask(c.from, c.minutes, c.step), c.want)
		}
		modelstest.IsAway(t, f, li, "2027-05-20;2027-05-21;2027-05-22")
		p = f.Programme()
		if got := ask("09:00", 30, 5*time.Minute); got != "none" { // on that day
			t.Errorf("away for days: %s", got)
		}
	})
}

func TestRoomsAreFreeBetweenWhatIsInThem(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Dated(t, f, "Europe/Lisbon")
		p := f.Programme()
		hall := modelstest.RowOf(t, p, models.Rooms, "Hall").ID
		loft := modelstest.RowOf(t, p, models.Rooms, "Loft").ID
		span := func(from, to string) models.Span {
			return models.Span{From: inLisbon(from), Until: inLisbon(to)}
		}
		pause := func(room *string, isPlenary bool, from, to string) {
			when := span(from, to)
			modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{
				Kind: models.Pause, Title: "Coffee", RoomID: room,
				IsPlenary: isPlenary, StartsAt: when.From, EndsAt: when.Until}))(t)
		}
		talk := onThat(t, p, hall, "09:00", "10:00", models.SessionInput{})
		onThat(t, p, hall, "09:30", "11:00", models.SessionInput{})
		onThat(t, p, loft, "10:10", "11:15", models.SessionInput{})
		onThat(t, p, loft, "08:00", "18:00", models.SessionInput{Status: new(models.Withdrawn)})
		opening := onThat(t, p, "", "17:00", "17:30", models.SessionInput{IsPlenary: new(true)})
		onThat(t, f.Elsewhere(), "", "12:00", "16:00", models.SessionInput{IsPlenary: new(true)})
		pause(nil, false, "13:00", "14:00")
		pause(&loft, false, "15:00", "15:20")
		pause(&hall, true, "16:00", "16:15")
		other := onThat(t, p, "", "11:30", "12:00", models.SessionInput{})
		f.Join(t, f.Event, other.ID, f.Speaker(t, f.Event, talk.ID, models.NewContact{FirstName: "Li"}), models.Speaking)

		p = f.Programme()
		for _, c := range []struct {
			name string
			q    agenda.FreeSearch
			want string
		}{
			{"half an hour between the hours that are used", agenda.FreeSearch{},
				"Hall 11:00-13:00 14:00-16:00 16:15-17:00; Loft 09:00-10:10 11:15-13:00 14:00-15:00 15:20-16:00 16:15-17:00"},
			{"a room by its name", agenda.FreeSearch{Room: "Loft", Minutes: 61}, "Loft 09:00-10:10 11:15-13:00"},
			{"a room by its id", agenda.FreeSearch{Room: hall, Minutes: 120}, "Hall 11:00-13:00 14:00-16:00"},
			{"what is free exactly as long as asked for", agenda.FreeSearch{Minutes: 105},
				"Hall 11:00-13:00 14:00-16:00; Loft 11:15-13:00"},
			{"hours of the caller's", agenda.FreeSearch{Room: "Hall", From: "08:00", Until: "12:00"},
				"Hall 08:00-09:00 11:00-12:00"},
			{"hours beside those that are used", agenda.FreeSearch{Room: "Hall", From: "22:00"}, "Hall 22:00-24:00"},
			{"hours before those that are used", agenda.FreeSearch{Room: "Hall", Until: "07:30"}, "Hall 00:00-07:30"},
			{"hours of less than half an hour", agenda.FreeSearch{Room: "Hall", From: "11:00", Until: "11:20"},
				"Hall 11:00-11:20"},
			{"nothing that long", agenda.FreeSearch{Minutes: 200}, ""},
			{"what a session leaves, as long as it is, while its people have time", agenda.FreeSearch{SessionID: talk.ID},
				"Hall 12:00-13:00 14:00-16:00; Loft 09:00-10:10 12:00-13:00 14:00-15:00"},
			{"of a session as long as asked for", agenda.FreeSearch{SessionID: talk.ID, Minutes: 30, Room: "Hall"},
				"Hall 09:00-09:30 11:00-11:30 12:00-13:00 14:00-16:00 16:15-17:00"},
			{"of what nothing stands beside", agenda.FreeSearch{SessionID: opening.ID, Room: "Hall"},
				"Hall 12:00-13:00 14:00-16:00 16:15-17:30"},
		} {
			if c.q.Day == "" {
				c.q.Day = "2027-05-20"
			}
			day := modelstest.Must(agenda.Of(p).FreeRooms(ctx, c.q))(t)
			var got []string
			for _, room := range day.Rooms {
				words := room.Room.Name
				for _, s := range room.Spans {
					until := s.Until.In(f.Event.Location()).Format("15:04")
					if s.Until.Equal(f.Event.Clock(c.q.Day, "24:00").Time) {
						until = "24:00"
					}
					words += " " + s.From.In(f.Event.Location()).Format("15:04") + "-" + until
				}
				got = append(got, words)
			}
			if strings.Join(got, "; ") != c.want || len(day.Breaks) != 3 {
				t.Errorf("%s: %s, want %s; breaks %v", c.name, strings.Join(got, "; "), c.want, day.Breaks)
			}
		}
		attic := modelstest.RowOf(t, p, models.Rooms, "Attic").ID
		workshop := modelstest.Must(p.CreateMetadata(ctx, models.Formats, models.NewMetadata{Name: "Workshop",
			DefaultMinutes: new(90)}))(t).ID
		p = f.Programme()
		next := modelstest.Must(agenda.Of(p).FreeRooms(ctx, agenda.FreeSearch{Day: "2027-05-21"}))(t)
		modelstest.Want(t, "the day after",
			fmt.Sprint(len(next.Rooms), len(next.Breaks), next.Minutes, next.From, next.Until, next.Rooms[0].InUse),
			"3 0 30 2027-05-21T08:00:00.000Z 2027-05-21T16:30:00.000Z true")
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Endless", SessionInput: models.SessionInput{
			StartsAt: store.Some(f.Event.Clock("2027-05-21", "10:00")), RoomID: store.Some(hall), FormatID: store.Some(workshop)}}))(t)
		modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{
			Kind: models.Blocker, Title: "Locked", RoomID: &attic,
			StartsAt: f.Event.Clock("2027-05-21", "09:00"), EndsAt: f.Event.Clock("2027-05-21", "10:00")}))(t)
		beside := modelstest.Must(agenda.Of(f.Programme()).FreeRooms(ctx, agenda.FreeSearch{Day: "2027-05-21",
			Room: hall}))(t)
		if at := beside.Rooms[0].Spans[1].From; !at.Equal(f.Event.Clock("2027-05-21", "11:30").Time) || beside.Breaks[0].InUse {
			t.Errorf("beside a workshop without an end it is free from %s, a room that nothing is in is used: %t", at,
				beside.Breaks[0].InUse)
		}
		elsewhere := modelstest.RowOf(t, f.Elsewhere(), models.Rooms, "There").ID
		abstract := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "A", IsAbstract: true}))(t).ID
		for field, q := range map[string]agenda.FreeSearch{
			"day": {Day: "20 May"}, "from": {Day: "2027-05-20", From: "9:00"},
			"until":   {Day: "2027-05-20", From: "10:00", Until: "10:00"},
			"minutes": {Day: "2027-05-20", Minutes: 1441}, "room": {Day: "2027-05-20", Room: elsewhere},
		} {
			_, err := agenda.Of(p).FreeRooms(ctx, q)
			if e := store.AsError(err); e == nil || e.Kind != store.Invalid || e.Fields[0].Field != field {
				t.Errorf("%s: %v", field, err)
			}
		}
		foreign := onThat(t, f.Elsewhere(), "", "09:00", "09:30", models.SessionInput{}).ID
		for _, id := range []string{abstract, "x", foreign} {
			modelstest.Answers(agenda.Of(p).FreeRooms(ctx, agenda.FreeSearch{Day: "2027-05-20", SessionID: id}))(t, id,
				store.NotFound)
		}
	})
}
