package models

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// IsStranger is the condition that an account u is of somebody known by nothing but drafts of a call, which they began
// with an address that nobody has proven: staff did nothing with them. Whose account it is no list, search, count or
// file of people has; their draft names them.
const IsStranger = `u.confirmed_at IS NULL AND EXISTS (SELECT 1 FROM contacts c WHERE c.id = u.contact_id AND c.email_key = '')
	AND NOT EXISTS (SELECT 1 FROM event_contacts h
		JOIN participants y ON y.event_id = h.event_id AND y.contact_id = h.contact_id
		JOIN sessions t ON t.id = y.session_id AND NOT (t.is_abstract AND t.status = 'draft') WHERE h.contact_id = u.contact_id)
	AND NOT EXISTS (SELECT 1 FROM activity l WHERE l.subject_id = u.contact_id AND l.subject = 'contact' AND l.door <> 'call')`

// strangers selects the people of an organization, given once, who are strangers.
const strangers = "SELECT u.contact_id FROM speaker_accounts u WHERE u.organization_id = ? AND " + IsStranger

// WithoutStrangers filters out strangers, by the column of the contact's id.
func (d *Directory) WithoutStrangers(db *gorm.DB, column string) *gorm.DB {
	return db.Where(column+" NOT IN ("+strangers+")", d.ID)
}

// Listed is Seen without strangers, who are on no list.
func (d *Directory) Listed(db *gorm.DB) *gorm.DB {
	return d.WithoutStrangers(d.Seen(db), "contacts.id")
}

// listedCount is how many Listed keeps. All who are seen are counted by an index alone, and strangers, who are few, apart:
// every page asks for it.
func (d *Directory) listedCount(ctx context.Context) clause.Expr {
	seen := func() *gorm.DB { return d.Seen(d.Read(ctx).Table("contacts")).Select("count(*)") }
	return gorm.Expr("(?) - (?)", seen(), seen().Where("contacts.id IN ("+strangers+")", d.ID))
}
