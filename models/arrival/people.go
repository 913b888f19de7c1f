package arrival

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/store"
)

// keyOfPerson returns the key of a person in the schedule: guid or id, else e-mail or name, which two people may share.
func keyOfPerson(x *frab.Person) string {
	switch {
	case x.GUID != "":
		return "guid:" + x.GUID
	case x.ID != "":
		return "id:" + x.ID
	case x.Email != "":
		return "email:" + store.Fold(x.Email)
	default:
		return "name:" + x.Name
	}
}

// importPeople finds or makes contacts.
func (i *importer) importPeople(ctx context.Context, all []Person) error {
	return importSteps(ctx, i, all, models.StepRows, func(tx *store.Tx, some []Person) error {
		known, err := i.readContacts(tx, some)
		if err != nil {
			return err
		}
		var added []*models.Contact
		for _, x := range some {
			i.people[x.Key] = known.of(x)
			if i.people[x.Key] == nil {
				c := x.Row(i.Event().OrganizationID, tx.Now)
				added = append(added, c)
				known.add(c)
				i.people[x.Key] = c
			}
		}
		if err := i.addContacts(tx, added); err != nil {
			return err
		}
		if err := i.attach(tx, some, &added); err != nil {
			return err
		}
		ids := store.Map(some, func(x Person) string { return i.people[x.Key].ID })
		beyond, err := i.Directory().Beyond(tx.DB, ids)
		if err != nil {
			return err
		}
		if i.arrives {
			return i.updateArrived(tx, some, added, beyond, known.records)
		}
		return i.updateContacts(tx, some, added, beyond)
	})
}

// personsOf returns the people of the schedule, each once.
func personsOf(schedule *frab.Schedule) (persons []Person) {
	seen := map[string]bool{}
	for e := range schedule.Events {
		for x := range schedule.Events[e].Persons {
			person := &schedule.Events[e].Persons[x]
			key := keyOfPerson(person)
			if seen[key] {
				continue
			}
			seen[key] = true
			if n, ok := contactOf(person); ok {
				persons = append(persons, Person{Key: key, NewContact: n})
			}
		}
	}
	return persons
}

// contactOf returns the person as a contact, without the optional fields if one of them is invalid.
func contactOf(x *frab.Person) (n models.NewContact, ok bool) {
	n.FirstName, n.LastName = models.SplitName(x.Name)
	n.Email, n.About, n.JobTitle, n.CompanyName = x.Email, x.Biography, x.JobTitle, x.Company
	if n.Clean() == nil {
		return n, true
	}
	n.Email, n.About, n.JobTitle, n.CompanyName = "", "", "", ""
	return n, n.Clean() == nil
}

// attach adds people to the event, and stores who became whom. Contacts whom the importer may not know come as guests
// and count as created, so that nobody learns that the organization has them.
func (i *importer) attach(tx *store.Tx, some []Person, added *[]*models.Contact) error {
	var met []string
	for _, x := range some {
		if c := i.people[x.Key]; !slices.Contains(*added, c) {
			met = append(met, c.ID)
		}
	}
	guests, err := i.Joining(tx, met)
	if err != nil {
		return err
	}
	unseen, err := i.Unseen(tx.DB, met)
	if err != nil {
		return err
	}
	var here []*models.EventContact
	var kept []imported
	for _, x := range some {
		row := i.Attached(i.people[x.Key], tx.Now)
		row.GuestSince = guests[row.ContactID]
		here = append(here, row)
		c := i.people[x.Key]
		isMade := slices.Contains(*added, c) && c.CreatedAt == tx.Now // otherwise another import was faster
		kept = append(kept, imported{i.Event().ID, "contact", x.Key, c.ID, FieldHashes{},
			i.maker(isMade || slices.Contains(unseen, c.ID)), nil})
	}
	for _, x := range some {
		if c := i.people[x.Key]; slices.Contains(unseen, c.ID) && !slices.Contains(*added, c) {
			*added = append(*added, c)
			i.summary.Contacts.Created++
		}
	}
	if err := i.AttachAll(tx, here); err != nil {
		return err
	}
	return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(kept).Error
}

// updateContacts writes name and, if the schedule has one, biography over existing contacts, except those whose profile
// the importer may not change (beyond).
func (i *importer) updateContacts(tx *store.Tx, some []Person, added []*models.Contact,
	beyond map[string]bool) error {
	var changed []string
	for _, x := range some {
		c := i.people[x.Key]
		if slices.Contains(added, c) {
			continue
		}
		about := cmp.Or(x.About, c.About)
		if beyond[c.ID] || c.FirstName == x.FirstName && c.LastName == x.LastName && c.About == about {
			i.summary.Contacts.Unchanged++
			continue
		}
		i.summary.Contacts.Updated++
		changed = append(changed, c.ID)
		c.FirstName, c.LastName, c.About = x.FirstName, x.LastName, about
		if err := models.UpdateContact(tx, c); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return models.ReindexSessions(tx, changed)
}

// holdPeople locks the contacts of people from earlier steps until a step has put them on sessions. It follows merges
// since they were found.
func (i *importer) holdPeople(tx *store.Tx, keys []string) error {
	records, err := i.recordsOf(tx, keys, "contact")
	if err != nil {
		return err
	}
	var ids []string
	for _, key := range keys {
		if ids = append(ids, records.id("contact", key)); i.people[key] != nil {
			ids = append(ids, i.people[key].ID)
		}
	}
	var rows []*models.Contact
	if err := models.KeyShare(tx).Where("organization_id = ? AND id IN ?", i.Event().OrganizationID, ids).Order("id").
		Find(&rows).Error; err != nil {
		return err
	}
	there := store.ByKey(rows, func(c *models.Contact) string { return c.ID })
	for _, key := range keys {
		is := there[records.id("contact", key)]
		if found := i.people[key]; is != nil && (found == nil || there[found.ID] == nil) {
			i.people[key] = is
		}
	}
	return nil
}

// keysOfPeople returns the keys of the people of some items.
func keysOfPeople(some []frab.Event) (keys []string) {
	for e := range some {
		for x := range some[e].Persons {
			keys = append(keys, keyOfPerson(&some[e].Persons[x]))
		}
	}
	return keys
}

// peopleOf returns the participants of an item, in its order, each once; without a role where the item has none.
func (i *importer) peopleOf(e *frab.Event) []*models.Participant {
	out := []*models.Participant{}
	for x := range e.Persons {
		c := i.people[keyOfPerson(&e.Persons[x])]
		if c == nil || slices.ContainsFunc(out, func(p *models.Participant) bool { return p.ContactID == c.ID }) {
			continue
		}
		role := models.Role(e.Persons[x].Role)
		if !slices.Contains(models.ParticipantRoles, role) {
			role = ""
		}
		out = append(out, c.As(role, len(out)))
	}
	return out
}

// keepRoles gives participants without a role in the schedule their present role, else that of a speaker.
func keepRoles(before, wanted []*models.Participant) []*models.Participant {
	out := make([]*models.Participant, len(wanted))
	for i, w := range wanted {
		out[i] = new(*w)
		for _, b := range before {
			if b.ContactID == w.ContactID {
				out[i].Role = cmp.Or(w.Role, b.Role)
			}
		}
		out[i].Role = cmp.Or(out[i].Role, models.Speaking)
	}
	return out
}
