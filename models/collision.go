package models

import (
	"cmp"
	"slices"
	"strings"

	"lectern/models/store"
)

// Span is from one moment to another, which is not part of it.
type Span struct{ From, Until store.Time }

// meets tells whether two spans have a time in common. A span ends before its end, so one may begin there; one without
// a length is the instant it begins at.
func (a Span) meets(b Span) bool {
	return a.From.Equal(b.From.Time) || (a.From.Before(b.Until.Time) && b.From.Before(a.Until.Time))
}

// common is the time that two spans that meet have in common.
func (a Span) common(b Span) Span {
	if b.From.After(a.From.Time) {
		a.From = b.From
	}
	if b.Until.Before(a.Until.Time) {
		a.Until = b.Until
	}
	return a
}

// Slot is when a session is, and what it takes meanwhile.
type Slot struct {
	SessionID  string
	RoomID     string   // "" for none
	IsPlenary  bool     // nothing may be beside it
	ContactIDs []string // its people, whatever their roles
	Expects    int      // how many come to it; 0 where nobody said
	Start, End store.Time
}

func (s *Slot) span() Span { return Span{s.Start, s.End} }

// Same tells whether two slots of a session take the same at the same time.
func (s Slot) Same(b Slot) bool {
	return s.RoomID == b.RoomID && s.IsPlenary == b.IsPlenary && s.Expects == b.Expects && s.Start.Equal(b.Start.Time) &&
		s.End.Equal(b.End.Time) &&
		slices.Equal(slices.Sorted(slices.Values(s.ContactIDs)), slices.Sorted(slices.Values(b.ContactIDs)))
}

// Bounds are what slots keep to beside each other.
type Bounds struct {
	Seats map[string]int    // of rooms, by their ids; one that is not here holds anybody
	Away  map[string][]Span // when people are away, by their ids and in the order of time
	// Plenary are the breaks that have nothing beside them, by their starts.
	Plenary []*Break
}

// Collision is what a session takes and cannot have: a room or a person that another one takes at the time, a person
// who is away, a room with too few seats, or a time that belongs to one session or break alone.
type Collision struct {
	Need Need   // what the dashboard and the lists call it
	ID   string // of the room, the contact or the break; "" of two sessions of which one is plenary
	Of   string // the session's id
	With string // the other one's; "" where the session alone is concerned
	Span        // that is concerned: what both have in common, or what of the session somebody is away for
}

// collisionKinds are what can be taken once at a time: where a slot has it, and where the database does.
var collisionKinds = []struct {
	need  Need
	takes func(*Slot) []string
	table string // of the rows that say which session s takes what
	id    string // of what it takes
}{
	{NeedsRoom, func(s *Slot) []string { return slices.DeleteFunc([]string{s.RoomID}, isEmpty) },
		"sessions s", "s.room_id"},
	{NeedsPerson, func(s *Slot) []string { return s.ContactIDs },
		"sessions s JOIN participants x ON x.session_id = s.id", "x.contact_id"},
}

// A plenary slot meets all others of its time, and those meet it alone. What slots are among by that: "" holds all of
// them, "plenary" the plenary ones.
func (s *Slot) isAmong() []string {
	if s.IsPlenary {
		return []string{"", "plenary"}
	}
	return []string{""}
}

// excludes is which of these a slot meets.
func (s *Slot) excludes() string {
	if s.IsPlenary {
		return ""
	}
	return "plenary"
}

func isEmpty(s string) bool { return s == "" }

