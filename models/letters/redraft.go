package letters

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
)

// Mailing is one free text to several people. Each of them has a letter, which is a draft until it is sent.
type Mailing struct {
	ID            string
	EventID       string
	VersionID     *string // the agenda version that it is about; mostly nil
	Subject, Body string  // with placeholders
	Version       int     // its token; 0 while it has no text
	ByName        string
	CreatedAt     store.Time
	UpdatedAt     store.Time
}

var (
	errNoMailing    = store.NoSuch("letter")
	errMailingEmpty = store.Invalidf("people", "are not chosen: there is nobody to write to")
)

// redraft rewrites a mailing's drafts from its text, except those edited by hand.
func (ls *Letters) redraft(tx *store.Tx, m *Mailing) error {
	var letters []*models.Letter
	if err := tx.Lock().Where("event_id = ? AND mailing_id = ? AND state = 'draft' AND NOT is_edited", ls.p.Event().ID, m.ID).
		Order(models.LetterLockOrder).Find(&letters).Error; err != nil || len(letters) == 0 {
		return err
	}
	var people []*models.Contact
	if err := tx.Select("id, first_name, full_name, company_name").Where("organization_id = ? AND id IN (?)", ls.p.Event().OrganizationID,
		tx.Session(&gorm.Session{NewDB: true}).Model(&models.Letter{}).Where("mailing_id = ?", m.ID).Select("contact_id")).
		Find(&people).Error; err != nil {
		return err
	}
	changes, err := ls.changesOf(tx.DB, m)
	if err != nil {
		return err
	}
	byID := store.ByKey(people, func(x *models.Contact) string { return x.ID })
	for _, l := range letters {
		contact := byID[l.ContactID]
		if contact == nil { // the contact is gone
			contact = &models.Contact{}
		}
		l.Write(m.template(), ls.freeFacts(contact, changes))
		l.UpdatedAt = tx.Now.Following(l.UpdatedAt)
	}
	return tx.Session(&gorm.Session{NewDB: true}).Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}},
		DoUpdates: clause.AssignmentColumns([]string{"subject", "body", "missing", "template_version", "updated_at"})}).
		CreateInBatches(letters, tx.InsertRows()).Error
}

// Placeholders returns the placeholders that have a value in the mailing's letters.
func (m *Mailing) Placeholders() []models.Placeholder {
	return slices.DeleteFunc(models.PlaceholdersOf(models.LetterFree), func(x models.Placeholder) bool {
		return x.Name == models.ChangesPlaceholder && m.VersionID == nil
	})
}

func (m *Mailing) template() *models.LetterTemplate {
	return &models.LetterTemplate{Kind: models.LetterFree, Subject: m.Subject, Body: m.Body, Version: m.Version}
}

// mailingIn returns a mailing of the event. It answers NotFound.
func (ls *Letters) mailingIn(db *gorm.DB, id string) (*Mailing, error) {
	return store.OneByID[Mailing](db.Where("event_id = ?", ls.p.Event().ID), id, errNoMailing)
}

// Starters are built-in texts with which a free letter can begin, besides those that staff save. Their IDs are words.
var Starters = []models.LetterTemplate{{ID: "invitation", Kind: models.LetterFree, Name: "Invitation to speak",
	Subject: "Would you speak at {{event}}?", Body: `Dear {{first_name}},

we are putting together the programme of {{event}} and would like you to be part of it.

Would you come and speak? Please answer this letter, and we will talk about what and when.

The programme committee of {{event}}`},
	{ID: PlaceText, Kind: models.LetterFree, Name: "Invitation to their place", Subject: PlaceInvitation.Subject,
		Body: PlaceInvitation.Body}}

// PlaceText is the id of the starter that invites people to their places.
const PlaceText = "place"

// PlaceInvitation invites somebody to their place.
var PlaceInvitation = models.LetterTemplate{Kind: models.LetterCall, Subject: "{{event}}: your sessions and what we need from you",
	Body: `Dear {{first_name}},

everything of yours for {{event}} is in one place: your proposals and sessions, with room and time once there are any, the letters we wrote to you, and your profile with your photo. There you can also say whether you come, and when you are away.

This link opens it. It is yours alone, so please do not pass it on:

{{place_link}}

The programme committee of {{event}}`}

