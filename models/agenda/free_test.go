package agenda_test

import (
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// inLisbon is a time of 20 May 2027 by the clocks of the event.
func inLisbon(clock string) store.Time {
	at, err := time.Parse("2006-01-02 15:04 -07", "2027-05-20 "+clock+" +01")
	if err != nil {
		panic(err)
	}
	return store.At(at)
}

func TestTheNextFreeStartIsWhereTheRoomAndThePeopleAre(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Dated(t, f, "Europe/Lisbon")
		p := f.Programme()
		hall := modelstest.RowOf(t, p, models.Rooms, "Hall").ID
		loft := modelstest.Must(p.CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Loft"}))(t).ID
		at := func(of *models.Programme, room, from, to string) *models.Session {
			in := models.SessionInput{StartsAt: store.Some(inLisbon(from)), EndsAt: store.Some(inLisbon(to))}
			if room != "" {
				in.RoomID = store.Some(room)
			}
			return modelstest.Must(of.CreateSession(ctx, models.NewSession{Title: "S", SessionInput: in}))(t)
		}
		moved := at(p, hall, "09:00", "09:30")
		at(p, hall, "09:10", "09:50")
		at(p, loft, "09:50", "12:00")
		withLi := at(p, loft, "10:00", "10:42")
		li := f.Speaker(t, f.Event, withLi.ID, models.NewContact{FirstName: "Li"})
		f.Join(t, f.Event, moved.ID, li, models.Speaking)
		modelstest.IsAway(t, f, li, "2027-05-20 12:00-13:00")
		modelstest.Must(agenda.Of(p).AddBreak(ctx,
			models.NewBreak{Kind: models.Pause, Title: "Coffee", StartsAt: inLisbon("11:00"), EndsAt: inLisbon("11:40")}))(t)
		at(f.Elsewhere(), "", "09:50", "10:20")

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
