package people

import (
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// hold locks the sessions with something of theirs, then the mailings and letters to them, typed for them, or to others
// that tell of them.
func (e *eraser) hold() (err error) {
	if e.known, err = e.knownBy(); err != nil || e.tx.Store.Embedded() {
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

// knownBy is by what texts mean somebody: their addresses, and their name where it means nobody else. A name of one word
// may be a word like any other.
type knownBy struct {
	name      string
	addresses []string
}

func (e *eraser) knownBy() (known knownBy, err error) {
	if known.addresses, err = callKeys(e.tx, e.contact); err != nil {
		return known, err
	}
	if e.contact.Email != "" {
		known.addresses = append(known.addresses, e.contact.Email)
	}
	if !strings.Contains(e.contact.FullName, " ") {
		return known, nil
	}
	var namesakes int64
	err = e.tx.Model(&models.Contact{}).Where("organization_id = ? AND name_key = ? AND id <> ?", e.ID, e.contact.NameKey,
		e.contact.ID).Count(&namesakes).Error
	if namesakes == 0 {
		known.name = e.contact.FullName
	}
	return known, err
}

// in is the condition of rows of which one of some columns may mean somebody.
func (k knownBy) in(columns ...string) (condition string, values []any) {
	ways := []string{"1 = 0"}
	for _, column := range columns {
		if k.name != "" {
			ways, values = append(ways, models.Contains(column)), append(values, store.LikePattern(k.name))
		}
		for _, address := range k.addresses {
			ways = append(ways, models.Contains("lower("+column+")"))
			values = append(values, store.LikePattern(strings.ToLower(address)))
		}
	}
	return "(" + strings.Join(ways, " OR ") + ")", values
}

// inOthers is the condition of letters to others at their events that may mean them.
func (e *eraser) inOthers() (condition string, values []any) {
	named, words := e.known.in("subject", "body")
	return "contact_id <> ? AND event_id IN (SELECT event_id FROM event_contacts WHERE contact_id = ?) AND " + named,
		append([]any{e.contact.ID, e.contact.ID}, words...)
}
