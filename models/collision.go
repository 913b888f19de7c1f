package models

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lectern/models/store"
)

// Slot is when a session is, and what it takes meanwhile.
type Slot struct {
	SessionID  string
	RoomID     string   // "" for none
	ContactIDs []string // its people, whatever their roles
	Start, End store.Time
}

// meets tells whether two slots have a time in common. A slot ends before its end, so one may begin there; one
// without a length is the instant it begins at.
func (a Slot) meets(b Slot) bool {
	return a.Start.Equal(b.Start.Time) || (a.Start.Before(b.End.Time) && b.Start.Before(a.End.Time))
}

// Same tells whether two slots of a session take the same at the same time.
func (a Slot) Same(b Slot) bool {
	return a.RoomID == b.RoomID && a.Start.Equal(b.Start.Time) && a.End.Equal(b.End.Time) &&
		slices.Equal(slices.Sorted(slices.Values(a.ContactIDs)), slices.Sorted(slices.Values(b.ContactIDs)))
}

// Collision is what a session and another one take at one time: a room, or a person.
type Collision struct {
	Need     Need   // what the dashboard and the lists call it
	ID       string // of the room or the contact
	Of, With string // the sessions' ids
}

// collisionKinds are what can be taken once at a time: where a slot has it, and where the database does.
var collisionKinds = []struct {
	need  Need
	takes func(*Slot) []string
	table string // of the rows that say which session s takes what
	id    string // of what it takes
	event string // of the row that says so
}{
	{NeedsRoom, func(s *Slot) []string { return slices.DeleteFunc([]string{s.RoomID}, isEmpty) },
		"sessions s", "s.room_id", "s.event_id"},
	{NeedsPerson, func(s *Slot) []string { return s.ContactIDs },
		"sessions s JOIN participants x ON x.session_id = s.id", "x.contact_id", "x.event_id"},
}

func isEmpty(s string) bool { return s == "" }

// Collisions are those of some slots with others, which may be the same: of each in turn, kind by kind, by the
// starts of the others.
func Collisions(of, among []Slot) []Collision {
	among = slices.SortedFunc(slices.Values(among), func(a, b Slot) int {
		return cmp.Or(a.Start.Compare(b.Start.Time), cmp.Compare(a.SessionID, b.SessionID))
	})
	var all []Collision
	for _, slot := range of {
		for _, kind := range collisionKinds {
			taken := kind.takes(&slot)
			for _, other := range among {
				if other.Start.After(slot.End.Time) {
					break
				}
				if other.SessionID == slot.SessionID || !other.meets(slot) {
					continue
				}
				for _, id := range kind.takes(&other) {
					if slices.Contains(taken, id) {
						all = append(all, Collision{kind.need, id, slot.SessionID, other.SessionID})
					}
				}
			}
		}
	}
	return all
}

// away are the statuses in which a session takes neither its room nor its people.
var away = []Status{Declined, Withdrawn}

// takesPlace is the condition of rows of the table s that take a room and people at a time: Slot in SQL.
var takesPlace = func() string {
	var statuses []string
	for _, status := range away {
		statuses = append(statuses, "'"+string(status)+"'")
	}
	return "s.is_abstract = false AND s.deleted_at IS NULL AND s.starts_at IS NOT NULL AND s.status NOT IN (" +
		strings.Join(statuses, ", ") + ")"
}()

