package models

import (
	"maps"
	"slices"

	"lectern/models/store"
)

// knownContacts are the existing contacts of some people.
type knownContacts struct {
	records       map[string]importedKey // by key, of earlier imports
	byID, byEmail map[string]*Contact
}

func (k *knownContacts) of(x importedPerson) *Contact {
	if c := k.byID[k.records[x.key].RecordID]; c != nil || x.Email == "" {
		return c
	}
	return k.byEmail[store.Fold(x.Email)]
}

func (k *knownContacts) add(c *Contact) {
	k.byID[c.ID] = c
	if c.EmailKey != "" {
		k.byEmail[c.EmailKey] = c
	}
}

// readContacts finds the contacts of earlier imports, and those of the
// organization with the e-mail addresses, and holds them.
func (i *importer) readContacts(tx *store.Tx, some []importedPerson) (*knownContacts, error) {
	var keys, emails, ids []string
	for _, x := range some {
		keys = append(keys, x.key)
		if x.Email != "" {
			emails = append(emails, store.Fold(x.Email))
		}
	}
	records, err := i.recordsOf(tx, keys, "contact")
	if err != nil {
		return nil, err
	}
	known := &knownContacts{records["contact"], map[string]*Contact{}, map[string]*Contact{}}
	for _, key := range keys {
		if id := known.records[key].RecordID; id != "" {
			ids = append(ids, id)
		}
	}
	aliases, err := aliasesOf(tx.DB, i.event.OrganizationID, emails)
	if err != nil {
		return nil, err
	}
	ids = append(ids, slices.Sorted(maps.Values(aliases))...)
	var rows []*Contact
	err = tx.Lock().Where("organization_id = ? AND (id IN ? OR email_key IN ?)", i.event.OrganizationID, ids, emails).
		Order("id").Find(&rows).Error
	for _, c := range rows {
		known.add(c)
	}
	for key, id := range aliases {
		if c := known.byID[id]; c != nil {
			known.byEmail[key] = c
		}
	}
	return known, err
}

// addContacts stores contacts. One whose address somebody else has taken meanwhile becomes theirs.
func (i *importer) addContacts(tx *store.Tx, added []*Contact) error {
	if len(added) == 0 {
		return nil
	}
	i.summary.Contacts.Created += len(added)
	made, err := insertContacts(tx, added...)
	if err != nil || made == int64(len(added)) {
		return err
	}
	for _, c := range added {
		if c.EmailKey == "" {
			continue
		}
		there, err := ContactByEmail(tx.DB, c.OrganizationID, c.Email)
		if err != nil {
			return err
		}
		if there == nil {
			return errTaken
		}
		*c = *there
	}
	return nil
}
