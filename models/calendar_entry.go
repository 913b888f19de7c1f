package models

import (
	"lectern/models/store"
)

// calendarEntry is what public calendars say of a session that was ever public. A cancelled entry keeps its last
// public state, because later changes of a session that is not public are private.
type calendarEntry struct {
	SessionID   string `gorm:"primaryKey"`
	EventID     string
	Title       string
	StartsAt    store.Time
	EndsAt      *store.Time
	TrackID     *string // as RoomID, of a row that may be gone
	RoomID      *string
	Sequence    int // how often title, times or room changed, or it was cancelled or came back
	IsCancelled bool
	UpdatedAt   store.Time
}

// IsShown reports whether public calendars and schedules contain the session: a live programme session that is
// public, accepted and has a start.
func (s *Session) IsShown() bool {
	_, takes := s.Slot()
	return takes && s.IsPublic && s.Status == Accepted
}

// enter updates the calendar entries of changed sessions.
func (p *Programme) enter(tx *store.Tx, rows ...change) error {
	var added []*calendarEntry
	for _, c := range rows {
		was, is := c.before != nil && c.before.IsShown(), c.after.IsShown()
		switch {
		case is && c.before == nil:
			added = append(added, p.calendarEntry(tx, c.after))
		case is:
			if err := p.saveEntry(tx, c, was); err != nil {
				return err
			}
		case was:
			if err := tx.Later().Exec(`UPDATE calendar_entries SET is_cancelled = true, sequence = sequence + 1, updated_at = ?
				WHERE event_id = ? AND session_id = ?`, tx.Now, p.event.ID, c.after.ID).Error; err != nil {
				return err
			}
		}
	}
	return store.InsertInto(tx, "calendar_entries", added)
}

func (p *Programme) calendarEntry(tx *store.Tx, s *Session) *calendarEntry {
	return &calendarEntry{SessionID: s.ID, EventID: p.event.ID, Title: s.Title, StartsAt: *s.StartsAt, EndsAt: s.EndsAt,
		TrackID: s.TrackID, RoomID: s.RoomID, UpdatedAt: tx.Now}
}

// saveEntry inserts or updates the entry of a shown session; was is whether it was shown before the change.
func (p *Programme) saveEntry(tx *store.Tx, c change, was bool) error {
	raised := 1
	if was && c.before.Title == c.after.Title && c.before.sameSlot(c.after) {
		if raised = 0; store.Fact(c.before.TrackID) == store.Fact(c.after.TrackID) {
			return nil
		}
	}
	e := p.calendarEntry(tx, c.after)
	return tx.Later().Exec(`INSERT INTO calendar_entries (session_id, event_id, title, starts_at, ends_at, track_id, room_id,
			sequence, is_cancelled, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, 0, false, ?)
		ON CONFLICT (session_id) DO UPDATE SET title = excluded.title, starts_at = excluded.starts_at,
			ends_at = excluded.ends_at, track_id = excluded.track_id, room_id = excluded.room_id,
			sequence = calendar_entries.sequence + ?, is_cancelled = false, updated_at = excluded.updated_at`,
		e.SessionID, e.EventID, e.Title, e.StartsAt, e.EndsAt, e.TrackID, e.RoomID, e.UpdatedAt, raised).Error
}

// sameSlot reports whether two states of a session have the same time and room.
func (s *Session) sameSlot(other *Session) bool {
	return store.Fact(s.StartsAt) == store.Fact(other.StartsAt) && store.Fact(s.EndsAt) == store.Fact(other.EndsAt) &&
		store.Fact(s.RoomID) == store.Fact(other.RoomID)
}

// ReenterRenamed treats a renamed room as a change of room for its entries.
func (p *Programme) ReenterRenamed(tx *store.Tx, before, row *Metadata) error {
	if row.Family != Rooms || row.Name == before.Name {
		return nil
	}
	return p.Reenter(tx, row, row)
}

// Reenter moves the entries of a deleted room or track to other, or to none.
func (p *Programme) Reenter(tx *store.Tx, row, other *Metadata) error {
	set := map[Family]string{Rooms: "room_id = ?, sequence = sequence + 1", Tracks: "track_id = ?"}[row.Family]
	if set == "" {
		return nil
	}
	column := row.Family.Singular() + "_id"
	return tx.Exec("UPDATE calendar_entries SET "+set+", updated_at = ? WHERE event_id = ? AND "+column+
		" = ? AND is_cancelled = false", other.Ref(), tx.Now, p.event.ID, row.ID).Error
}
