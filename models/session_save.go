package models

import (
	"slices"

	"gorm.io/gorm"
)

// insert gives sessions their identity and stores them with their tags and
// participants. The event's row, which counts them, is held from then on: what
// else there is to hold is held before.
func (p *Programme) insert(tx *Tx, sessions ...*Session) error {
	abstracts := 0
	for _, s := range sessions {
		if s.IsAbstract {
			abstracts++
		}
	}
	// The version changes in the same statement, in place of touch.
	var last Event
	if err := tx.Raw(`UPDATE events SET last_abstract = last_abstract + ?, last_session = last_session + ?, sessions_version = ?
		WHERE id = ? RETURNING last_abstract, last_session`,
		abstracts, len(sessions)-abstracts, tx.version, p.event.ID).Scan(&last).Error; err != nil {
		return err
	}
	number := map[bool]int{true: last.LastAbstract - abstracts, false: last.LastSession - len(sessions) + abstracts}
	for _, s := range sessions {
		number[s.IsAbstract]++
		p.identify(s, number[s.IsAbstract], tx.now)
	}
	if err := tx.CreateInBatches(sessions, insertBatch).Error; err != nil {
		return err
	}
	return p.insertLinks(tx, sessions...)
}

// insertBatch is how many sessions one statement stores.
const insertBatch = 200

// identify makes s a row of this event that nothing refers to yet.
func (p *Programme) identify(s *Session, number int, now Time) {
	s.ID, s.EventID, s.Number = NewID(), p.event.ID, number
	s.FriendlyID = friendlyID(s.IsAbstract, number)
	if s.CreatedAt.IsZero() {
		s.CreatedAt = now
	}
	s.UpdatedAt = s.CreatedAt
	s.AdminURL = p.adminURL("sessions", s.ID)
	s.CompositionStatus = CompositionStatus{Role: "standalone"}
	if s.Tags == nil {
		s.Tags = []*Tag{}
	}
	if s.Participants == nil {
		s.Participants = []*Participant{}
	}
	if s.CustomFields == nil {
		s.CustomFields = Answers{}
	}
	s.index()
}

var sessionColumns = []string{
	"title", "title_key", "description", "status", "starts_at", "ends_at", "capacity", "is_public", "track_id",
	"room_id", "format_id", "level_id", "custom_fields", "search", "is_alone", "updated_at", "deleted_at",
}

// saveAll stores s over before and gives it the next token. Stale is answered
// when the row has changed since before was read.
func (p *Programme) saveAll(tx *Tx, s, before *Session) error {
	tx.touch(p.event.ID)
	s.UpdatedAt = tx.now.after(before.UpdatedAt)
	s.index()
	done := tx.Model(&Session{}).
		Where("id = ? AND event_id = ? AND updated_at = ?", s.ID, p.event.ID, before.UpdatedAt).
		Select(sessionColumns).Updates(s)
	if done.Error != nil {
		return done.Error
	}
	if done.RowsAffected == 0 {
		return errStale
	}
	sameTags := slices.EqualFunc(s.Tags, before.Tags, func(a, b *Tag) bool { return a.ID == b.ID })
	samePeople := samePeople(s.Participants, before.Participants)
	if !samePeople || (s.DeletedAt == nil) != (before.DeletedAt == nil) {
		tx.touchSpeakers(p.event.ID)
	}
	if sameTags && samePeople {
		return nil
	}
	for _, table := range []string{"session_tags", "participants"} {
		if err := tx.Exec("DELETE FROM "+table+" WHERE event_id = ? AND session_id = ?", p.event.ID, s.ID).Error; err != nil {
			return err
		}
	}
	return p.insertLinks(tx, s)
}

type sessionTag struct{ EventID, SessionID, TagID string }

type participantRow struct {
	EventID, SessionID, ContactID string
	Role                          Role
	Position                      int
}

// insertLinks stores the tags and participants of sessions that have none stored.
func (p *Programme) insertLinks(tx *Tx, sessions ...*Session) error {
	var tags []sessionTag
	var people []participantRow
	for _, s := range sessions {
		for _, tag := range s.Tags {
			tags = append(tags, sessionTag{p.event.ID, s.ID, tag.ID})
		}
		for _, x := range s.Participants {
			people = append(people, participantRow{p.event.ID, s.ID, x.ContactID, x.Role, x.Position})
		}
	}
	if len(people) > 0 {
		tx.touchSpeakers(p.event.ID)
	}
	if err := insertRows(tx, "session_tags", tags); err != nil {
		return err
	}
	return insertRows(tx, "participants", people)
}

// insertRows stores many rows in few statements.
func insertRows[T any](tx *Tx, table string, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.Session(&gorm.Session{NewDB: true}).Table(table).CreateInBatches(rows, 500).Error
}
