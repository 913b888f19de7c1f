package models

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lectern/models/store"
)

// Conflict is a collision as one of its sessions sees it, with what it is told by.
type Conflict struct {
	Need Need
	ID   string   // of the room or the person
	Name string   // of it
	Of   *Session // the session that sees it
	With *Session // the other one, with its room and without what else other tables have of it; nil where there is none
	Span          // that is concerned
	Away Span     // for how long the person is away; of NeedsPresence alone
	// Seats are those of the room, and less than Of.Capacity; of NeedsSeats alone.
	Seats int
}

// maxConflicting is how many sessions that others collide with are read at once: more are not told of.
const maxConflicting = 5000

// Conflicts are the collisions of some sessions with any of the event and with its bounds, by their ids, in the order
// of Collisions. It costs a statement, and one more after somebody's availability was changed, or none where no
// session takes a place.
func (p *Programme) Conflicts(ctx context.Context, sessions ...*Session) (map[string][]Conflict, error) {
	var placed []*Session
	var ids []string
	var within Span // of all of them
	for _, s := range sessions {
		slot, takes := s.Slot()
		if !takes {
			continue
		}
		if len(placed) == 0 || slot.Start.Before(within.From.Time) {
			within.From = slot.Start
		}
		if len(placed) == 0 || slot.End.After(within.Until.Time) {
			within.Until = slot.End
		}
		placed, ids = append(placed, s), append(ids, s.ID)
	}
	if len(placed) == 0 {
		return nil, nil
	}
	near, err := p.near(ctx, ids, within)
	if err != nil {
		return nil, err
	}
	all, err := p.conflictsOf(ctx, placed, near)
	return all.bySession(), err
}

// WouldConflict are the collisions of a session as s says it would be, with people, a room or times that are not
// stored yet, in two statements at most. Of s it needs what Slot does, its Room and the names of its people.
func (p *Programme) WouldConflict(ctx context.Context, s *Session) ([]Conflict, error) {
	slot, takes := s.Slot()
	if !takes {
		return nil, nil
	}
	near, err := p.nearTo(ctx, &slot)
	if err != nil {
		return nil, err
	}
	return p.conflictsOf(ctx, []*Session{s}, near)
}

// nearTo are the sessions that take what a slot takes, at about its time, with their people.
func (p *Programme) nearTo(ctx context.Context, slot *Slot) (near []*Session, err error) {
	if err := p.read(ctx).Table("sessions s").Select(slotColumns).
		Where("s.event_id = ? AND s.id <> ? AND "+takesPlace, p.event.ID, slot.SessionID).
		Where("s.starts_at <= ? AND coalesce(s.ends_at, s.starts_at) >= ?", slot.End, slot.Start).
		Where("s.room_id = ? OR s.id IN (SELECT session_id FROM participants WHERE event_id = ? AND contact_id IN ?)",
			slot.RoomID, p.event.ID, slot.ContactIDs).
		Order("s.id").Limit(maxConflicting).Find(&near).Error; err != nil || len(near) == 0 {
		return nil, err
	}
	known := map[string]*Session{}
	for _, other := range near {
		known[other.ID] = other
	}
	return near, loadParticipants(p.read(ctx), p.event.ID, known)
}

// conflicts are some, in the order of Collisions.
type conflicts []Conflict

// bySession are the conflicts of each session.
func (all conflicts) bySession() map[string][]Conflict {
	by := map[string][]Conflict{}
	for _, c := range all {
		by[c.Of.ID] = append(by[c.Of.ID], c)
	}
	return by
}

