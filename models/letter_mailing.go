package models

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// Mailing is one free text to some people. Each of them has a letter, which is a draft until it is sent.
type Mailing struct {
	ID            string
	EventID       string
	VersionID     *string // of the agenda that it is about; nil of most
	Subject, Body string  // with placeholders
	Version       int     // its token; 0 while there is no text
	ByName        string
	CreatedAt     store.Time
	UpdatedAt     store.Time
}

// MaxMailing is the largest number of people in a mailing.
const MaxMailing = 10_000

var (
	errNoMailing    = store.NoSuch("letter")
	errMailingStale = store.Outdated("Someone else changed this letter since you read it. Read it again, then repeat your change.")
	errMailingEmpty = store.Invalidf("people", "are not chosen: there is nobody to write to")
)

// StartMailing starts a mailing to those of some contacts who are in a directory, each once, also those without an
// address. Their drafts have no text before SaveMailing. It answers Invalid for nobody and for more than MaxMailing.
func (p *Programme) StartMailing(ctx context.Context, among *Directory, contacts []string) (*Mailing, error) {
	if len(contacts) > MaxMailing {
		return nil, store.Invalidf("people", "are more than the %d to whom a letter may be at once. Choose fewer", MaxMailing)
	}
	contacts = slices.Compact(slices.Sorted(slices.Values(contacts)))
	contacts = slices.DeleteFunc(contacts, func(id string) bool { return !store.IsID(id) })
	m := &Mailing{EventID: p.event.ID, ByName: p.by.ActorName}
	return m, p.write(ctx, func(tx *store.Tx) error {
		var people []*Contact // held, so that nobody is merged away who is written to
		if err := among.Seen(KeyShare(tx)).Select("contacts.id, contacts.full_name").Where("contacts.id IN ?", contacts).
			Order("contacts.id").Find(&people).Error; err != nil {
			return err
		}
		if len(people) == 0 {
			return errMailingEmpty
		}
		slices.SortStableFunc(people, func(a, b *Contact) int { return strings.Compare(a.FullName, b.FullName) })
		m.ID, m.CreatedAt, m.UpdatedAt = store.NewID(), tx.Now, tx.Now
		if err := tx.Create(m).Error; err != nil {
			return err
		}
		letters := make([]*Letter, len(people))
		for i, x := range people {
			letters[i] = &Letter{ID: store.NewID(), EventID: &p.event.ID, MailingID: &m.ID, Kind: LetterFree, ContactID: x.ID,
				State: LetterDraft, CreatedAt: tx.Now, UpdatedAt: tx.Now}
		}
		return store.InsertInto(tx, "letters", letters)
	})
}

// SpeakersOf are the ids of the people on sessions: on those with the ids, or on all that pass the filter of q. It
// answers Invalid as StartBatch does.
func (p *Programme) SpeakersOf(ctx context.Context, ids []string, q *SessionSearch) (contacts []string, err error) {
	ids = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))), func(id string) bool { return !store.IsID(id) })
	if q == nil && len(ids) == 0 {
		return nil, nil
	}
	chosen, err := p.chosen(ctx, ids, q)
	if err != nil {
		return nil, err
	}
	sessions := chosen(p.read(ctx).Model(&Session{})).Where("deleted_at IS NULL").Select("id")
	err = p.read(ctx).Table("participants").Where("event_id = ? AND session_id IN (?)", p.event.ID, sessions).
		Distinct("contact_id").Order("contact_id").Pluck("contact_id", &contacts).Error
	return contacts, err
}

// SaveMailing saves the text of a mailing and rewrites its drafts, except those edited by hand. version is the
// mailing's as it was read. It answers NotFound, Invalid as SaveLetterTemplate does, and Stale if somebody saved it
// since.
func (p *Programme) SaveMailing(ctx context.Context, id string, version int, subject, body string) (*Mailing, error) {
	if err := cleanLetterOf(LetterFree, &subject, &body); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Mailing, error) {
		m, err := p.mailing(tx.Lock(), id)
		if err != nil {
			return nil, err
		}
		if m.Version != version {
			return nil, errMailingStale
		}
		if m.Subject == subject && m.Body == body {
			return m, nil
		}
		m.Subject, m.Body, m.Version, m.UpdatedAt = subject, body, version+1, tx.Now
		if err := tx.Model(m).Select("subject", "body", "version", "updated_at").Updates(m).Error; err != nil {
			return nil, err
		}
		return m, p.redraft(tx, m)
	})
}

