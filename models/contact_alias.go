package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// ContactAlias is an address by which somebody is known besides their own: that of a contact that was merged into them.
// Nobody else has it, neither as an alias nor as their own.
type ContactAlias struct {
	OrganizationID string
	EmailKey       string
	Email          string
	ContactID      string
	CreatedAt      store.Time
	Opens          bool // whoever has it may come in to their place
}

// Aliases are the addresses by which somebody is known besides their own, in their order.
func (d *Directory) Aliases(ctx context.Context, contactID string) (emails []string, err error) {
	if guest, err := d.isGuest(ctx, contactID); err != nil || guest {
		return nil, err
	}
	return emails, d.Read(ctx).Model(&ContactAlias{}).Where("organization_id = ? AND contact_id = ?", d.ID, contactID).
		Order("email_key").Pluck("email", &emails).Error
}

// aliasesOf are the ids of those who have one of some folded addresses as an alias, by the address.
func aliasesOf(db *gorm.DB, organizationID string, keys []string) (map[string]string, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var rows []*ContactAlias
	err := db.Session(&gorm.Session{NewDB: true}).Where("organization_id = ? AND email_key IN ?", organizationID, keys).
		Find(&rows).Error
	ids := make(map[string]string, len(rows))
	for _, row := range rows {
		ids[row.EmailKey] = row.ContactID
	}
	return ids, err
}

// IDsByEmail are the ids of an organization's contacts that have one of some folded addresses, as their own or as an
// alias, by the address. It is the one place that knows whose an address is.
func IDsByEmail(db *gorm.DB, organizationID string, keys []string) (map[string]string, error) {
	found, err := aliasesOf(db, organizationID, keys)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	var rows []*Contact
	err = db.Session(&gorm.Session{NewDB: true}).Select("id, email_key").
		Where("organization_id = ? AND email_key <> '' AND email_key IN ?", organizationID, keys).Find(&rows).Error
	for _, c := range rows {
		found[c.EmailKey] = c.ID
	}
	return found, err
}

// contactsByEmail are those whose ids IDsByEmail finds, by the address.
func contactsByEmail(db *gorm.DB, organizationID string, keys []string) (map[string]*Contact, error) {
	ids, err := IDsByEmail(db, organizationID, keys)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	var rows []*Contact
	err = db.Session(&gorm.Session{NewDB: true}).Where("organization_id = ? AND id IN ?", organizationID,
		slices.Sorted(maps.Values(ids))).Find(&rows).Error
	found, byID := make(map[string]*Contact, len(ids)), make(map[string]*Contact, len(rows))
	for _, c := range rows {
		byID[c.ID] = c
	}
	for key, id := range ids {
		if c := byID[id]; c != nil {
			found[key] = c
		}
	}
	return found, err
}

// ContactByEmail is whose an address is, nil for nobody's.
func ContactByEmail(db *gorm.DB, organizationID, email string) (*Contact, error) {
	found, err := contactsByEmail(db, organizationID, []string{store.Fold(email)})
	return found[store.Fold(email)], err
}

// ReleaseAlias forgets an alias that opens nothing, as whoever has the address has proven to be somebody else.
func ReleaseAlias(tx *store.Tx, organizationID, email string) error {
	return tx.Where("organization_id = ? AND email_key = ? AND NOT opens", organizationID, store.Fold(email)).
		Delete(&ContactAlias{}).Error
}

// dropAlias forgets an alias that is to be somebody's own address.
func dropAlias(tx *store.Tx, c *Contact) error {
	return tx.Where("contact_id = ? AND email_key = ?", c.ID, store.Fold(c.Email)).Delete(&ContactAlias{}).Error
}

// ContactBy is who of the organization has an address, as their own or as an alias; nil for nobody.
func (d *Directory) ContactBy(ctx context.Context, email string) (*Contact, error) {
	return ContactByEmail(d.Read(ctx), d.ID, email)
}