// conflictsOf tells of the collisions of sessions that take a place with others that do, and with their bounds.
func (p *Programme) conflictsOf(ctx context.Context, of, among []*Session) (all conflicts, err error) {
	within, set, err := p.bounds(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range among {
		s.Room = pick(set, s.RoomID, (*Metadata).AsRoom)
	}
	others, known := slotsOf(among)
	own, sees := others, known
	if !slices.Equal(of, among) {
		own, sees = slotsOf(of)
	}
	for _, c := range Collisions(own, others, within) {
		told := Conflict{Need: c.Need, ID: c.ID, Of: sees[c.Of], With: known[c.With], Span: c.Span}
		told.Name = told.Of.nameOf(c.ID)
		if room := set[c.ID]; room != nil {
			told.Name = room.Name
		}
		switch c.Need {
		case NeedsPresence:
			told.Away = within.away(c)
		case NeedsSeats:
			told.Seats = within.Seats[c.ID]
		}
		all = append(all, told)
	}
	return all, p.namePeople(ctx, all)
}

// namedAtOnce is for how many people names are asked for at once.
const namedAtOnce = 5000

// namePeople fills the names of people whose sessions were read without them.
func (p *Programme) namePeople(ctx context.Context, all conflicts) error {
	var ids []string
	for _, c := range all {
		if c.Name == "" {
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	names := map[string]string{}
	for some := range slices.Chunk(slices.Compact(ids), namedAtOnce) {
		var people []Contact
		if err := p.read(ctx).Model(&Contact{}).Select("id, full_name").
			Where("organization_id = ? AND id IN ?", p.event.OrganizationID, some).Find(&people).Error; err != nil {
			return err
		}
		for _, person := range people {
			names[person.ID] = person.FullName
		}
	}
	for i, c := range all {
		all[i].Name = cmp.Or(c.Name, names[c.ID])
	}
	return nil
}

// slotsOf are the slots of sessions that take a place, and these by their ids.
func slotsOf(sessions []*Session) (slots []Slot, byID map[string]*Session) {
	slots, byID = make([]Slot, len(sessions)), make(map[string]*Session, len(sessions))
	for i, s := range sessions {
		slots[i], _ = s.Slot()
		byID[s.ID] = s
	}
	return slots, byID
}

// nameOf is that of one of the session's people, "" of nobody.
func (s *Session) nameOf(contactID string) string {
	for _, person := range s.Participants {
		if person.ContactID == contactID {
			return person.FullName
		}
	}
	return ""
}

// away is the span for which somebody is away whom a collision is about.
func (b Bounds) away(c Collision) Span {
	at := slices.IndexFunc(b.Away[c.ID], c.meets)
	return b.Away[c.ID][at]
}

// bounds are those of the event: the seats of its rooms, and when people are away. They are read once for as long as
// nobody's availability changes; the metadata is what else a conflict is told by. Both are shared.
func (p *Programme) bounds(ctx context.Context) (Bounds, metadataSet, error) {
	set, err := p.metadata(ctx)
	if err != nil {
		return Bounds{}, nil, err
	}
	within := Bounds{Seats: map[string]int{}}
	for id, m := range set {
		if m.Capacity != nil {
			within.Seats[id] = *m.Capacity
		}
	}
	within.Away, err = p.store.caches.absences.Get(ctx, p.event.ID, p.calendarState(), func() (map[string][]Span, error) {
		return p.absences(ctx)
	})
	return within, set, err
}

// calendarState is what the absences of people are made of: the versions of the sessions, which another availability
// moves too, and the calendar of the event.
type calendarState struct {
	sessions          store.Version
	zone, first, last string
}

func (p *Programme) calendarState() calendarState {
	return calendarState{p.sessionsVersion(), p.event.Timezone, valueOf(p.event.StartsOn), valueOf(p.event.EndsOn)}
}

// absences are when people of the event are away, by their ids.
func (p *Programme) absences(ctx context.Context) (map[string][]Span, error) {
	var rows []struct{ ContactID, Away string }
	err := p.read(ctx).Model(&EventContact{}).Select("contact_id, away").
		Where("event_id = ? AND away <> ''", p.event.ID).Find(&rows).Error
	away := map[string][]Span{}
	for _, row := range rows {
		away[row.ContactID] = p.event.away(row.Away)
	}
	return away, err
}

// withAbsent are the ids of the sessions with somebody who is away then, in one statement.
func (p *Programme) withAbsent(ctx context.Context) (ids []string, err error) {
	var rows []struct {
		ID, ContactID, Away string
		StartsAt, EndsAt    store.Time
	}
	err = p.read(ctx).Table("event_contacts h").Joins("JOIN participants x ON x.event_id = h.event_id AND "+
		"x.contact_id = h.contact_id").Joins("JOIN sessions s ON s.id = x.session_id").
		Select("s.id, x.contact_id, h.away, s.starts_at, coalesce(s.ends_at, s.starts_at) AS ends_at").
		Where("h.event_id = ? AND h.away <> '' AND s.event_id = ? AND "+takesPlace, p.event.ID, p.event.ID).
		Order("s.id").Find(&rows).Error
	within := Bounds{Away: map[string][]Span{}}
	for _, row := range rows {
		if _, known := within.Away[row.ContactID]; !known {
			within.Away[row.ContactID] = p.event.away(row.Away)
		}
		slot := Slot{SessionID: row.ID, ContactIDs: []string{row.ContactID}, Start: row.StartsAt, End: row.EndsAt}
		if len(within.brokenBy(&slot)) > 0 && (len(ids) == 0 || ids[len(ids)-1] != row.ID) {
			ids = append(ids, row.ID)
		}
	}
	return ids, err
}

// slotColumns are what of a session makes its slot, and what it is told by.
const slotColumns = "s.id, s.friendly_id, s.title, s.status, s.starts_at, s.ends_at, s.room_id, s.track_id, s.capacity"

// near are the sessions that take what these take, at about the same time: with all that a slot has, of people
// those alone that these take as well. All of these are within a span.
func (p *Programme) near(ctx context.Context, ids []string, within Span) ([]*Session, error) {
	// What is taken in that time is found by an index alone, and sessions are read where they meet: a room may have
	// thousands.
	var queries []string
	var values []any
	for _, kind := range collisionKinds {
		queries = append(queries, `SELECT s.id, `+kind.id+` AS what, s.starts_at, coalesce(s.ends_at, s.starts_at) AS ends_at
			FROM `+kind.table+` WHERE s.event_id = ? AND s.starts_at <= ? AND coalesce(s.ends_at, s.starts_at) >= ? AND `+takesPlace)
		values = append(values, p.event.ID, within.Until, within.From)
	}
	query := `WITH taken AS MATERIALIZED (` + strings.Join(queries, " UNION ALL ") + `),
		met AS (SELECT DISTINCT o.id, o.what FROM taken a JOIN taken o ON o.what = a.what
			WHERE a.id IN ? AND o.id <> a.id AND o.starts_at <= a.ends_at AND o.ends_at >= a.starts_at)
		SELECT ` + slotColumns + `, m.what AS taken FROM met m JOIN sessions s ON s.id = m.id LIMIT ?`
	values = append(values, ids, maxConflicting)
	var rows []struct {
		Session
		Taken string
	}
	if err := p.read(ctx).Raw(query, values...).Scan(&rows).Error; err != nil {
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
