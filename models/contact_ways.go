package models

import (
	"fmt"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Whoever holds a person's address may enter their place, and nobody else: their own address always, an alias if it
// says so. When an address no longer opens a place, its accounts, logins and mailed links end.

// opensPlace is the condition that the address of a row, in email_key, opens the place of its contact_id.
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
// access of others who only claim one of these addresses. ids are those people, or a query for them; but is the
// account that is proving an address right now, or "". Links mailed to an address that became a person's own open
// their place.
func EndWays(tx *store.Tx, ids any, but string) error {
	const unproven = `confirmed_at IS NULL AND contact_id IN (?) AND id <> ?`
	for _, of := range []struct {
		statement string
		values    []any
	}{
		{`UPDATE speaker_links SET account_id = NULL, contact_id = (SELECT a.contact_id FROM speaker_accounts a
				WHERE a.id = speaker_links.account_id)
			WHERE account_id IN (SELECT a.id FROM speaker_accounts a JOIN contacts c ON c.id = a.contact_id
				AND c.email_key = a.email_key WHERE a.confirmed_at IS NULL AND a.contact_id IN (?) AND a.id <> ?)`,
			[]any{ids, but}},
		{"DELETE FROM speaker_accounts WHERE " + unproven, []any{ids, but}},
		{`DELETE FROM speaker_accounts WHERE confirmed_at IS NOT NULL AND contact_id IN (?) AND NOT ` +
			opensPlace("speaker_accounts"), []any{ids}},
		{`DELETE FROM speaker_links WHERE contact_id IN (?) AND NOT ` + opensPlace("speaker_links"), []any{ids}},
	} {
		if err := tx.Exec(of.statement, of.values...).Error; err != nil {
			return err
		}
	}
	return EndClaims(tx, ids, but)
}

// EndClaims ends passwords and logins of accounts that claim an address of these people without having proven it. A
// link mailed to that address still proves it.
func EndClaims(tx *store.Tx, ids any, but string) error {
	if some, is := ids.([]string); is && len(some) == 0 {
		return nil
	}
	const claims = `SELECT a.id FROM speaker_accounts a JOIN %s o ON o.organization_id = a.organization_id
		AND o.email_key = a.email_key WHERE a.confirmed_at IS NULL AND a.id <> ? AND %s IN (?)`
	var found []string
	err := tx.Raw(fmt.Sprintf(claims, "contacts", "o.id")+" UNION "+
		fmt.Sprintf(claims, "contact_aliases", "o.opens AND o.contact_id"), but, ids, but, ids).Scan(&found).Error
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
