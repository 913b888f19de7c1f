package models

import (
	"context"
	"slices"
	"strings"
)

// slotColumns are the columns of a session that make its slot and describe it.
const slotColumns = "s.id, s.friendly_id, s.title, s.status, s.starts_at, s.ends_at, s.room_id, s.track_id, s.capacity, s.is_plenary"

// near reads the sessions that may collide with given ones within a span: same room, same people, or plenary. They
// carry all that a slot has; of people, only those shared with the given sessions.
func (p *Programme) near(ctx context.Context, ids []string, within Span) ([]*Session, error) {
	// An index alone finds what is taken in that time, and only overlapping sessions are read: a room may have
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
		SELECT ` + slotColumns + `, m.what AS taken FROM met m JOIN sessions s ON s.id = m.id`
	values = append(values, ids)
	// There are few plenary sessions, so an index finds them on either side.
	for _, plenary := range []string{"a", "s"} {
		query += ` UNION ALL SELECT ` + slotColumns + `, '' AS taken FROM sessions a JOIN sessions s ON s.event_id = a.event_id
			AND s.id <> a.id AND ` + takesPlace + ` AND ` + meetsIn("a") + `
			WHERE a.event_id = ? AND a.id IN ? AND ` + plenary + `.is_plenary`
		values = append(values, p.event.ID, ids)
	}
	query += ` LIMIT ?`
	values = append(values, maxConflicting)
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
		if rows[i].Taken != "" && (s.RoomID == nil || rows[i].Taken != *s.RoomID) && !slices.ContainsFunc(s.Participants,
			known) {
			s.Participants = append(s.Participants, &Participant{ContactID: rows[i].Taken})
		}
	}
	return others, nil
}

// nearTo is near for one slot, with people.
func (p *Programme) nearTo(ctx context.Context, slot *Slot) (near []*Session, err error) {
	if err := p.read(ctx).Table("sessions s").Select(slotColumns).
		Where("s.event_id = ? AND s.id <> ? AND "+takesPlace, p.event.ID, slot.SessionID).
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
	return near, loadParticipants(p.read(ctx), p.event.ID, known)
}
