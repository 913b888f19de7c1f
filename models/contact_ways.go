package models

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Whoever holds a person's address, and nobody else, may enter their place: always by their own address, by an alias
// if it says so. When an address no longer opens a place, its accounts, logins and mailed links end.

// opensPlace returns the SQL condition that the email_key of a row opens the place of its contact_id.
func opensPlace(row string) string {
	return `(EXISTS (SELECT 1 FROM contacts c WHERE c.id = ` + row + `.contact_id AND c.email_key = ` + row + `.email_key)
		OR EXISTS (SELECT 1 FROM contact_aliases x WHERE x.contact_id = ` + row + `.contact_id
			AND x.email_key = ` + row + `.email_key AND x.opens))`
}

// Opens reports whether the holder of a folded address may enter a contact's place.
func Opens(db *gorm.DB, contactID, emailKey string) (bool, error) {
	var found int64
	err := db.Session(&gorm.Session{NewDB: true}).
		Table("(SELECT CAST(? AS text) AS contact_id, CAST(? AS text) AS email_key) w", contactID, emailKey).
		Where(opensPlace("w")).Count(&found).Error
	return found > 0 && emailKey != "", err
}

// EndWays ends the access of people whose addresses changed, unless an address still opens their place, and the
// access of others who only claim one of these addresses. ids are the ids of those people, or a query for them; except
// is the id of the account that is proving an address right now, or "". A link mailed to an address that became a
// person's own from then on opens their place.
func EndWays(tx *store.Tx, ids any, except string) error {
	const unproven = `confirmed_at IS NULL AND contact_id IN (?) AND id <> ?`
	for _, of := range []struct {
		statement string
		values    []any
	}{
		{`UPDATE speaker_links SET account_id = NULL, contact_id = (SELECT a.contact_id FROM speaker_accounts a
				WHERE a.id = speaker_links.account_id)
			WHERE account_id IN (SELECT a.id FROM speaker_accounts a JOIN contacts c ON c.id = a.contact_id
				AND c.email_key = a.email_key WHERE a.confirmed_at IS NULL AND a.contact_id IN (?) AND a.id <> ?)`,
			[]any{ids, except}},
		{"DELETE FROM speaker_accounts WHERE " + unproven, []any{ids, except}},
		{`DELETE FROM speaker_accounts WHERE confirmed_at IS NOT NULL AND contact_id IN (?) AND NOT ` +
			opensPlace("speaker_accounts"), []any{ids}},
		{`DELETE FROM speaker_links WHERE contact_id IN (?) AND NOT ` + opensPlace("speaker_links"), []any{ids}},
		{`DELETE FROM speaker_links WHERE co_speaker_id IN (SELECT k.id FROM co_speakers k
			WHERE k.contact_id IN (?) AND NOT ` + opensPlace("k") + ")", []any{ids}},
	} {
		if err := tx.Exec(of.statement, of.values...).Error; err != nil {
			return err
		}
	}
	return EndClaims(tx, ids, except)
}

// EndClaims ends passwords and logins of accounts that claim an address of these people without having proven it,
// except the account except. A link mailed to that address still proves it.
func EndClaims(tx *store.Tx, ids any, except string) error {
	if some, is := ids.([]string); is && len(some) == 0 {
		return nil
	}
	const claims = `SELECT a.id FROM speaker_accounts a JOIN %s o ON o.organization_id = a.organization_id
		AND o.email_key = a.email_key WHERE a.confirmed_at IS NULL AND a.id <> ? AND %s IN (?)`
	var found []string
	err := tx.Raw(fmt.Sprintf(claims, "contacts", "o.id")+" UNION "+
		fmt.Sprintf(claims, "contact_aliases", "o.opens AND o.contact_id"), except, ids, except, ids).Scan(&found).Error
	if err != nil || len(found) == 0 {
		return err
	}
	if err := tx.Exec("DELETE FROM speaker_logins WHERE account_id IN ?", found).Error; err != nil {
		return err
	}
	return tx.Exec("UPDATE speaker_accounts SET password_hash = '' WHERE id IN ?", found).Error
}

// movedAway returns the ids of existing people whose address changed or was removed.
func movedAway(changes []difference) (ids []string) {
	for _, c := range changes {
		if c.Before != nil && c.Before.EmailKey != c.After.EmailKey {
			ids = append(ids, c.After.ID)
		}
	}
	return ids
}

// ContactAlias is a further address of a contact, from a contact that was merged into it. No other contact has it, as
// an alias or its own.
type ContactAlias struct {
	OrganizationID string
	EmailKey       string
	Email          string
	ContactID      string
	CreatedAt      store.Time
	Opens          bool // whoever holds it may enter their place
}

// Aliases returns a contact's further addresses, in order.
func (d *Directory) Aliases(ctx context.Context, contactID string) (emails []string, err error) {
	if guest, err := d.IsGuest(ctx, contactID); err != nil || guest {
		return nil, err
	}
	return emails, d.Read(ctx).Model(&ContactAlias{}).Where("organization_id = ? AND contact_id = ?", d.ID, contactID).
		Order("email_key").Pluck("email", &emails).Error
}

// AliasesOf returns the ids of contacts by those folded addresses that are their aliases.
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

// IDsByEmail returns the ids of contacts by folded address, own or alias. It alone decides whose an address is.
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

// contactsByEmail reads the contacts that IDsByEmail finds, by folded address.
func contactsByEmail(db *gorm.DB, organizationID string, keys []string) (map[string]*Contact, error) {
	ids, err := IDsByEmail(db, organizationID, keys)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	var rows []*Contact
	err = db.Session(&gorm.Session{NewDB: true}).Where("organization_id = ? AND id IN ?", organizationID,
		slices.Sorted(maps.Values(ids))).Find(&rows).Error
	found, byID := make(map[string]*Contact, len(ids)), store.ByKey(rows, func(c *Contact) string { return c.ID })
	for key, id := range ids {
		if c := byID[id]; c != nil {
			found[key] = c
		}
	}
	return found, err
}

// ContactByEmail returns the contact with an address, own or alias, or nil.
func ContactByEmail(db *gorm.DB, organizationID, email string) (*Contact, error) {
	found, err := contactsByEmail(db, organizationID, []string{store.Fold(email)})
	return found[store.Fold(email)], err
}

// ReleaseAlias deletes an alias that opens nothing, because somebody else proved that the address is theirs.
func ReleaseAlias(tx *store.Tx, organizationID, email string) error {
	return tx.Where("organization_id = ? AND email_key = ? AND NOT opens", organizationID, store.Fold(email)).
		Delete(&ContactAlias{}).Error
}

// ContactBy returns the organization's contact with an address, own or alias, or nil.
func (d *Directory) ContactBy(ctx context.Context, email string) (*Contact, error) {
	return ContactByEmail(d.Read(ctx), d.ID, email)
}
