package models

import (
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

// contactsByEmail are the contacts of an organization that have one of some folded addresses, as their own or as an
// alias, by the address. It is the one place that knows whose an address is.
func contactsByEmail(db *gorm.DB, organizationID string, keys []string) (map[string]*Contact, error) {
	aliases, err := aliasesOf(db, organizationID, keys)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	var ids []string
	for _, key := range keys {
		if id := aliases[key]; id != "" {
			ids = append(ids, id)
		}
	}
	var rows []*Contact
	if err := db.Where("organization_id = ? AND (id IN ? OR email_key <> '' AND email_key IN ?)", organizationID, ids, keys).
		Find(&rows).Error; err != nil {
		return nil, err
	}
	found, byID := make(map[string]*Contact, len(rows)), map[string]*Contact{}
	for _, c := range rows {
		found[c.EmailKey], byID[c.ID] = c, c
	}
	for _, key := range keys {
		if c := byID[aliases[key]]; c != nil {
			found[key] = c
		}
	}
	delete(found, "")
	return found, nil
}

// contactByEmail is whose an address is, nil for nobody's.
func contactByEmail(db *gorm.DB, organizationID, email string) (*Contact, error) {
	found, err := contactsByEmail(db, organizationID, []string{store.Fold(email)})
	return found[store.Fold(email)], err
}

// dropAlias forgets an alias that is to be somebody's own address.
func dropAlias(tx *store.Tx, c *Contact) error {
	return tx.Where("contact_id = ? AND email_key = ?", c.ID, store.Fold(c.Email)).Delete(&ContactAlias{}).Error
}
