package agenda

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// FreeSearch asks where rooms are free on a day.
type FreeSearch struct {
	Day         string // 2027-05-20, in the event's time zone
	From, Until string // of the day, such as 09:00 and 24:00; "" for the first and the last hour that the agenda uses
	Minutes     int    // minimum, to maxFreeMinutes; 0 for the session's length, else half an hour or the shorter window
	Room        string // id or exact name; "" for all
	SessionID   string // session to place: its own slot counts as free, its people's time as taken; "" for none
}

// usualFree is the default minimum length, in minutes.
const usualFree = 30

// maxFreeMinutes is a day.
const maxFreeMinutes = 24 * 60

// FreeDay is the result of a FreeSearch.
type FreeDay struct {
	models.Span                       // the window that was searched
	Minutes     int                   // the minimum length
	Seats       *int                  // the session's expected audience; smaller rooms are found too
	Rooms       []FreeRoom            // those with a free span, in their order
	Breaks      []DayBreak            // of the whole day, by start
	Away        []*models.Participant // participants of the session who are away at some time of the day
}

// DayBreak is a break with its room.
type DayBreak struct {
	*models.Break
	Room  *models.Metadata // nil for all rooms
	InUse bool             // some session takes place in that room, on any day
}

// FreeRoom is a room with the spans in which nothing is in it, by their starts.
type FreeRoom struct {
	Room  *models.Metadata
	Spans []models.Span
	InUse bool // some session takes place in it, on any day
}

// FreeRooms finds when rooms are free on a day: not taken by sessions, breaks or anything plenary and, for a session,
// while its people are neither on another one nor away. It answers Invalid for a field that breaks its rule, and
// NotFound for what is no programme session.
func (a *Agenda) FreeRooms(ctx context.Context, q FreeSearch) (*FreeDay, error) {
	if err := q.clean(); err != nil {
		return nil, err
	}
	set, err := a.p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	rooms := set.Of(models.Rooms)
	if q.Room != "" {
		if rooms = set.Named(models.Rooms, q.Room); len(rooms) == 0 {
			return nil, store.Invalidf("room", "names no room of this event: %q", q.Room)
		}
	}
	wanted := &models.Session{}
	if q.SessionID != "" {
		if wanted, err = a.Card(ctx, q.SessionID); err != nil {
			return nil, err
		}
		q.Minutes = cmp.Or(q.Minutes, int(wanted.Length().Minutes()))
	}
	day := &FreeDay{Minutes: q.Minutes, Seats: wanted.Capacity}
	if day.Span, err = a.freeWindow(ctx, &q); err != nil {
		return nil, err
	}
	if day.Minutes == 0 { // a window shorter than half an hour is asked for as a whole
		day.Minutes = min(usualFree, int(day.Until.Sub(day.From.Time).Minutes()))
	}
	from, until, err := dayBounds(q.Day, a.p.Event().Location())
	if err != nil {
		return nil, err
	}
	used, err := a.usedRooms(ctx)
	if err != nil {
		return nil, err
	}
	if day.Breaks, err = a.breaks(ctx, from, until, set, used); err != nil {
		return nil, err
	}
	placed, err := a.placedWithin(ctx, from, until)
	if err != nil {
		return nil, err
	}
	taken := takenBeside(wanted, placed)
	if err := a.addAway(ctx, wanted, models.Span{From: from, Until: until}, day, taken); err != nil {
		return nil, err
	}
	day.fill(rooms, used, taken)
	return day, nil
}

// addAway marks the time in which people of a session are away as taken, and lists those away on the day.
func (a *Agenda) addAway(ctx context.Context, wanted *models.Session, whole models.Span, day *FreeDay,
	taken takenRooms) error {
	within, _, err := a.p.Bounds(ctx)
	for _, person := range wanted.Participants {
		away := within.Away[person.ContactID]
		taken[""] = append(taken[""], away...)
		if slices.ContainsFunc(away, whole.Meets) {
			day.Away = append(day.Away, person)
		}
	}
	return err
}

// breaks returns the breaks within a time, with their rooms.
func (a *Agenda) breaks(ctx context.Context, from, until store.Time, set models.MetadataSet, used []string) (all []DayBreak,
	err error) {
	breaks, err := a.p.Breaks(ctx, from, until)
	for _, b := range breaks {
		one := DayBreak{Break: b}
		if b.RoomID != nil {
			one.Room, one.InUse = set[*b.RoomID], slices.Contains(used, *b.RoomID)
		}
		all = append(all, one)
	}
	return all, err
}

