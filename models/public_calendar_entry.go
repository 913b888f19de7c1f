package models

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// calendarEntry is what public calendars say of a session that was ever public. A cancelled entry keeps its last public
// state, because later changes to a session that is not public are private.
type calendarEntry struct {
	SessionID   string `gorm:"primaryKey"`
	EventID     string
	Title       string
	StartsAt    store.Time
	EndsAt      *store.Time
	TrackID     *string // like RoomID, may refer to a row that is gone
	RoomID      *string
	Sequence    int // how often title, times or room changed, or it was cancelled or shown again
	IsCancelled bool
	UpdatedAt   store.Time
}

// isShown reports whether public calendars and schedules contain the session: a live programme session that is
// public, accepted and has a start.
func (s *Session) isShown() bool {
	_, takes := s.Slot()
	return takes && s.IsPublic && s.Status == Accepted
}

// enter updates the calendar entries of changed sessions.
func (p *Programme) enter(tx *store.Tx, rows ...change) error {
	var moved, retracked []*calendarEntry
	var cancelled []string
	for _, c := range rows {
		was := c.before != nil && c.before.isShown()
		switch {
		case !c.after.isShown():
			if was {
				cancelled = append(cancelled, c.after.ID)
			}
		case !was || c.before.Title != c.after.Title || !c.before.sameSlot(c.after):
			moved = append(moved, p.calendarEntry(tx, c.after))
		case store.Fact(c.before.TrackID) != store.Fact(c.after.TrackID):
			retracked = append(retracked, p.calendarEntry(tx, c.after))
		}
	}
	if len(cancelled) > 0 {
		if err := tx.Later().Exec(`UPDATE calendar_entries SET is_cancelled = true, sequence = sequence + 1, updated_at = ?
			WHERE event_id = ? AND session_id ?`, tx.Now, p.event.ID, store.AnyOf(cancelled)).Error; err != nil {
			return err
		}
	}
	if err := saveEntries(tx, retracked, 0); err != nil {
		return err
	}
	return saveEntries(tx, moved, 1)
}

func (p *Programme) calendarEntry(tx *store.Tx, s *Session) *calendarEntry {
	return &calendarEntry{SessionID: s.ID, EventID: p.event.ID, Title: s.Title, StartsAt: *s.StartsAt, EndsAt: s.EndsAt,
		TrackID: s.TrackID, RoomID: s.RoomID, UpdatedAt: tx.Now}
}

// saveEntries inserts or updates the entries of shown sessions; raised is added to the sequence of existing ones.
func saveEntries(tx *store.Tx, entries []*calendarEntry, raised int) error {
	if len(entries) == 0 {
		return nil
	}
	set := clause.AssignmentColumns([]string{"title", "starts_at", "ends_at", "track_id", "room_id", "is_cancelled", "updated_at"})
	set = append(set, clause.Assignment{Column: clause.Column{Name: "sequence"},
		Value: gorm.Expr("calendar_entries.sequence + ?", raised)})
	return tx.Later().Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "session_id"}}, DoUpdates: set}).
		CreateInBatches(entries, tx.InsertRows()).Error
}

// sameSlot reports whether two states of a session have the same time and room.
func (s *Session) sameSlot(other *Session) bool {
	return store.Fact(s.StartsAt) == store.Fact(other.StartsAt) && store.Fact(s.EndsAt) == store.Fact(other.EndsAt) &&
		store.Fact(s.RoomID) == store.Fact(other.RoomID)
}

// ReenterRenamed updates the entries of a renamed room as if their room had changed.
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
