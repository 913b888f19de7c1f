package models

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// FreeSearch asks where rooms are free on a day.
type FreeSearch struct {
	Day         string // 2027-05-20, in the event's time zone
	From, Until string // of the day, such as 09:00 and 24:00; "" for the first and the last hour that the agenda uses
	Minutes     int    // at least, up to MaxFreeMinutes; 0 for the session's length, else half an hour
	Room        string // id or exact name; "" for all
	SessionID   string // that looks for a place: what it has counts as free, its people's time as taken; "" for none
}

// MaxFreeMinutes is a day.
const MaxFreeMinutes = 24 * 60

// FreeDay is what a FreeSearch finds.
type FreeDay struct {
	Span               // that was looked at
	Minutes int        // that are free at least
	Rooms   []FreeRoom // that have any, in their order
	Breaks  []DayBreak // of the whole day, by their starts
}

// DayBreak is a break with its room.
type DayBreak struct {
	*Break
	Room *Metadata // nil for all rooms
}

// FreeRoom is a room with the spans in which nothing is in it, by their starts.
type FreeRoom struct {
	Room  *Metadata
	Spans []Span
	InUse bool // some session takes place in it, on whichever day
}

// FreeRooms finds when rooms are free on a day: of sessions, of breaks, and of what is plenary. It does not ask when
// people are away. It answers Invalid for a field that breaks its rule, and NotFound for a session that is none of the
// programme.
func (p *Programme) FreeRooms(ctx context.Context, q FreeSearch) (*FreeDay, error) {
	if err := q.clean(); err != nil {
		return nil, err
	}
	set, err := p.metadata(ctx)
	if err != nil {
		return nil, err
	}
	rooms := slices.DeleteFunc(slices.Clone(set.of(Rooms)), func(m *Metadata) bool {
		return q.Room != "" && m.ID != q.Room && m.Name != q.Room
	})
	if len(rooms) == 0 && q.Room != "" {
		return nil, store.Invalidf("room", "names no room of this event: %q", q.Room)
	}
	wanted := &Session{}
	if q.SessionID != "" {
		if wanted, err = p.AgendaCard(ctx, q.SessionID); err != nil {
			return nil, err
		}
		q.Minutes = cmp.Or(q.Minutes, int(wanted.Length().Minutes()))
	}
	day := &FreeDay{Minutes: cmp.Or(q.Minutes, 30)}
	if day.Span, err = p.freeWindow(ctx, &q); err != nil {
		return nil, err
	}
	zone := p.event.Location()
	breaks, err := p.Breaks(ctx, midnight(q.Day, 0, zone), midnight(q.Day, 1, zone))
	if err != nil {
		return nil, err
	}
	for _, b := range breaks {
		day.Breaks = append(day.Breaks, DayBreak{b, set[valueOf(b.RoomID)]})
	}
	placed, err := p.placed(ctx)
	if err != nil {
		return nil, err
	}
	day.fill(rooms, takenBeside(wanted, placed))
	return day, nil
}

// clean checks a search.
func (q *FreeSearch) clean() error {
	var f store.Faults
	if isNoDate(q.Day) {
		f.Add(store.Invalidf("day", "must be a date such as 2027-05-20"))
	}
	for _, of := range []struct{ name, clock string }{{"from", q.From}, {"until", q.Until}} {
		if of.clock != "" && !isClock(of.clock) {
			f.Add(store.Invalidf(of.name, "must be a time such as 09:00"))
		}
	}
	if q.From != "" && q.Until != "" && q.Until <= q.From {
		f.Add(store.Invalidf("until", "must be later than from"))
	}
	if q.Minutes < 0 || q.Minutes > MaxFreeMinutes {
		f.Add(store.Invalidf("minutes", "must be between 1 and %d", MaxFreeMinutes))
	}
	return f.Err()
}

// freeWindow is the part of the day that is looked at. Where the hours of the agenda lie beside the one bound that is
// given, the day itself is the other.
func (p *Programme) freeWindow(ctx context.Context, q *FreeSearch) (Span, error) {
	from, until := q.From, q.Until
	if from == "" || until == "" {
		hours, err := p.PlacingDefaults(ctx)
		if err != nil {
			return Span{}, err
		}
		if from = cmp.Or(from, hours.From); until != "" && from >= until {
			from = "00:00"
		}
		if until = cmp.Or(until, hours.Until); until <= from {
			until = "24:00"
		}
	}
	zone := p.event.Location()
	return Span{clockOn(q.Day, from, zone), clockOn(q.Day, until, zone)}, nil
}

// takenRooms are the spans in which rooms are taken, by their ids; those of "" hold for every room.
type takenRooms map[string][]Span

// takenBeside returns what other sessions leave no room for, where wanted is to be placed.
func takenBeside(wanted *Session, placed []*Session) takenRooms {
	taken := takenRooms{}
	for _, s := range placed {
		slot, takes := s.Slot()
		if !takes || s.ID == wanted.ID {
			continue
		}
		span := Span{slot.Start, store.At(slot.Start.Add(max(s.Length(), time.Minute)))}
		if slot.RoomID != "" {
			taken[slot.RoomID] = append(taken[slot.RoomID], span)
		}
		if slot.IsPlenary || wanted.IsPlenary || slices.ContainsFunc(s.Participants, wanted.has) {
			taken[""] = append(taken[""], span)
		}
	}
	return taken
}

// has tells whether somebody is on the session.
func (s *Session) has(x *Participant) bool {
	return slices.ContainsFunc(s.Participants, func(own *Participant) bool { return own.ContactID == x.ContactID })
}

// fill finds the rooms that are free, between what sessions take and the breaks of the day.
func (d *FreeDay) fill(rooms []*Metadata, taken takenRooms) {
	for _, room := range rooms {
		own, inUse := taken[room.ID]
		busy := slices.Concat(own, taken[""])
		for _, b := range d.Breaks {
			if b.IsPlenary || b.Covers(room.ID) {
				busy = append(busy, b.span())
			}
		}
		if spans := d.between(united(busy)); len(spans) > 0 {
			d.Rooms = append(d.Rooms, FreeRoom{room, spans, inUse})
		}
	}
}

// between returns what busy spans, which must be united, leave of the window, where it is long enough.
func (d *FreeDay) between(busy []Span) (free []Span) {
	from := d.From
	for _, s := range append(busy, Span{d.Until, d.Until}) {
		until := s.From
		if until.After(d.Until.Time) {
			until = d.Until
		}
		if until.Sub(from.Time) >= time.Duration(d.Minutes)*time.Minute {
			free = append(free, Span{from, until})
		}
		if s.Until.After(from.Time) {
			from = s.Until
		}
	}
	return free
}
