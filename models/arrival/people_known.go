package arrival

import (
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// knownContacts are the existing contacts of some people.
type knownContacts struct {
	records       map[string]imported // of earlier imports, by key
	byID, byEmail map[string]*models.Contact
}

func (k *knownContacts) of(x importedPerson) *models.Contact {
	if c := k.byID[k.records[x.key].RecordID]; c != nil || x.Email == "" {
		return c
	}
	return k.byEmail[store.Fold(x.Email)]
}

func (k *knownContacts) add(c *models.Contact) {
	k.byID[c.ID] = c
	if c.EmailKey != "" {
		k.byEmail[c.EmailKey] = c
	}
}

// readContacts finds and locks the contacts of earlier imports, and those of the organization with the e-mail
// addresses.
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
	known := &knownContacts{records["contact"], map[string]*models.Contact{}, map[string]*models.Contact{}}
	for _, key := range keys {
		if id := known.records[key].RecordID; id != "" {
			ids = append(ids, id)
		}
	}
	aliases, err := models.AliasesOf(tx.DB, i.Event().OrganizationID, emails)
	if err != nil {
		return nil, err
	}
	ids = append(ids, slices.Sorted(maps.Values(aliases))...)
	var rows []*models.Contact
	err = tx.Lock().Where("organization_id = ? AND (id IN ? OR email_key IN ?)", i.Event().OrganizationID, ids, emails).
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

// addContacts inserts contacts. One whose address somebody else has taken meanwhile becomes that contact.
func (i *importer) addContacts(tx *store.Tx, added []*models.Contact) error {
	if len(added) == 0 {
		return nil
	}
	i.summary.Contacts.Created += len(added)
	made, err := models.InsertContacts(tx, added...)
	if err != nil || made == int64(len(added)) {
		return err
	}
	for _, c := range added {
		if c.EmailKey == "" {
			continue
		}
		there, err := models.ContactByEmail(tx.DB, c.OrganizationID, c.Email)
		if err != nil {
			return err
		}
		if there == nil {
			return models.ErrTaken
		}
		*c = *there
	}
	return nil
}