// Collisions are those of some slots with others, which may be the same, and with their bounds: of each in turn, kind
// by kind, by the starts of the others. The time that it takes grows with the slots and with what is found, not with
// the product of both.
func Collisions(of, among []Slot, within Bounds) (all []Collision) {
	var taken []takings
	for _, kind := range collisionKinds {
		taken = append(taken, takingsOf(among, kind.takes))
	}
	var beside takings
	if plenary := func(s Slot) bool { return s.IsPlenary }; slices.ContainsFunc(of, plenary) ||
		slices.ContainsFunc(among, plenary) {
		beside = takingsOf(among, (*Slot).isAmong)
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

// brokenBy are the bounds that a slot does not keep to.
func (b Bounds) brokenBy(slot *Slot) (broken []Collision) {
	for _, id := range slot.ContactIDs {
		for _, away := range b.Away[id] {
			if away.meets(slot.span()) {
				broken = append(broken, Collision{NeedsPresence, id, slot.SessionID, "", away.common(slot.span())})
			}
		}
	}
	for _, pause := range b.Plenary {
		if span := pause.span(); span.meets(slot.span()) {
			broken = append(broken, Collision{NeedsPlenary, pause.ID, slot.SessionID, "", span.common(slot.span())})
		}
	}
	if seats, known := b.Seats[slot.RoomID]; known && slot.Expects > seats {
		broken = append(broken, Collision{NeedsSeats, slot.RoomID, slot.SessionID, "", slot.span()})
	}
	return broken
}

// taking is a slot that takes something, among all that take it in the order of their starts.
type taking struct {
	*Slot
	rank  int        // of what it takes, among all that it takes of the kind
	until store.Time // when it and all before it have ended
}

// takings are what slots take of a kind, by its id.
type takings map[string][]taking

func takingsOf(slots []Slot, takes func(*Slot) []string) takings {
	order := make([]*Slot, len(slots))
	for i := range slots {
		order[i] = &slots[i]
	}
	slices.SortFunc(order, inTime)
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

// with are the collisions of a slot with all that take the same. What has ended before it is not looked at.
func (t takings) with(slot *Slot, need Need, ids []string) (found []Collision) {
	type meeting struct {
		taking
		id string
	}
	var meetings []meeting
	for _, id := range ids {
		first, _ := slices.BinarySearchFunc(t[id], slot.Start, func(of taking, start store.Time) int {
			if of.until.Before(start.Time) {
				return -1
			}
			return 1
		})
		for _, other := range t[id][first:] {
			if other.Start.After(slot.End.Time) {
				break
			}
			if other.SessionID != slot.SessionID && other.span().meets(slot.span()) {
				meetings = append(meetings, meeting{other, id})
			}
		}
	}
	slices.SortFunc(meetings, func(a, b meeting) int {
		return cmp.Or(inTime(a.Slot, b.Slot), cmp.Compare(a.rank, b.rank))
	})
	for _, m := range meetings {
		found = append(found, Collision{need, m.id, slot.SessionID, m.SessionID, m.span().common(slot.span())})
	}
	return found
}

// away are the statuses in which a session takes neither its room nor its people.
var away = []Status{Declined, Withdrawn}

// takesPlace is the condition of rows of the table s that take a room and people at a time: Slot in SQL.
var takesPlace = takesPlaceOf("s.")

// takesPlaceOf is takesPlace with what names the row, as "s." does.
func takesPlaceOf(row string) string {
	var statuses []string
	for _, status := range away {
		statuses = append(statuses, "'"+string(status)+"'")
	}
	return row + "is_abstract = false AND " + row + "deleted_at IS NULL AND " + row + "starts_at IS NOT NULL AND " +
		row + "status NOT IN (" + strings.Join(statuses, ", ") + ")"
}

// Slot is when a session is and what it takes. Submissions, and sessions that are deleted, declined, withdrawn or
// without a start, take nothing.
func (s *Session) Slot() (slot Slot, takes bool) {
	if s.IsAbstract || s.DeletedAt != nil || s.StartsAt == nil || slices.Contains(away, s.Status) {
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
	for _, person := range s.Participants {
		slot.ContactIDs = append(slot.ContactIDs, person.ContactID)
	}
	return slot, true
}

// colliding is the condition of sessions that collide in the way of a kind: one meets what goes on until later
// than its start, or the next one, of all that take the same in the order of their starts. ? is the event.
func colliding(table, id string) string {
	return `id IN (SELECT id FROM (SELECT s.id, s.starts_at, s.ends_at,
		lag(s.starts_at) OVER own AS started, lead(s.starts_at) OVER own AS follows,
		max(coalesce(s.ends_at, s.starts_at)) OVER (own ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until
		FROM ` + table + ` WHERE s.event_id = ? AND ` + takesPlace + ` AND ` + id + ` IS NOT NULL
		WINDOW own AS (PARTITION BY ` + id + ` ORDER BY s.starts_at, s.id)) placed
		WHERE until > starts_at OR started = starts_at OR follows = starts_at OR follows < ends_at)`
}

// besidePlenary is the condition of sessions that are beside a plenary session or break, and of those sessions. ? is
// the event.
var besidePlenary = `id IN (WITH met AS (SELECT s.id AS beside, p.id AS plenary FROM sessions p
	JOIN sessions s ON s.event_id = p.event_id AND s.id <> p.id AND ` + takesPlace + ` AND ` + meetsIn("p") + `
	WHERE p.event_id = ? AND p.is_plenary AND ` + takesPlaceOf("p.") + `)
	SELECT beside FROM met UNION SELECT plenary FROM met
	UNION SELECT s.id FROM agenda_breaks b JOIN sessions s ON s.event_id = b.event_id AND ` + takesPlace + ` AND ` +
	meetsIn("b") + ` WHERE b.event_id = ? AND b.is_plenary AND b.deleted_at IS NULL)`

// meetsIn is the condition of sessions s that meet a row: Span.meets in SQL.
func meetsIn(row string) string {
	until := "coalesce(" + row + ".ends_at, " + row + ".starts_at)"
	return "(s.starts_at = " + row + ".starts_at OR (s.starts_at < " + until +
		" AND coalesce(s.ends_at, s.starts_at) > " + row + ".starts_at))"
}
