package models

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lectern/models/store"
)

// AgendaConflicts are all conflicts of an event.
type AgendaConflicts struct {
	All  []Conflict            // each once, in the order of time: of two sessions, Of is the one that begins later
	Days map[string]int        // how many begin on a day of the event's time zone, such as 2027-05-20
	Of   map[string][]Conflict // what each session sees, by its id
}

// conflictState is all that the conflicts of an event depend on.
type conflictState struct {
	calendarState
	metadata store.Version
}

func (p *Programme) conflictState() conflictState {
	return conflictState{p.calendarState(), p.metadataVersion()}
}

// KnownConflicts returns the cached conflicts if nothing changed since, without a statement.
func (p *Programme) KnownConflicts(ctx context.Context) (all *AgendaConflicts, known bool) {
	return p.store.caches.conflicts.Find(ctx, p.event.ID, p.conflictState())
}

// AgendaConflicts finds all conflicts of the event in at most four statements; in none if nothing changed since the
// last call. The result is shared and must not be written.
func (p *Programme) AgendaConflicts(ctx context.Context) (*AgendaConflicts, error) {
	return p.store.caches.conflicts.Get(ctx, p.event.ID, p.conflictState(), func() (*AgendaConflicts, error) {
		placed, err := p.Placed(ctx)
		if err != nil {
			return nil, err
		}
		all, err := p.ConflictsAmong(ctx, placed, placed)
		if err != nil {
			return nil, err
		}
		return all.agenda(p.event.Location()), nil
	})
}

// agenda groups the conflicts of all sessions.
func (all conflicts) agenda(zone *time.Location) *AgendaConflicts {
	a := &AgendaConflicts{Days: map[string]int{}, Of: all.BySession()}
	for _, c := range all {
		if c.With == nil || laterThan(c.Of, c.With) {
			a.All = append(a.All, c)
			a.Days[c.From.In(zone).Format(time.DateOnly)]++
		}
	}
	slices.SortStableFunc(a.All, func(a, b Conflict) int { return a.From.Compare(b.From.Time) })
	return a
}

// laterThan orders sessions that take a place by their start.
func laterThan(a, b *Session) bool {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.ID, b.ID)) > 0
}

// Placed reads the sessions that take a place, by start, with the ids of their people and nothing else of other
// tables.
func (p *Programme) Placed(ctx context.Context) (sessions []*Session, err error) {
	var people map[string][]*Participant
	reads := store.Together(ctx)
	reads.Go(func() (err error) { sessions, err = p.placedAlone(ctx); return err })
	reads.Go(func() (err error) { people, err = p.placedPeople(ctx); return err })
	err = reads.Wait()
	for _, s := range sessions {
		s.Participants = people[s.ID]
	}
	return sessions, err
}

// placedAlone reads the sessions that take a place, by start, and nothing of other tables.
func (p *Programme) placedAlone(ctx context.Context) (sessions []*Session, err error) {
	placed := p.read(ctx).Table("sessions s").Where("s.event_id = ? AND "+TakesPlace,
		p.event.ID).Order("s.starts_at, s.id")
	err = store.EachRow(placed.Select(slotColumns), func() []any {
		s := &Session{}
		sessions = append(sessions, s)
		return s.slotTargets()
	})
	return sessions, err
}

// placedPeople reads who is on these sessions, in order, by id alone. It repeats the condition of the sessions:
// finding thousands again costs less than passing their ids.
func (p *Programme) placedPeople(ctx context.Context) (map[string][]*Participant, error) {
	var all []*Participant
	if err := store.EachRow(p.read(ctx).Table("participants x").Select("x.session_id, x.contact_id, x.position").
		Where("x.event_id = ? AND x.session_id IN (SELECT s.id FROM sessions s WHERE s.event_id = ? AND "+TakesPlace+")",
			p.event.ID, p.event.ID), func() []any {
		x := &Participant{}
		all = append(all, x)
		return []any{&x.SessionID, &x.ContactID, &x.Position}
	}); err != nil {
		return nil, err
	}
	people := map[string][]*Participant{}
	for _, x := range all {
		people[x.SessionID] = append(people[x.SessionID], x)
	}
	for _, some := range people {
		slices.SortFunc(some, func(a, b *Participant) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ContactID, b.ContactID))
		})
	}
	return people, nil
}

// slotColumns are the columns of a session that make its slot and describe it.
const slotColumns = "s.id, s.friendly_id, s.title, s.status, s.starts_at, s.ends_at, s.room_id, s.track_id, s.capacity, s.is_plenary"

