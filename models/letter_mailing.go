package models

import (
	"context"
	"slices"

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

var (
	errNoMailing    = store.NoSuch("letter")
	ErrMailingEmpty = store.Invalidf("people", "are not chosen: there is nobody to write to")
)

// Redraft writes a mailing's drafts from its text.
func (p *Programme) Redraft(tx *store.Tx, m *Mailing) error {
	var letters []*Letter
	if err := tx.Lock().Where("event_id = ? AND mailing_id = ? AND state = 'draft' AND NOT is_edited", p.event.ID, m.ID).
		Order(LetterLockOrder).Find(&letters).Error; err != nil || len(letters) == 0 {
		return err
	}
	var people []*Contact
	if err := tx.Select("id, first_name, full_name, company_name").Where("organization_id = ? AND id IN (?)", p.event.OrganizationID,
		tx.Session(&gorm.Session{NewDB: true}).Model(&Letter{}).Where("mailing_id = ?", m.ID).Select("contact_id")).
		Find(&people).Error; err != nil {
		return err
	}
	changes, err := p.ChangesOf(tx.DB, m)
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

// MailingIn returns a mailing of the event. It answers NotFound.
func (p *Programme) MailingIn(db *gorm.DB, id string) (*Mailing, error) {
	if !store.IsID(id) {
		return nil, errNoMailing
	}
	return store.One[Mailing](db.Where("event_id = ? AND id = ?", p.event.ID, id), errNoMailing)
}

// rewriteFree makes a draft of a mailing anew from its text.
func (p *Programme) rewriteFree(tx *store.Tx, row *Letter) error {
	m, err := p.MailingIn(tx.Lock(), *row.MailingID) // held before its letters
	if err != nil {
		return err
	}
	l, err := p.HeldLetter(tx, row.ID)
	if err == nil && (l.State != LetterDraft || m.Version == 0) {
		err = ErrLetterStale
	}
	if err != nil {
		return err
	}
	contact, err := store.One[Contact](tx.Where("organization_id = ? AND id = ?", p.event.OrganizationID, l.ContactID),
		ErrNoLetter)
	if err != nil {
		return err
	}
	changes, err := p.ChangesOf(tx.DB, m)
	if err != nil {
		return err
	}
	l.write(m.template(), p.freeFacts(contact, changes))
	l.UpdatedAt = tx.Now.Following(l.UpdatedAt)
	return tx.Model(l).Select("subject", "body", "missing", "is_edited", "template_version", "updated_at").Updates(l).Error
}

// FreeLetters are the letters of mailings and of the call of some events to somebody, the latest first: what was
// written
// and not thrown away. At most 50.
func (d *Directory) FreeLetters(ctx context.Context, contactID string, eventIDs []string) (letters []*Letter,
	err error) {
	err = d.Read(ctx).Where("contact_id = ? AND event_id IN ? AND kind IN ('free', 'call') AND body <> ''", contactID,
		eventIDs).
		Order("created_at DESC, id").Limit(50).Find(&letters).Error
	return letters, err
}

// Starters are texts that a free letter may begin with beside those that staff keep. Their IDs are words.
var Starters = []LetterTemplate{{ID: "invitation", Kind: LetterFree, Name: "Invitation to speak",
	Subject: "Would you speak at {{event}}?", Body: `Dear {{first_name}},

we are putting together the programme of {{event}} and would like you to be part of it.

Would you come and speak? Please answer this letter, and we will talk about what and when.

The programme committee of {{event}}`},
	{ID: PlaceText, Kind: LetterFree, Name: "Invitation to their place", Subject: PlaceInvitation.Subject,
		Body: PlaceInvitation.Body}}

// PlaceText is the starter that invites people to their places.
const PlaceText = "place"

// PlaceInvitation invites somebody to the place where all that is theirs can be found.
var PlaceInvitation = LetterTemplate{Kind: LetterCall, Subject: "{{event}}: your sessions and what we need from you",
	Body: `Dear {{first_name}},

everything of yours for {{event}} is in one place: your proposals and sessions, with room and time once there are any, the letters we wrote to you, and your profile with your photo. There you can also say whether you come, and when you are away.

This link opens it. It is yours alone, so please do not pass it on:

{{place_link}}

The programme committee of {{event}}`}

// PreviewFree shows what a text would make of a letter of a mailing to somebody, with the values of all its
// placeholders. It
// answers Invalid as SaveMailing does, with the values alone, and NotFound.
func (p *Programme) PreviewFree(ctx context.Context, m *Mailing, contactID, subject, body string) (*LetterPreview,
	error) {
	bad := CleanLetterOf(LetterFree, &subject, &body)
	contact, err := store.One[Contact](p.read(ctx).Where("organization_id = ? AND id = ?", p.event.OrganizationID,
		contactID), ErrNoPerson)
	if err != nil {
		return nil, err
	}
	changes, err := p.ChangesOf(p.read(ctx), m)
	if err != nil {
		return nil, err
	}
	facts := p.freeFacts(contact, changes)
	out := &LetterPreview{Name: contact.FullName, Values: map[string]string{}}
	for _, x := range m.Placeholders() {
		out.Values[x.Name] = x.value(facts)
	}
	if bad == nil {
		out.Subject, out.Body = fillWith(subject, out.Values), fillWith(body, out.Values)
	}
	return out, bad
}