// Slot is when a session is and what it takes. Submissions, and sessions that are deleted, declined, withdrawn or
// without a start, take nothing.
func (s *Session) Slot() (slot Slot, takes bool) {
	if s.IsAbstract || s.DeletedAt != nil || s.StartsAt == nil || slices.Contains(away, s.Status) {
		return Slot{}, false
	}
	slot = Slot{SessionID: s.ID, Start: *s.StartsAt, End: *s.StartsAt}
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

// Meeting is a collision as one of its sessions sees it.
type Meeting struct {
	Need Need
	Name string   // of the room or the person
	With *Session // the other one, without what other tables have of it
}

// maxMeetings is how many sessions that others meet are read at once: more are not told of.
const maxMeetings = 5000

// Meetings are the collisions of some sessions with any of the event, by their ids, in the order of Collisions. It
// costs one statement, or none where none of them takes a place.
func (p *Programme) Meetings(ctx context.Context, sessions ...*Session) (map[string][]Meeting, error) {
	var slots, others []Slot
	var ids []string
	names, known := map[string]string{}, map[string]*Session{}
	for _, s := range sessions {
		slot, takes := s.Slot()
		if !takes {
			continue
		}
		slots, ids = append(slots, slot), append(ids, s.ID)
		if s.Room != nil {
			names[s.Room.ID] = s.Room.Name
		}
		for _, person := range s.Participants {
			names[person.ContactID] = person.FullName
		}
	}
	if len(slots) == 0 {
		return nil, nil
	}
	near, err := p.near(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, s := range near {
		slot, _ := s.Slot()
		others, known[s.ID] = append(others, slot), s
	}
	meetings := map[string][]Meeting{}
	for _, c := range Collisions(slots, others) {
		meetings[c.Of] = append(meetings[c.Of], Meeting{c.Need, names[c.ID], known[c.With]})
	}
	return meetings, nil
}

// WouldMeet are the collisions of a session as s says it would be, with people or a place that are not stored yet.
func (p *Programme) WouldMeet(ctx context.Context, s *Session) ([]Meeting, error) {
	slot, takes := s.Slot()
	if !takes {
		return nil, nil
	}
	var near []*Session
	if err := p.read(ctx).Table("sessions s").Select("s.id, s.friendly_id, s.title, s.status, s.starts_at, s.ends_at, s.room_id").
		Where("s.event_id = ? AND s.id <> ? AND "+takesPlace, p.event.ID, s.ID).
		Where("s.starts_at <= ? AND coalesce(s.ends_at, s.starts_at) >= ?", slot.End, slot.Start).
		Where("s.room_id = ? OR s.id IN (SELECT session_id FROM participants WHERE event_id = ? AND contact_id IN ?)",
			slot.RoomID, p.event.ID, slot.ContactIDs).
		Order("s.id").Limit(maxMeetings).Find(&near).Error; err != nil || len(near) == 0 {
		return nil, err
	}
	known := map[string]*Session{}
	for _, other := range near {
		known[other.ID] = other
	}
	if err := loadParticipants(p.read(ctx), p.event.ID, known); err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, person := range s.Participants {
		names[person.ContactID] = person.FullName
	}
	if s.Room != nil {
		names[s.Room.ID] = s.Room.Name
	}
	var others []Slot
	for _, other := range near {
		taken, _ := other.Slot()
		others = append(others, taken)
	}
	var meetings []Meeting
	for _, c := range Collisions([]Slot{slot}, others) {
		meetings = append(meetings, Meeting{c.Need, names[c.ID], known[c.With]})
	}
	return meetings, nil
}

// near are the sessions that take what these take, at about the same time: with all that a slot has, of people
// those alone that these take as well.
func (p *Programme) near(ctx context.Context, ids []string) ([]*Session, error) {
	var queries []string
	var values []any
	for _, kind := range collisionKinds {
		queries = append(queries, `SELECT s.id, s.friendly_id, s.title, s.status, s.starts_at, s.ends_at, s.room_id, `+
			kind.id+` AS taken FROM (SELECT s.id AS own_id, s.starts_at AS own_start,
				coalesce(s.ends_at, s.starts_at) AS own_end, `+kind.id+` AS own FROM `+kind.table+`
				WHERE s.event_id = ? AND s.id IN ?) asked, `+kind.table+`
			WHERE `+kind.event+` = ? AND s.event_id = ? AND `+kind.id+` = own AND s.id <> own_id AND s.starts_at <= own_end
				AND coalesce(s.ends_at, s.starts_at) >= own_start AND `+takesPlace)
		values = append(values, p.event.ID, ids, p.event.ID, p.event.ID)
	}
	var rows []struct {
		Session
		Taken string
	}
	query := strings.Join(queries, " UNION ALL ") + " LIMIT ?"
	if err := p.read(ctx).Raw(query, append(values, maxMeetings)...).Scan(&rows).Error; err != nil {
		return nil, err
	}
	found := map[string]*Session{}
	var others []*Session
	for i := range rows {
		s := found[rows[i].ID]
		if s == nil {
			s = &rows[i].Session
			found[s.ID], others = s, append(others, s)
		}
		known := func(x *Participant) bool { return x.ContactID == rows[i].Taken }
		if (s.RoomID == nil || rows[i].Taken != *s.RoomID) && !slices.ContainsFunc(s.Participants, known) {
			s.Participants = append(s.Participants, &Participant{ContactID: rows[i].Taken})
		}
	}
	return others, nil
}
