package models

import (
	"slices"

	"gorm.io/gorm"
)

// WithoutDrafts is the programme as somebody sees it who is not told of drafts of submissions, nor of who did no more
// than begin one, or join it.
func (p *Programme) WithoutDrafts() *Programme {
	part := *p
	part.noDrafts = true
	return &part
}

// notDrafts keeps of sessions those of which this programme tells.
func (p *Programme) notDrafts(db *gorm.DB) *gorm.DB {
	if p.noDrafts {
		db = db.Where(submitted)
	}
	return db
}

// toldLines keeps of the activity what does not tell of a draft, or of who did no more than begin one.
func (p *Programme) toldLines(db *gorm.DB) *gorm.DB {
	if !p.noDrafts {
		return db
	}
	return db.Where("NOT (subject = 'session' AND subject_id IN (SELECT id FROM sessions WHERE event_id = ? AND NOT "+submitted+"))",
		p.event.ID).Where("NOT (subject = 'contact' AND subject_id IN ("+beginners+"))", p.event.OrganizationID)
}

// beginners are the people of drafts of the call that somebody began, in an organization, who are on nothing else.
const beginners = `SELECT x.contact_id FROM proposals b JOIN sessions s ON s.id = b.session_id AND s.status = 'draft'
	JOIN participants x ON x.event_id = b.event_id AND x.session_id = b.session_id
	WHERE b.contact_id <> '' AND b.event_id IN (SELECT id FROM events WHERE organization_id = ?)
	AND NOT EXISTS (SELECT 1 FROM participants y JOIN sessions t ON t.id = y.session_id
		WHERE y.contact_id = x.contact_id AND t.deleted_at IS NULL AND NOT (t.is_abstract AND t.status = 'draft'))`

// WithoutDrafts is the directory as somebody sees it who is told of drafts of some events alone: who did no more than
// begin another one, or join it, is not there.
func (d *Directory) WithoutDrafts(but ...string) *Directory {
	part, events := *d, slices.Clone(but)
	part.drafts = &events
	return &part
}

// withoutBeginners keeps of contacts those of whom this directory tells.
func (d *Directory) withoutBeginners(db *gorm.DB) *gorm.DB {
	switch {
	case d.drafts == nil:
		return db
	case len(*d.drafts) == 0:
		return db.Where("contacts.id NOT IN ("+beginners+")", d.ID)
	}
	return db.Where("contacts.id NOT IN ("+beginners+" AND b.event_id NOT IN ?)", d.ID, *d.drafts)
}

// notDrafts keeps of sessions s those of which this directory tells, by the column of their event.
func (d *Directory) notDrafts(db *gorm.DB, event string) *gorm.DB {
	switch {
	case d.drafts == nil:
		return db
	case len(*d.drafts) == 0:
		return db.Where("NOT (s.is_abstract AND s.status = 'draft')")
	}
	return db.Where("(NOT (s.is_abstract AND s.status = 'draft') OR "+event+" IN ?)", *d.drafts)
}
