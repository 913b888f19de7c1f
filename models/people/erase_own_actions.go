package people

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// ownActions removes the contact's name from what they did themselves: activity, uploaded files and the names of these,
// and invitations to others, which say who asks and for what. What they did before they had an account has no actor id,
// and is found by its subject: the contact, or what they began.
func (e *eraser) ownActions() error {
	name, began := erasedFirst+" "+erasedLast, "(SELECT session_id FROM proposals WHERE contact_id IN ?)"
	if err := e.tx.Exec("UPDATE activity SET actor_name = ? WHERE organization_id = ? AND (actor_id IN ? OR door = 'call' AND "+
		"actor_id = '' AND (subject_id IN ? OR subject_id IN "+began+"))", name, e.ID, e.ids, e.ids, e.ids).Error; err != nil {
		return err
	}
	const asked = "co_speaker_id IN (SELECT id FROM co_speakers WHERE invited_by IN ?)"
	if err := e.tx.Exec("DELETE FROM letters WHERE state IN ('draft', 'queued', 'failed', 'superseded') AND "+asked, e.ids).
		Error; err != nil {
		return err
	}
	if err := e.tx.Exec("UPDATE letters SET subject = '', body = '' WHERE "+asked, e.ids).Error; err != nil {
		return err
	}
	if err := e.answerFiles(); err != nil {
		return err
	}
	return e.tx.Exec("UPDATE files SET uploaded_by_name = ? WHERE organization_id = ? AND (uploaded_by IN ? OR uploaded_by = '' "+
		"AND id IN (SELECT file_id FROM proposal_files WHERE session_id IN "+began+"))", name, e.ID, e.ids, e.ids).Error
}

// deliverables deletes the files that the contact handed in for their own tasks, and a photo that waits for approval.
func (e *eraser) deliverables() error {
	const theirs = "SELECT file_id FROM deliverable_versions WHERE contact_id = ? AND file_id IS NOT NULL " +
		"UNION SELECT photo_id FROM revisions WHERE contact_id = ? AND photo_id IS NOT NULL"
	var held []*models.File
	err := e.tx.Where("organization_id = ? AND id IN ("+theirs+")", e.ID, e.contact.ID, e.contact.ID).Order("id").Find(&held).Error
	for _, table := range []string{"deliverable_versions", "revisions"} {
		if err == nil {
			err = e.tx.Exec("DELETE FROM "+table+" WHERE contact_id = ?", e.contact.ID).Error
		}
	}
	for i := 0; err == nil && i < len(held); i++ {
		err = models.DropFile(e.tx, e.ID, held[i].Key)
	}
	return err
}

// answerFiles gives neutral names to the files that the contact uploaded as answers or for a session, also within the
// answers and their history, since people name files after themselves. Files that others uploaded keep theirs.
func (e *eraser) answerFiles() error {
	var answers []struct{ SessionID, ID, Name string }
	err := e.tx.Table("(SELECT session_id, file_id FROM proposal_files UNION ALL SELECT session_id, file_id FROM deliverable_versions "+
		"WHERE session_id IS NOT NULL AND file_id IS NOT NULL) p").Joins("JOIN files f ON f.id = p.file_id").Select("p.session_id, f.id, f.name").
		Where("f.organization_id = ?", e.ID).Where("f.uploaded_by IN ? OR f.uploaded_by = '' AND p.session_id IN "+
		"(SELECT session_id FROM proposals WHERE contact_id IN ?)", e.ids, e.ids).Order("p.session_id, f.id").
		Scan(&answers).Error
	for i := 0; err == nil && i < len(answers); i++ {
		a, plain := answers[i], "file"+filepath.Ext(answers[i].Name)
		was, is := jsonText(a.Name), jsonText(plain)
		e.renamed[a.Name] = plain
		for _, change := range []struct {
			statement string
			values    []any
		}{
			{"UPDATE files SET name = ? WHERE id = ?", []any{plain, a.ID}},
			{"UPDATE sessions SET custom_fields = " + e.replacing("custom_fields") + " WHERE id = ?", []any{was, is, a.SessionID}},
			{"UPDATE activity SET before = " + e.replacing("before") + ", after = " + e.replacing("after") + " WHERE subject_id = ?",
				[]any{was, is, was, is, a.SessionID}},
		} {
			if err == nil {
				err = e.tx.Exec(change.statement, change.values...).Error
			}
		}
	}
	return err
}

// replacing returns the SQL expression that replaces a text in a JSON column.
func (e *eraser) replacing(column string) string {
	if e.tx.Store.Embedded() {
		return "replace(" + column + ", ?, ?)"
	}
	return "CAST(replace(CAST(" + column + " AS text), ?, ?) AS jsonb)"
}

// jsonText returns a text as a JSON string.
func jsonText(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSpace(out.String())
}

// Forget deletes somebody with all rows of theirs, as if they had never been there. It is only for strangers, whose
// sessions the caller has deleted before. It records and emits nothing.
func (d *Directory) Forget(tx *store.Tx, contactID string) error {
	if err := models.ForgetAnswers(tx, d.ID, "a.contact_id = ?", contactID); err != nil {
		return err
	}
	contact, err := store.One[models.Contact](tx.Where("organization_id = ? AND id = ?", d.ID, contactID), models.ErrNoPerson)
	if err != nil {
		return err
	}
	if err := models.DropPhoto(tx, contact); err != nil {
		return err
	}
	var events []string
	if err := tx.Model(&models.EventContact{}).Where("contact_id = ?", contactID).Order("event_id").
		Pluck("event_id", &events).Error; err != nil {
		return err
	}
	for _, id := range events {
		models.TouchSpeakers(tx, id)
	}
	for _, t := range contactTables {
		if err := tx.Exec("DELETE FROM "+t.table+" WHERE "+t.theirs(), contactID).Error; err != nil {
			return err
		}
	}
	return tx.Exec("DELETE FROM contacts WHERE organization_id = ? AND id = ?", d.ID, contactID).Error
}

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
