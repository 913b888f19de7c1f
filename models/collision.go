package models

import (
	"cmp"
	"slices"
	"strings"

	"lectern/models/store"
)

// Span is the time from one moment until another, exclusive.
type Span struct{ From, Until store.Time }

// Meets reports whether two spans overlap. A span without length is the instant at which it begins.
func (a Span) Meets(b Span) bool {
	return a.From.Equal(b.From.Time) || (a.From.Before(b.Until.Time) && b.From.Before(a.Until.Time))
}

// common returns the overlap of two spans that meet.
func (a Span) common(b Span) Span {
	if b.From.After(a.From.Time) {
		a.From = b.From
	}
	if b.Until.Before(a.Until.Time) {
		a.Until = b.Until
	}
	return a
}

// Slot is when a session takes place and what it takes meanwhile: its room, its people, or everybody's time.
type Slot struct {
	SessionID  string
	RoomID     string   // "" for none
	IsPlenary  bool     // nothing may be beside it
	ContactIDs []string // its people, whatever their roles
	Expects    int      // how many come to it; 0 where nobody said
	Start, End store.Time
}

// Span returns the time that the slot takes.
func (s *Slot) Span() Span { return Span{s.Start, s.End} }

// Same reports whether two slots of a session take the same things at the same time.
func (s Slot) Same(b Slot) bool {
	return s.RoomID == b.RoomID && s.IsPlenary == b.IsPlenary && s.Expects == b.Expects && s.Start.Equal(b.Start.Time) &&
		s.End.Equal(b.End.Time) &&
		slices.Equal(slices.Sorted(slices.Values(s.ContactIDs)), slices.Sorted(slices.Values(b.ContactIDs)))
}

// Bounds are the limits that slots must keep besides not colliding with each other.
type Bounds struct {
	Seats map[string]int    // of rooms, by their ids; a room that is not here has no limit
	Away  map[string][]Span // when people are away, by their ids and in the order of time
	// Plenary are the breaks that nothing may overlap, by their starts.
	Plenary []*Break
}

// Collision is something that a session takes and cannot have: a room or a person that another session takes at the
// same time, a person who is away, a room with too few seats, or a time that belongs to one session or break alone.
type Collision struct {
	Need Need   // what the dashboard and the lists call it
	ID   string // of the room, the contact or the break; "" of two sessions of which one is plenary
	Of   string // the session's id
	With string // the other session's id; "" where only one is concerned
	Span        // the time that both sessions share, or the part of the session for which the person is away
}

// collisionKinds are the things that only one session can have at a time. Each row says where a slot and where the
// database keeps that thing.
var collisionKinds = []struct {
	need  Need
	takes func(*Slot) []string
	table string // of the rows that say which session s takes the thing
	id    string // the column with the thing's id
}{
	{NeedsRoom, (*Slot).rooms, "sessions s", "s.room_id"},
	{NeedsPerson, func(s *Slot) []string { return s.ContactIDs },
		"sessions s JOIN participants x ON x.session_id = s.id", "x.contact_id"},
}

// isAmong names the lists that the slot is in: "" holds all slots, "plenary" the plenary ones. A plenary slot
// collides with all slots of its time, any other slot with plenary ones alone.
func (s *Slot) isAmong() []string {
	if s.IsPlenary {
		return []string{"", "plenary"}
	}
	return []string{""}
}

// excludes names the list whose slots this slot collides with.
func (s *Slot) excludes() string {
	if s.IsPlenary {
		return ""
	}
	return "plenary"
}

// rooms returns the slot's room, if it has one, as a list.
func (s *Slot) rooms() []string {
	if s.RoomID == "" {
		return nil
	}
	return []string{s.RoomID}
}

// Collisions returns the collisions of slots with others, which may be the same slots, and with their bounds: slot by
// slot, kind by kind, by the starts of the others. Its time grows with the slots plus the findings, not with their
// product.
func Collisions(of, among []Slot, within Bounds) (all []Collision) {
	order := make([]*Slot, len(among))
	for i := range among {
		order[i] = &among[i]
	}
	slices.SortFunc(order, inTime)
	var taken []takings
	for _, kind := range collisionKinds {
		taken = append(taken, takingsOf(order, kind.takes))
	}
	var beside takings
	if plenary := func(s Slot) bool { return s.IsPlenary }; slices.ContainsFunc(of, plenary) ||
		slices.ContainsFunc(among, plenary) {
		beside = takingsOf(order, (*Slot).isAmong)
	}
	for i := range of {
		for k, kind := range collisionKinds {
			all = append(all, taken[k].with(&of[i], kind.need, kind.takes(&of[i]))...)
		}
		for _, c := range beside.with(&of[i], NeedsPlenary, []string{of[i].excludes()}) {
			c.ID = ""
			all = append(all, c)
		}
		all = append(all, within.brokenBy(&of[i])...)
	}
	return all
}