// slotTargets are where slotColumns are read to.
func (s *Session) slotTargets() []any {
	return []any{&s.ID, &s.FriendlyID, &s.Title, &s.Status, &s.StartsAt, &s.EndsAt, &s.RoomID, &s.TrackID, &s.Capacity,
		&s.IsPlenary}
}

// near reads the sessions that may collide with given ones within a span: same room, same people, or plenary. They
// carry all that a slot has; of people, only those shared with the given sessions.
func (p *Programme) near(ctx context.Context, ids []string, within Span) ([]*Session, error) {
	// An index alone finds what is taken in that time, and only overlapping sessions are read: a room may have
	// thousands.
	var queries []string
	values := []any{p.event.ID, ids}
	for _, kind := range collisionKinds {
		queries = append(queries, `SELECT s.id, `+kind.id+` AS what, s.starts_at, coalesce(s.ends_at, s.starts_at) AS ends_at
			FROM `+kind.table+` WHERE s.event_id = ? AND s.starts_at <= ? AND coalesce(s.ends_at, s.starts_at) >= ? AND `+TakesPlace)
		values = append(values, p.event.ID, within.Until, within.From)
	}
	// The ids are joined: each row of a CTE would be compared with a list of them one by one.
	query := `WITH own AS MATERIALIZED (SELECT id FROM sessions WHERE event_id = ? AND id IN ?),
		taken AS MATERIALIZED (` + strings.Join(queries, " UNION ALL ") + `),
		met AS (SELECT DISTINCT o.id, o.what FROM taken a JOIN taken o ON o.what = a.what
			WHERE a.id IN (SELECT id FROM own) AND o.id <> a.id AND o.starts_at <= a.ends_at AND o.ends_at >= a.starts_at)
		SELECT ` + slotColumns + `, m.what AS taken FROM met m JOIN sessions s ON s.id = m.id`
	// There are few plenary sessions, so an index finds them on either side.
	for _, plenary := range []string{"a", "s"} {
		query += ` UNION ALL SELECT ` + slotColumns + `, '' AS taken FROM sessions a JOIN sessions s ON s.event_id = a.event_id
			AND s.id <> a.id AND ` + TakesPlace + ` AND ` + meetsIn("a") + `
			WHERE a.event_id = ? AND a.id IN (SELECT id FROM own) AND ` + plenary + `.is_plenary`
		values = append(values, p.event.ID)
	}
	query += ` LIMIT ?`
	values = append(values, maxConflicting)
	type meeting struct {
		*Session
		taken string
	}
	var meetings []meeting
	if err := store.EachRow(p.read(ctx).Raw(query, values...), func() []any {
		meetings = append(meetings, meeting{Session: &Session{}})
		m := &meetings[len(meetings)-1]
		return append(m.slotTargets(), &m.taken)
	}); err != nil {
		return nil, err
	}
	found := map[string]*Session{}
	var others []*Session
	for _, m := range meetings {
		s := found[m.ID]
		if s == nil {
			s = m.Session
			found[s.ID], others = s, append(others, s)
		}
		known := func(x *Participant) bool { return x.ContactID == m.taken }
		if m.taken != "" && (s.RoomID == nil || m.taken != *s.RoomID) && !slices.ContainsFunc(s.Participants, known) {
			s.Participants = append(s.Participants, &Participant{ContactID: m.taken})
		}
	}
	return others, nil
}

// NearTo is near for one slot, with people.
func (p *Programme) NearTo(ctx context.Context, slot *Slot) (near []*Session, err error) {
	if err := p.read(ctx).Table("sessions s").Select(slotColumns).
		Where("s.event_id = ? AND s.id <> ? AND "+TakesPlace, p.event.ID, slot.SessionID).
		Where("s.starts_at <= ? AND coalesce(s.ends_at, s.starts_at) >= ?", slot.End, slot.Start).
		Where(`s.room_id = ? OR s.is_plenary OR ?
			OR s.id IN (SELECT session_id FROM participants WHERE event_id = ? AND contact_id IN ?)`,
			slot.RoomID, slot.IsPlenary, p.event.ID, slot.ContactIDs).
		Order("s.id").Limit(maxConflicting).Find(&near).Error; err != nil || len(near) == 0 {
		return nil, err
	}
	known := map[string]*Session{}
	for _, other := range near {
		known[other.ID] = other
	}
	return near, LoadParticipants(p.read(ctx), p.event.ID, known)
}
