package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// AsViewer returns the programme for people who do not organize the event: without drafts of submissions, without
// people who only began or joined a draft, and without confidential fields of people.
func (p *Programme) AsViewer() *Programme {
	part := *p
	part.asViewer = true
	return &part
}

// AsReviewer is AsViewer for people who only review: people appear only where submissions and sessions name them.
func (p *Programme) AsReviewer() *Programme {
	part := *p.AsViewer()
	part.withoutPeople = true
	return &part
}

// notDrafts filters out the drafts that this handle must not show.
func (p *Programme) notDrafts(db *gorm.DB) *gorm.DB {
	if p.asViewer {
		db = db.Where(submitted)
	}
	return db
}

// VisibleActivity filters out activity about drafts and about people who only began one, unless organizers read it.
func (p *Programme) VisibleActivity(db *gorm.DB) *gorm.DB {
	if !p.asViewer {
		return db
	}
	if p.withoutPeople {
		db = db.Where("subject NOT IN ('contact', 'contact_import')")
	}
	return db.Where("NOT (subject = 'session' AND subject_id IN (SELECT id FROM sessions WHERE event_id = ? AND NOT "+submitted+"))",
		p.event.ID).Where("NOT (subject = 'contact' AND subject_id IN ("+beginners+"))", p.event.OrganizationID)
}

// beginners selects the people of an organization who began a draft of the call and are on nothing else.
const beginners = `SELECT x.contact_id FROM proposals b JOIN sessions s ON s.id = b.session_id AND s.status = 'draft'
	JOIN participants x ON x.event_id = b.event_id AND x.session_id = b.session_id
	WHERE b.contact_id <> '' AND b.event_id IN (SELECT id FROM events WHERE organization_id = ?)
	AND NOT EXISTS (SELECT 1 FROM participants y JOIN sessions t ON t.id = y.session_id
		WHERE y.contact_id = x.contact_id AND t.deleted_at IS NULL AND NOT (t.is_abstract AND t.status = 'draft'))`

// IsStranger is the SQL condition that account u belongs to a stranger: somebody known only by drafts of a call,
// begun with an address that nobody has proven, and whom staff never changed. Lists, searches, counts and files of
// people leave strangers out; their draft names them.
const IsStranger = `u.confirmed_at IS NULL AND EXISTS (SELECT 1 FROM contacts c WHERE c.id = u.contact_id AND c.email_key = '')
	AND NOT EXISTS (SELECT 1 FROM event_contacts h
		JOIN participants y ON y.event_id = h.event_id AND y.contact_id = h.contact_id
		JOIN sessions t ON t.id = y.session_id AND NOT (t.is_abstract AND t.status = 'draft') WHERE h.contact_id = u.contact_id)
	AND NOT EXISTS (SELECT 1 FROM activity l WHERE l.subject_id = u.contact_id AND l.subject = 'contact' AND l.door <> 'call')`

// strangers selects the ids of strangers; its one parameter is the organization's id.
const strangers = "SELECT u.contact_id FROM speaker_accounts u WHERE u.organization_id = ? AND " + IsStranger

// WithoutStrangers filters out strangers; column holds the contact's id.
func (d *Directory) WithoutStrangers(db *gorm.DB, column string) *gorm.DB {
	return db.Where(column+" NOT IN ("+strangers+")", d.ID)
}

// Listed narrows a query to the people that lists show: those of Seen without strangers.
func (d *Directory) Listed(db *gorm.DB) *gorm.DB {
	return d.WithoutStrangers(d.Seen(db), "contacts.id")
}

// listedCount returns an expression that counts the people of Listed. Every page asks for it, so it counts Seen by an
// index alone and subtracts the few strangers.
func (d *Directory) listedCount(ctx context.Context) clause.Expr {
	seen := func() *gorm.DB { return d.Seen(d.Read(ctx).Table("contacts")).Select("count(*)") }
	return gorm.Expr("(?) - (?)", seen(), seen().Where("contacts.id IN ("+strangers+")", d.ID))
}