// PreviewFree shows how a text would read in a mailing's letter to somebody, with the values of all placeholders. It
// answers Invalid as SaveMailing does, together with the values, and NotFound.
func (ls *Letters) PreviewFree(ctx context.Context, m *Mailing, contactID, subject, body string) (*LetterPreview,
	error) {
	bad := models.CleanLetterOf(models.LetterFree, &subject, &body)
	contact, err := store.One[models.Contact](ls.p.Read(ctx).Where("organization_id = ? AND id = ?", ls.p.Event().OrganizationID,
		contactID), models.ErrNoPerson)
	if err != nil {
		return nil, err
	}
	changes, err := ls.changesOf(ls.p.Read(ctx), m)
	if err != nil {
		return nil, err
	}
	facts := ls.freeFacts(contact, changes)
	out := &LetterPreview{Name: contact.FullName, Values: map[string]string{}}
	for _, x := range m.Placeholders() {
		out.Values[x.Name] = x.Value(facts)
	}
	if bad == nil {
		out.Subject, out.Body = models.FillWith(subject, out.Values), models.FillWith(body, out.Values)
	}
	return out, bad
}

// ChangesText is the default text of letters about a version.
var ChangesText = models.LetterTemplate{ID: "changes", Kind: models.LetterFree, Name: "The agenda changed",
	Subject: "{{event}}: news of your session", Body: `Dear {{first_name}},

this is new on the agenda of {{event}}:

{{changes}}

If that does not suit you, please answer this letter as soon as you can.

The programme committee of {{event}}`}

// DraftChangeLetters drafts one mailing with a letter to each person whose sessions a version changed. Nothing is
// sent. It answers NotFound, and Invalid for a text that SaveMailing refuses, for a version that concerns nobody, and
// if its letters are drafted already.
func (ls *Letters) DraftChangeLetters(ctx context.Context, versionID, subject, body string) (*Mailing, error) {
	if err := models.CleanLetterOf(models.LetterFree, &subject, &body); err != nil {
		return nil, err
	}
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (*Mailing, error) {
		v, changes, err := agenda.Of(ls.p).ChangesIn(tx.DB, versionID)
		if err != nil {
			return nil, err
		}
		return ls.draftChanges(tx, v, changes, subject, body)
	})
}

// ReleaseAgenda releases the agenda and, if it has a text for letters, drafts one to each person concerned.
func (ls *Letters) ReleaseAgenda(ctx context.Context, r agenda.Release) (*agenda.Version, error) {
	draft := func(tx *store.Tx, v *agenda.Version, changes []agenda.Change, subject, body string) error {
		_, err := ls.draftChanges(tx, v, changes, subject, body)
		return err
	}
	return agenda.Of(ls.p).Release(ctx, r, draft)
}

// draftChanges creates the mailing of a version with its drafts.
func (ls *Letters) draftChanges(tx *store.Tx, v *agenda.Version, changes []agenda.Change, subject,
	body string) (*Mailing, error) {
	ids := store.Map(agenda.Concerned(changes), func(x agenda.Person) string { return x.ContactID })
	if len(ids) == 0 {
		return nil, errMailingEmpty
	}
	m := &Mailing{ID: store.NewID(), EventID: ls.p.Event().ID, VersionID: &v.ID, Subject: subject, Body: body, Version: 1,
		ByName: ls.p.By().ActorName, CreatedAt: tx.Now, UpdatedAt: tx.Now}
	if err := tx.Create(m).Error; err != nil {
		if store.IsDuplicate(err) {
			err = store.Invalidf("letters", "about version %d are drafted already", v.Number)
		}
		return nil, err
	}
	if err := m.addDrafts(tx, ids); err != nil {
		return nil, err
	}
	return m, ls.redraft(tx, m)
}

// addDrafts adds an empty draft of the mailing for each person.
func (m *Mailing) addDrafts(tx *store.Tx, contactIDs []string) error {
	return store.InsertInto(tx, "letters", store.Map(contactIDs, func(id string) *models.Letter {
		return &models.Letter{ID: store.NewID(), EventID: &m.EventID, MailingID: &m.ID, Kind: models.LetterFree,
			ContactID: id, State: models.LetterDraft, CreatedAt: tx.Now, UpdatedAt: tx.Now}
	}))
}

// MailingOf returns the mailing about a version, or nil.
func (ls *Letters) MailingOf(ctx context.Context, versionID string) (*Mailing, error) {
	return store.One[Mailing](ls.p.Read(ctx).Where("event_id = ? AND version_id = ?", ls.p.Event().ID, versionID), nil)
}

// freeFacts returns the values of the placeholders of a mailing for one person.
func (ls *Letters) freeFacts(contact *models.Contact, changes []agenda.Change) *models.LetterFacts {
	return &models.LetterFacts{Event: ls.p.Event(), Contact: contact,
		Changes: agenda.ChangesFor(contact.ID, changes, ls.p.Event().Location())}
}

// changesOf returns what the version of a mailing changed; nothing if the mailing is about no version.
func (ls *Letters) changesOf(db *gorm.DB, m *Mailing) ([]agenda.Change, error) {
	if m.VersionID == nil {
		return nil, nil
	}
	_, changes, err := agenda.Of(ls.p).ChangesIn(db.Session(&gorm.Session{NewDB: true}), *m.VersionID)
	return changes, err
}
