package arrival

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// Person is a person in another system.
type Person struct {
	Key string
	models.NewContact
	Away string // Absences at this event, one per line
}

// People brings people, without their invalid fields. Somebody whose address the organization knows becomes that
// contact, whose name stays, and whose biography stays if there is one.
func (a *Arrival) People(ctx context.Context, all []Person) error {
	a.people = map[string]*models.Contact{}
	var some []Person
	for _, x := range all {
		if err := x.NewContact.Clean(); err != nil {
			x.emptyFaulty(err)
			if x.NewContact.Clean() != nil {
				a.Skip(x.Key, x.FirstName+" "+x.LastName, "does not come: "+err.Error())
				continue
			}
			a.Skip(x.Key, x.FirstName+" "+x.LastName, "comes without what breaks a rule: "+err.Error())
		}
		some = append(some, x)
	}
	return a.importPeople(ctx, some)
}

// emptyFaulty clears the fields that an error names.
func (x *Person) emptyFaulty(refused error) {
	var faults *store.Error
	if !errors.As(refused, &faults) {
		return
	}
	fields := map[string]*string{"email": &x.Email, "company_name": &x.CompanyName, "job_title": &x.JobTitle,
		"phone": &x.Phone, "website_url": &x.WebsiteURL, "linkedin_url": &x.LinkedinURL, "about": &x.About,
		"photo_url": &x.PhotoURL}
	for _, fault := range faults.Fields {
		if field := fields[fault.Field]; field != nil {
			*field = ""
		}
	}
}

// facts returns the facts about somebody that are compared later.
func (x *Person) facts() map[string]any {
	return map[string]any{"name": x.FirstName + " " + x.LastName, "about": x.About, "away": x.Away}
}

// updateArrived writes what the other system says differently than the last time, about people who were here before.
// Profiles that the importer may not change (beyond) stay.
func (i *importer) updateArrived(tx *store.Tx, some []Person, added []*models.Contact, beyond map[string]bool,
	last map[string]imported) error {
	var changed []string
	for _, x := range some {
		c, before, said := i.people[x.Key], last[x.Key].Said, i.hashes(x.facts())
		isAway, err := i.setAway(tx, &x, c, before, said)
		if err != nil {
			return err
		}
		differs := !beyond[c.ID] && !slices.Contains(added, c) && x.onto(new(*c), before, said)
		switch {
		case slices.Contains(added, c):
		case differs || isAway && before != nil:
			i.summary.Contacts.Updated++
		default:
			i.summary.Contacts.Unchanged++
		}
		if differs {
			i.replaced(x.Key, c.FullName, before, map[string]any{"name": c.FirstName + " " + c.LastName, "about": c.About}, said)
			x.onto(c, before, said)
			if err := models.UpdateContact(tx, c); err != nil {
				return err
			}
			changed = append(changed, c.ID)
		}
		row := imported{EventID: i.Event().ID, Kind: "contact", Key: x.Key, RecordID: c.ID, Said: said}
		if err := i.keep(tx, before, row); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	if err := models.TouchPrinted(tx, changed); err != nil {
		return err
	}
	return models.ReindexSessions(tx, changed)
}

// setAway writes when somebody is away if that changed there, and tells whether it did.
func (i *importer) setAway(tx *store.Tx, x *Person, c *models.Contact, before, said FieldHashes) (bool, error) {
	if before["away"] == said["away"] || before == nil && x.Away == "" {
		return false, nil
	}
	return true, tx.Model(&models.EventContact{}).Where("event_id = ? AND contact_id = ?", i.Event().ID, c.ID).
		UpdateColumns(map[string]any{"away": x.Away, "updated_at": tx.Now}).Error
}

// onto writes name and biography to a contact where they changed there, and tells whether the contact differs then.
// Somebody who was known before they first came keeps the name, and a biography if there is one.
func (x *Person) onto(c *models.Contact, before, said FieldHashes) (differs bool) {
	was := *c
	switch {
	case before == nil:
		c.About = cmp.Or(c.About, x.About)
	case before["about"] != said["about"]:
		c.About = x.About
	}
	if before != nil && before["name"] != said["name"] {
		c.FirstName, c.LastName = x.FirstName, x.LastName
	}
	return c.About != was.About || c.FirstName != was.FirstName || c.LastName != was.LastName
}

// knownContacts are the existing contacts of some people.
type knownContacts struct {
	records       map[string]imported // of earlier imports, by key
	byID, byEmail map[string]*models.Contact
}

func (k *knownContacts) of(x Person) *models.Contact {
	if c := k.byID[k.records[x.Key].RecordID]; c != nil || x.Email == "" {
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
func (i *importer) readContacts(tx *store.Tx, some []Person) (*knownContacts, error) {
	var keys, emails, ids []string
	for _, x := range some {
		keys = append(keys, x.Key)
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
