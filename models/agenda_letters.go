package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// changesPlaceholder is the one placeholder that stands for several lines.
const changesPlaceholder = "changes"

// ChangesText is the default text of letters about a version.
var ChangesText = LetterTemplate{ID: "changes", Kind: LetterFree, Name: "The agenda changed",
	Subject: "{{event}}: news of your session", Body: `Dear {{first_name}},

this is new on the agenda of {{event}}:

{{changes}}

If that does not suit you, please answer this letter as soon as you can.

The programme committee of {{event}}`}

// DraftChangeLetters drafts one mailing with a letter to each person whose sessions a version changed. Nothing is
// sent. It answers NotFound, and Invalid for a text that SaveMailing refuses, for a version that concerns nobody, and
// if its letters are drafted already.
func (p *Programme) DraftChangeLetters(ctx context.Context, versionID, subject, body string) (*Mailing, error) {
	if err := CleanLetterOf(LetterFree, &subject, &body); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Mailing, error) {
		v, err := p.version(tx.DB, versionID)
		if err != nil {
			return nil, err
		}
		changes, err := p.versionChanges(tx.DB, v)
		if err != nil {
			return nil, err
		}
		return p.draftChanges(tx, v, changes, subject, body)
	})
}

// draftChanges creates the mailing of a version with its drafts.
func (p *Programme) draftChanges(tx *store.Tx, v *AgendaVersion, changes []AgendaChange, subject,
	body string) (*Mailing, error) {
	var ids []string
	for _, x := range Concerned(changes) {
		ids = append(ids, x.ContactID)
	}
	if len(ids) == 0 {
		return nil, ErrMailingEmpty
	}
	m := &Mailing{ID: store.NewID(), EventID: p.event.ID, VersionID: &v.ID, Subject: subject, Body: body, Version: 1,
		ByName: p.by.ActorName, CreatedAt: tx.Now, UpdatedAt: tx.Now}
	if err := tx.Create(m).Error; err != nil {
		if store.IsTaken(err) {
			err = store.Invalidf("letters", "about version %d are drafted already", v.Number)
		}
		return nil, err
	}
	letters := make([]*Letter, len(ids))
	for i, id := range ids {
		letters[i] = &Letter{ID: store.NewID(), EventID: &p.event.ID, MailingID: &m.ID, Kind: LetterFree, ContactID: id,
			State: LetterDraft, CreatedAt: tx.Now, UpdatedAt: tx.Now}
	}
	if err := store.InsertInto(tx, "letters", letters); err != nil {
		return nil, err
	}
	return m, p.Redraft(tx, m)
}

// MailingOf returns the mailing about a version, or nil.
func (p *Programme) MailingOf(ctx context.Context, versionID string) (*Mailing, error) {
	return store.One[Mailing](p.read(ctx).Where("event_id = ? AND version_id = ?", p.event.ID, versionID), nil)
}

// ChangesOf returns what the version of a mailing changed; nothing if the mailing is about no version.
func (p *Programme) ChangesOf(db *gorm.DB, m *Mailing) ([]AgendaChange, error) {
	if m.VersionID == nil {
		return nil, nil
	}
	db = db.Session(&gorm.Session{NewDB: true})
	v, err := p.version(db, *m.VersionID)
	if err != nil {
		return nil, err
	}
	return p.versionChanges(db, v)
}

// freeFacts returns the values of the placeholders of a mailing for one person.
func (p *Programme) freeFacts(contact *Contact, changes []AgendaChange) *letterFacts {
	return &letterFacts{event: p.event, contact: contact, changes: changesFor(contact.ID, changes, p.event.Location())}
}

// PublicVersions returns the newest released agendas for everybody, at most limit, each with its changes. The first
// version lists none, because all of it was new.
func (p *Programme) PublicVersions(ctx context.Context, limit int) (out []PublicVersion, err error) {
	err = p.store.Snapshot(ctx, func(db *gorm.DB) error {
		var versions []*AgendaVersion
		if err := db.Where("event_id = ?", p.event.ID).Order("number DESC").Limit(limit +
			1).Find(&versions).Error; err != nil {
			return err
		}
		var is []*AgendaEntry
		for i, v := range versions {
			was := is // of the version after this one
			if is, err = p.agendaOf(db, v.ID, someSessions{}); err != nil {
				return err
			}
			if i > 0 {
				for _, c := range AgendaDifference(is, was) {
					out[i-1].Changes = append(out[i-1].Changes, c.public())
				}
			}
			if i < limit {
				out = append(out, PublicVersion{Number: v.Number, Name: v.Name, Note: v.Note, ReleasedAt: v.CreatedAt})
			}
		}
		return nil
	})
	return out, err
}
