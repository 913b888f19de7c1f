package people

import (
	"lectern/models"
)

// hold locks, in the order of locks, the sessions with something of the contact, then the mailings and letters to them,
// to their addresses, or to others that mention them.
func (e *eraser) hold() (err error) {
	if e.known, err = e.findIdentifiers(); err != nil || e.tx.Store.Embedded() {
		return err
	}
	keys, err := callKeys(e.tx, e.contact)
	if err != nil {
		return err
	}
	id := e.contact.ID
	const here = "event_id IN (SELECT id FROM events WHERE organization_id = ?)"
	if err := e.tx.Lock().Select("id").Where(here, e.ID).Where(`id IN (SELECT session_id FROM participants WHERE contact_id = ?
			UNION SELECT session_id FROM letters WHERE contact_id = ?
			UNION SELECT session_id FROM proposals WHERE contact_id = ?
			UNION SELECT session_id FROM participations WHERE contact_id = ?
			UNION SELECT session_id FROM deliverable_versions WHERE author_id = ? AND session_id IS NOT NULL
			UNION SELECT session_id FROM revisions WHERE author_id = ? AND session_id IS NOT NULL
			UNION SELECT session_id FROM co_speakers WHERE contact_id = ? OR invited_by = ? OR email_key IN ?)`,
		id, id, id, id, id, id, id, id, keys).Order(models.SessionOrder).Find(&[]*models.Session{}).Error; err != nil {
		return err
	}
	ofMailings := e.tx.Lock().Table("mailings").Where("id IN (SELECT mailing_id FROM letters WHERE contact_id = ?)", id)
	if err := ofMailings.Order("id").Pluck("id", &[]string{}).Error; err != nil {
		return err
	}
	naming, words := e.inOthers()
	return models.LockLetters(e.tx, "contact_id = ? OR kind = 'call' AND (co_speaker_id <> '' OR contact_id = '') AND "+here+
		" OR kind = 'call' AND (event_id, created_at) IN (SELECT event_id, created_at FROM deliverable_comments "+
		"WHERE author_id = ?) OR "+naming, append([]any{id, e.ID, id}, words...)...).Find(&[]string{}).Error
}

// inOthers returns the condition for letters to others, at the contact's events, that may mention the contact.
func (e *eraser) inOthers() (condition string, values []any) {
	named, words := e.known.in("subject", "body")
	return "contact_id <> ? AND event_id IN (SELECT event_id FROM event_contacts WHERE contact_id = ?) AND " + named,
		append([]any{e.contact.ID, e.contact.ID}, words...)
}