// usedRooms returns the ids of the rooms in which some session takes place.
func (a *Agenda) usedRooms(ctx context.Context) (ids []string, err error) {
	err = a.p.Read(ctx).Table("sessions s").Where("s.event_id = ? AND s.room_id IS NOT NULL AND "+models.TakesPlace,
		a.p.Event().ID).Distinct().Pluck("s.room_id", &ids).Error
	return ids, err
}

// clean checks a search.
func (q *FreeSearch) clean() error {
	var f store.Faults
	if _, _, err := dayBounds(q.Day, time.UTC); err != nil {
		f.Add(err)
	}
	for _, of := range []struct{ name, clock string }{{"from", q.From}, {"until", q.Until}} {
		if of.clock != "" && !models.IsClock(of.clock) {
			f.Add(store.Invalidf(of.name, "must be a time such as 09:00"))
		}
	}
	if q.From != "" && q.Until != "" && q.Until <= q.From {
		f.Add(store.Invalidf("until", "must be later than from"))
	}
	if q.Minutes < 0 || q.Minutes > maxFreeMinutes {
		f.Add(store.Invalidf("minutes", "must be between 1 and %d", maxFreeMinutes))
	}
	return f.Err()
}

// freeWindow returns the window to search. If only one bound is given and the agenda's hours do not fit it, the other
// bound is midnight.
func (a *Agenda) freeWindow(ctx context.Context, q *FreeSearch) (models.Span, error) {
	from, until := q.From, q.Until
	if from == "" || until == "" {
		hours, err := a.PlacingDefaults(ctx)
		if err != nil {
			return models.Span{}, err
		}
		if from = cmp.Or(from, hours.From); until != "" && from >= until {
			from = "00:00"
		}
		if until = cmp.Or(until, hours.Until); until <= from {
			until = "24:00"
		}
	}
	e := a.p.Event()
	return models.Span{From: e.Clock(q.Day, from), Until: e.Clock(q.Day, until)}, nil
}

// takenRooms are the spans in which rooms are taken, by room id; those of "" hold for every room.
type takenRooms map[string][]models.Span

// takenBeside returns the time that other sessions take from wanted, by room.
func takenBeside(wanted *models.Session, placed []*models.Session) takenRooms {
	taken := takenRooms{}
	for _, s := range placed {
		slot, takes := s.Slot()
		if !takes || s.ID == wanted.ID {
			continue
		}
		span := models.Span{From: slot.Start, Until: store.At(slot.Start.Add(max(s.Length(), time.Minute)))}
		if slot.RoomID != "" {
			taken[slot.RoomID] = append(taken[slot.RoomID], span)
		}
		if slot.IsPlenary || wanted.IsPlenary || share(s, wanted) {
			taken[""] = append(taken[""], span)
		}
	}
	return taken
}

// share reports whether a person is on both sessions.
func share(a, b *models.Session) bool {
	return slices.ContainsFunc(a.Participants, func(x *models.Participant) bool {
		return slices.ContainsFunc(b.Participants, func(y *models.Participant) bool { return x.ContactID == y.ContactID })
	})
}

// fill finds the free spans of rooms, between sessions and breaks.
func (d *FreeDay) fill(rooms []*models.Metadata, used []string, taken takenRooms) {
	for _, room := range rooms {
		busy := slices.Concat(taken[room.ID], taken[""])
		for _, b := range d.Breaks {
			if b.IsPlenary || b.Covers(room.ID) {
				busy = append(busy, b.Span())
			}
		}
		if spans := d.between(models.United(busy)); len(spans) > 0 {
			d.Rooms = append(d.Rooms, FreeRoom{room, spans, slices.Contains(used, room.ID)})
		}
	}
}

// between returns the gaps that busy leaves in the window and that are long enough. busy must be united.
func (d *FreeDay) between(busy []models.Span) (free []models.Span) {
	from := d.From
	for _, s := range append(busy, models.Span{From: d.Until, Until: d.Until}) {
		until := s.From
		if until.After(d.Until.Time) {
			until = d.Until
		}
		if until.Sub(from.Time) >= time.Duration(d.Minutes)*time.Minute {
			free = append(free, models.Span{From: from, Until: until})
		}
		if s.Until.After(from.Time) {
			from = s.Until
		}
	}
	return free
}