// brokenBy returns the bounds that a slot breaks.
func (b Bounds) brokenBy(slot *Slot) (broken []Collision) {
	for _, id := range slot.ContactIDs {
		for _, away := range b.Away[id] {
			if away.Meets(slot.Span()) {
				broken = append(broken, Collision{NeedsPresence, id, slot.SessionID, "", away.common(slot.Span())})
			}
		}
	}
	for _, pause := range b.Plenary {
		if span := pause.Span(); span.Meets(slot.Span()) {
			broken = append(broken, Collision{NeedsPlenary, pause.ID, slot.SessionID, "", span.common(slot.Span())})
		}
	}
	if seats, known := b.Seats[slot.RoomID]; known && slot.Expects > seats {
		broken = append(broken, Collision{NeedsSeats, slot.RoomID, slot.SessionID, "", slot.Span()})
	}
	return broken
}

// taking is a slot in the list of all slots that take one thing, ordered by start.
type taking struct {
	*Slot
	rank  int        // the thing's place among those of its kind that the slot takes
	until store.Time // when this slot and all slots before it have ended
}

// takings holds one such list for each thing of a kind, by the thing's id.
type takings map[string][]taking

// takingsOf makes the lists of all things that the slots take, from slots ordered by start.
func takingsOf(order []*Slot, takes func(*Slot) []string) takings {
	all := takings{}
	for _, slot := range order {
		for rank, id := range takes(slot) {
			next := taking{slot, rank, slot.End}
			if n := len(all[id]); n > 0 && all[id][n-1].until.After(next.until.Time) {
				next.until = all[id][n-1].until
			}
			all[id] = append(all[id], next)
		}
	}
	return all
}

func inTime(a, b *Slot) int {
	return cmp.Or(a.Start.Compare(b.Start.Time), cmp.Compare(a.SessionID, b.SessionID))
}

// with returns the collisions of a slot with others that take one of the things. It skips slots that ended before.
func (t takings) with(slot *Slot, need Need, ids []string) (found []Collision) {
	type meeting struct {
		taking
		id string
	}
	var meetings []meeting
	for _, id := range ids {
		list := t[id]
		first, _ := slices.BinarySearchFunc(list, slot.Start, func(of taking, start store.Time) int {
			if of.until.Before(start.Time) {
				return -1
			}
			return 1
		})
		for _, other := range list[first:] {
			if other.Start.After(slot.End.Time) {
				break
			}
			if other.SessionID != slot.SessionID && other.Span().Meets(slot.Span()) {
				meetings = append(meetings, meeting{other, id})
			}
		}
	}
	slices.SortFunc(meetings, func(a, b meeting) int {
		return cmp.Or(inTime(a.Slot, b.Slot), cmp.Compare(a.rank, b.rank))
	})
	for _, m := range meetings {
		found = append(found, Collision{need, m.id, slot.SessionID, m.SessionID, m.Span().common(slot.Span())})
	}
	return found
}

// Placeless are the statuses in which a session takes neither its room nor its people.
var Placeless = []Status{Declined, Withdrawn}

// placeless is Placeless as an SQL list.
var placeless = func() string {
	quoted := store.Map(Placeless, func(status Status) string { return "'" + string(status) + "'" })
	return "(" + strings.Join(quoted, ", ") + ")"
}()

// TakesPlace is the SQL condition that session s takes a room and people at a time, as Slot says.
var TakesPlace = takesPlaceOf("s.")

// takesPlaceOf returns TakesPlace with another prefix for the row's columns.
func takesPlaceOf(row string) string {
	return row + "is_abstract = false AND " + row + "deleted_at IS NULL AND " + row + "starts_at IS NOT NULL AND " +
		row + "status NOT IN " + placeless
}

// Slot returns what a session takes and when. Submissions, and sessions that are deleted, declined, withdrawn or
// without a start, take nothing.
func (s *Session) Slot() (slot Slot, takes bool) {
	if s.IsAbstract || s.DeletedAt != nil || s.StartsAt == nil || slices.Contains(Placeless, s.Status) {
		return Slot{}, false
	}
	slot = Slot{SessionID: s.ID, IsPlenary: s.IsPlenary, Start: *s.StartsAt, End: *s.StartsAt}
	if s.Capacity != nil {
		slot.Expects = *s.Capacity
	}
	if s.EndsAt != nil {
		slot.End = *s.EndsAt
	}
	if s.RoomID != nil {
		slot.RoomID = *s.RoomID
	}
	slot.ContactIDs = store.Map(s.Participants, func(person *Participant) string { return person.ContactID })
	return slot, true
}