// redraft writes a mailing's drafts from its text.
func (p *Programme) redraft(tx *store.Tx, m *Mailing) error {
	var letters []*Letter
	if err := tx.Lock().Where("event_id = ? AND mailing_id = ? AND state = 'draft' AND NOT is_edited", p.event.ID, m.ID).
		Order(letterLockOrder).Find(&letters).Error; err != nil || len(letters) == 0 {
		return err
	}
	var people []*Contact
	if err := tx.Select("id, first_name, full_name, company_name").Where("organization_id = ? AND id IN (?)", p.event.OrganizationID,
		tx.Session(&gorm.Session{NewDB: true}).Model(&Letter{}).Where("mailing_id = ?", m.ID).Select("contact_id")).
		Find(&people).Error; err != nil {
		return err
	}
	changes, err := p.changesOf(tx.DB, m)
	if err != nil {
		return err
	}
	byID := map[string]*Contact{}
	for _, x := range people {
		byID[x.ID] = x
	}
	for _, l := range letters {
		contact := byID[l.ContactID]
		if contact == nil { // who is gone
			contact = &Contact{}
		}
		l.write(m.template(), p.freeFacts(contact, changes))
		l.UpdatedAt = tx.Now.Following(l.UpdatedAt)
	}
	return tx.Session(&gorm.Session{NewDB: true}).Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}},
		DoUpdates: clause.AssignmentColumns([]string{"subject", "body", "missing", "template_version", "updated_at"})}).
		CreateInBatches(letters, tx.InsertRows()).Error
}

// Placeholders are those that have a value in the mailing's letters.
func (m *Mailing) Placeholders() []Placeholder {
	return slices.DeleteFunc(PlaceholdersOf(LetterFree), func(x Placeholder) bool {
		return x.Name == changesPlaceholder && m.VersionID == nil
	})
}

func (m *Mailing) template() *LetterTemplate {
	return &LetterTemplate{Kind: LetterFree, Subject: m.Subject, Body: m.Body, Version: m.Version}
}

func (p *Programme) mailing(db *gorm.DB, id string) (*Mailing, error) {
	if !store.IsID(id) {
		return nil, errNoMailing
	}
	return store.One[Mailing](db.Where("event_id = ? AND id = ?", p.event.ID, id), errNoMailing)
}

// SendMailing puts all drafts of a mailing that can be sent in line, as SendLetters does those of decisions.
func (p *Programme) SendMailing(ctx context.Context, id string, expected int64) (int64, error) {
	return p.queue(ctx, "letters_sent_off", readyFree+" AND letters.mailing_id = ?", expected, id)
}

// TakeOutLetter removes one person, whose letter is a draft, from a mailing; a mailing to nobody is deleted. It
// answers NotFound, and Stale for a letter that is no draft of a mailing.
func (p *Programme) TakeOutLetter(ctx context.Context, id string) error {
	return p.write(ctx, func(tx *store.Tx) error {
		if !store.IsID(id) {
			return errNoLetter
		}
		of, err := store.One[Letter](tx.Where("event_id = ? AND id = ?", p.event.ID, id), errNoLetter)
		if err != nil {
			return err
		}
		if of.MailingID == nil {
			return errLetterStale
		}
		if _, err := p.mailing(tx.Lock(), *of.MailingID); err != nil { // held before its letters
			return err
		}
		l, err := p.letter(tx, id)
		if err == nil && l.State != LetterDraft {
			err = errLetterStale
		}
		if err != nil {
			return err
		}
		if err := tx.Delete(l).Error; err != nil {
			return err
		}
		return p.endMailing(tx, *l.MailingID)
	})
}

// DiscardMailing deletes the drafts of a mailing and returns how many. Sent letters stay. It answers NotFound.
func (p *Programme) DiscardMailing(ctx context.Context, id string) (int64, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (int64, error) {
		if _, err := p.mailing(tx.Lock(), id); err != nil {
			return 0, err
		}
		done := tx.Where("id IN (?)", LockLetters(tx, "event_id = ? AND mailing_id = ? AND state = 'draft'", p.event.ID, id)).
			Delete(&Letter{})
		if done.Error != nil {
			return 0, done.Error
		}
		return done.RowsAffected, p.endMailing(tx, id)
	})
}

// endMailing deletes a mailing without letters.
func (p *Programme) endMailing(tx *store.Tx, id string) error {
	return tx.Where("event_id = ? AND id = ? AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.mailing_id = mailings.id)",
		p.event.ID, id).Delete(&Mailing{}).Error
}

// rewriteFree makes a draft of a mailing anew from its text.
func (p *Programme) rewriteFree(tx *store.Tx, row *Letter) error {
	m, err := p.mailing(tx.Lock(), *row.MailingID) // held before its letters
	if err != nil {
		return err
	}
	l, err := p.letter(tx, row.ID)
	if err == nil && (l.State != LetterDraft || m.Version == 0) {
		err = errLetterStale
	}
	if err != nil {
		return err
	}
	contact, err := store.One[Contact](tx.Where("organization_id = ? AND id = ?", p.event.OrganizationID, l.ContactID), errNoLetter)
	if err != nil {
		return err
	}
	changes, err := p.changesOf(tx.DB, m)
	if err != nil {
		return err
	}
	l.write(m.template(), p.freeFacts(contact, changes))
	l.UpdatedAt = tx.Now.Following(l.UpdatedAt)
	return tx.Model(l).Select("subject", "body", "missing", "is_edited", "template_version", "updated_at").Updates(l).Error
}
