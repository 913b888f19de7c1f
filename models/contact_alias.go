package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// ContactAlias is a further address of a contact, from a contact that was merged into it. No other contact has it, as
// an alias or its own.
type ContactAlias struct {
	OrganizationID string
	EmailKey       string
	Email          string
	ContactID      string
	CreatedAt      store.Time
	Opens          bool // whoever has it may come in to their place
}

// Aliases returns a contact's further addresses, in order.
func (d *Directory) Aliases(ctx context.Context, contactID string) (emails []string, err error) {
	if guest, err := d.isGuest(ctx, contactID); err != nil || guest {
		return nil, err
	}
	return emails, d.Read(ctx).Model(&ContactAlias{}).Where("organization_id = ? AND contact_id = ?", d.ID, contactID).
		Order("email_key").Pluck("email", &emails).Error
}

// AliasesOf returns the contact ids of those folded addresses that are aliases, by address.
func AliasesOf(db *gorm.DB, organizationID string, keys []string) (map[string]string, error) {
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

// IDsByEmail returns the contact ids of folded addresses, own or alias, by address. It alone decides whose an address
// is.
func IDsByEmail(db *gorm.DB, organizationID string, keys []string) (map[string]string, error) {
	found, err := AliasesOf(db, organizationID, keys)
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

// contactsByEmail reads the contacts that IDsByEmail finds, by address.
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

// ContactByEmail returns the contact with an address, or nil.
func ContactByEmail(db *gorm.DB, organizationID, email string) (*Contact, error) {
	found, err := contactsByEmail(db, organizationID, []string{store.Fold(email)})
	return found[store.Fold(email)], err
}

// ReleaseAlias deletes an alias that opens nothing, because somebody else proved the address to be theirs.
func ReleaseAlias(tx *store.Tx, organizationID, email string) error {
	return tx.Where("organization_id = ? AND email_key = ? AND NOT opens", organizationID, store.Fold(email)).
		Delete(&ContactAlias{}).Error
}

// dropAlias deletes the alias that becomes the contact's own address.
func dropAlias(tx *store.Tx, c *Contact) error {
	return tx.Where("contact_id = ? AND email_key = ?", c.ID, store.Fold(c.Email)).Delete(&ContactAlias{}).Error
}

// ContactBy returns the organization's contact with an address, own or alias, or nil.
func (d *Directory) ContactBy(ctx context.Context, email string) (*Contact, error) {
	return ContactByEmail(d.Read(ctx), d.ID, email)
}
