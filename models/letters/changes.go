package letters

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
)

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
	letters := make([]*models.Letter, len(ids))
	for i, id := range ids {
		letters[i] = &models.Letter{ID: store.NewID(), EventID: &ls.p.Event().ID, MailingID: &m.ID, Kind: models.LetterFree,
			ContactID: id, State: models.LetterDraft, CreatedAt: tx.Now, UpdatedAt: tx.Now}
	}
	if err := store.InsertInto(tx, "letters", letters); err != nil {
		return nil, err
	}
	return m, ls.redraft(tx, m)
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