// AsViewer returns the directory for somebody who organizes only the given events: it leaves out people who only
// began or joined a draft of another event, and hides confidential fields of people who are at none of the given
// events.
func (d *Directory) AsViewer(organized ...string) *Directory {
	part, events := *d, slices.Clone(organized)
	part.organized = &events
	return &part
}

// WithoutBeginners filters out the people that this directory must not show.
func (d *Directory) WithoutBeginners(db *gorm.DB) *gorm.DB {
	switch {
	case d.organized == nil:
		return db
	case len(*d.organized) == 0:
		return db.Where("contacts.id NOT IN ("+beginners+")", d.ID)
	}
	return db.Where("contacts.id NOT IN ("+beginners+" AND b.event_id NOT IN ?)", d.ID, *d.organized)
}

// notDrafts filters out the drafts, among sessions s, that this directory must not show; event names the column with
// their event.
func (d *Directory) notDrafts(db *gorm.DB, event string) *gorm.DB {
	switch {
	case d.organized == nil:
		return db
	case len(*d.organized) == 0:
		return db.Where("NOT (s.is_abstract AND s.status = 'draft')")
	}
	return db.Where("(NOT (s.is_abstract AND s.status = 'draft') OR "+event+" IN ?)", *d.organized)
}

// maskConfidential clears the confidential fields of people who are at no event that the reader organizes.
func (d *Directory) maskConfidential(db *gorm.DB, people map[string]*Person) error {
	if d.organized == nil {
		return nil
	}
	plain, ids := db.Session(&gorm.Session{NewDB: true}), slices.Sorted(maps.Keys(people))
	var told []string
	if len(*d.organized) > 0 {
		if err := plain.Model(&EventContact{}).Where("event_id IN ? AND contact_id IN ?", *d.organized, ids).
			Pluck("contact_id", &told).Error; err != nil {
			return err
		}
	}
	fields, err := d.fields(plain)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if p := people[id]; !slices.Contains(told, id) {
			for _, f := range fields {
				if f.IsConfidential() {
					f.hide(p)
				}
			}
		}
	}
	return nil
}

// hide clears the field's value.
func (f *ContactField) hide(p *Person) {
	switch value := f.get(p); {
	case f.IsOwn:
		delete(p.Files, value)
		delete(p.Own, f.Key)
	case f.Part == Answered:
		delete(p.Files, value)
		delete(p.Answers, f.Key)
	case value != "":
		f.Set(p, "")
	}
}

// ReadsConfidentialAt reports whether the reader may read what is for the event's organizers only: travel, needs and
// their notes.
func (d *Directory) ReadsConfidentialAt(eventID string) bool {
	return d.organized == nil || slices.Contains(*d.organized, eventID)
}

// MaskActivity removes values of confidential fields from activity about people, for readers who do not organize the
// event.
func (d *Directory) MaskActivity(db *gorm.DB, entries []*store.ActivityEntry) error {
	ofPeople := func(e *store.ActivityEntry) bool { return e.Subject == "contact" }
	if d.organized == nil || !slices.ContainsFunc(entries, ofPeople) {
		return nil
	}
	fields, err := d.fields(db)
	if err != nil {
		return err
	}
	confidential := map[string]bool{"questions": true} // the questions that somebody answered
	for _, f := range fields {
		confidential[f.Key] = f.IsConfidential()
	}
	// A deleted field counts as confidential: nobody knows any more who might read it.
	hidden := func(key string) bool { is, known := confidential[key]; return is || !known && store.IsID(key) }
	for _, e := range entries {
		if ofPeople(e) && !slices.Contains(*d.organized, e.EventID) {
			for _, facts := range []map[string]any{e.Before, e.After} {
				maps.DeleteFunc(facts, func(key string, _ any) bool { return hidden(key) })
			}
		}
	}
	return nil
}
