package models

import (
	"context"
	"slices"
	"strings"

	"lectern/models/store"
)

// slotColumns are the columns of session s that make up its slot and describe it.
const slotColumns = "s.id, s.friendly_id, s.title, s.status, s.starts_at, s.ends_at, s.room_id, s.track_id, s.capacity, s.is_plenary"

// slotTargets returns where slotColumns are read to.
func (s *Session) slotTargets() []any {
	return []any{&s.ID, &s.FriendlyID, &s.Title, &s.Status, &s.StartsAt, &s.EndsAt, &s.RoomID, &s.TrackID, &s.Capacity,
		&s.IsPlenary}
}

// near returns the sessions that may collide with given ones within a span: same room, same people, or plenary. They
// carry all that a slot has, but only those people whom they share with the given sessions.
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
	if err := store.EachRow(p.Read(ctx).Raw(query, values...), func() []any {
		meetings = append(meetings, meeting{Session: &Session{}})
		m := &meetings[len(meetings)-1]
		return append(m.slotTargets(), &m.taken)
	}); err != nil {
		return nil, err
	}
	set, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]*Session{}
	var others []*Session
	for _, m := range meetings {
		s := found[m.ID]
		if s == nil {
			s = m.Session
			s.Room = pick(set, s.RoomID, (*Metadata).AsRoom)
			found[s.ID], others = s, append(others, s)
		}
		known := func(x *Participant) bool { return x.ContactID == m.taken }
		if m.taken != "" && (s.RoomID == nil || m.taken != *s.RoomID) && !slices.ContainsFunc(s.Participants, known) {
			s.Participants = append(s.Participants, &Participant{ContactID: m.taken})
		}
	}
	return others, nil
}

// NearTo is near for one slot; it returns the sessions with all their people.
func (p *Programme) NearTo(ctx context.Context, slot *Slot) (near []*Session, err error) {
	if err := p.Read(ctx).Table("sessions s").Select(slotColumns).
		Where("s.event_id = ? AND s.id <> ? AND "+TakesPlace, p.event.ID, slot.SessionID).
		Where("s.starts_at <= ? AND coalesce(s.ends_at, s.starts_at) >= ?", slot.End, slot.Start).
		Where(`s.room_id = ? OR s.is_plenary OR ?
			OR s.id IN (SELECT session_id FROM participants WHERE event_id = ? AND contact_id IN ?)`,
			slot.RoomID, slot.IsPlenary, p.event.ID, slot.ContactIDs).
		Order("s.id").Limit(maxConflicting).Find(&near).Error; err != nil || len(near) == 0 {
		return nil, err
	}
	set, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]*Session{}
	for _, other := range near {
		other.Room = pick(set, other.RoomID, (*Metadata).AsRoom)
		known[other.ID] = other
	}
	return near, LoadParticipants(p.Read(ctx), p.event.ID, known)
}

// colliding returns the SQL condition for sessions with a collision of one kind: ordered by start among those that
// take the same thing, a session starts before the latest end so far, or overlaps the next one. ? is the event's id.
func colliding(table, id string) string {
	return `id IN (SELECT id FROM (SELECT s.id, s.starts_at, s.ends_at,
		lag(s.starts_at) OVER own AS started, lead(s.starts_at) OVER own AS follows,
		max(coalesce(s.ends_at, s.starts_at)) OVER (own ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until
		FROM ` + table + ` WHERE s.event_id = ? AND ` + TakesPlace + ` AND ` + id + ` IS NOT NULL
		WINDOW own AS (PARTITION BY ` + id + ` ORDER BY s.starts_at, s.id)) placed
		WHERE until > starts_at OR started = starts_at OR follows = starts_at OR follows < ends_at)`
}

// besidePlenary is the SQL condition for sessions that overlap a plenary session or break, and for those plenary
// sessions. Each ? is the event's id.
var besidePlenary = `id IN (WITH met AS (SELECT s.id AS beside, p.id AS plenary FROM sessions p
	JOIN sessions s ON s.event_id = p.event_id AND s.id <> p.id AND ` + TakesPlace + ` AND ` + meetsIn("p") + `
	WHERE p.event_id = ? AND p.is_plenary AND ` + takesPlaceOf("p.") + `)
	SELECT beside FROM met UNION SELECT plenary FROM met
	UNION SELECT s.id FROM agenda_breaks b JOIN sessions s ON s.event_id = b.event_id AND ` + TakesPlace + ` AND ` +
	meetsIn("b") + ` WHERE b.event_id = ? AND b.is_plenary AND b.deleted_at IS NULL)`

// meetsIn is Span.Meets in SQL: it returns the condition that session s overlaps a row.
func meetsIn(row string) string {
	until := "coalesce(" + row + ".ends_at, " + row + ".starts_at)"
	return "(s.starts_at = " + row + ".starts_at OR (s.starts_at < " + until +
		" AND coalesce(s.ends_at, s.starts_at) > " + row + ".starts_at))"
}
