package models

import (
	"slices"

	"lectern/models/frab"
)

// importedPeople are the contacts of a schedule. A person is known by guid or
// id; by e-mail or name only where the schedule has neither, because two people
// may share a name.
type importedPeople struct {
	*importer
	byKey map[string]*Contact
}

func keyOfPerson(x *frab.Person) string {
	switch {
	case x.GUID != "":
		return "guid:" + x.GUID
	case x.ID != "":
		return "id:" + x.ID
	case x.Email != "":
		return "email:" + fold(x.Email)
	default:
		return "name:" + x.Name
	}
}

func (m *importedPeople) prepare(schedule *frab.Schedule) error {
	m.byKey = map[string]*Contact{}
	byID, byEmail, err := m.read(schedule)
	if err != nil {
		return err
	}
	attached := map[string]bool{}
	var here []string
	if err := m.tx.Model(&EventContact{}).Where("event_id = ?", m.event.ID).Pluck("contact_id", &here).Error; err != nil {
		return err
	}
	for _, id := range here {
		attached[id] = true
	}
	var added []*Contact
	var rows []*EventContact
	for e := range schedule.Events {
		for x := range schedule.Events[e].Persons {
			person := &schedule.Events[e].Persons[x]
			key := keyOfPerson(person)
			if m.byKey[key] != nil {
				continue
			}
			n := newContactOf(person)
			if n.clean() != nil {
				n.Email, n.About = "", "" // rather a name alone than no person
				if n.clean() != nil {
					continue
				}
			}
			c := byID[m.known["contact "+key]]
			if c == nil && n.Email != "" {
				c = byEmail[fold(n.Email)]
			}
			if c == nil {
				c = n.row(m.event.OrganizationID, m.tx.now)
				added = append(added, c)
				if n.Email != "" {
					byEmail[fold(n.Email)] = c
				}
				m.summary.Contacts.Created++
			} else if err := m.update(c, n); err != nil {
				return err
			}
			if m.known["contact "+key] == "" {
				m.imported = append(m.imported, importedKey{m.event.ID, "contact", key, c.ID})
			}
			if !attached[c.ID] {
				attached[c.ID] = true
				rows = append(rows, m.attached(c, m.tx.now))
			}
			m.byKey[key] = c
		}
	}
	if len(added) > 0 {
		if err := m.tx.CreateInBatches(added, seedBatch).Error; err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return m.tx.CreateInBatches(rows, seedBatch).Error
}

// read finds the contacts of earlier imports, and those with an e-mail address
// of the schedule.
func (m *importedPeople) read(schedule *frab.Schedule) (byID, byEmail map[string]*Contact, err error) {
	var ids, emails []string
	for e := range schedule.Events {
		for x := range schedule.Events[e].Persons {
			person := &schedule.Events[e].Persons[x]
			if id := m.known["contact "+keyOfPerson(person)]; id != "" {
				ids = append(ids, id)
			}
			if person.Email != "" {
				emails = append(emails, fold(person.Email))
			}
		}
	}
	byID, byEmail = map[string]*Contact{}, map[string]*Contact{}
	for column, values := range map[string][]string{"id": ids, "email_key": emails} {
		slices.Sort(values)
		values = slices.Compact(values)
		for len(values) > 0 {
			n := min(readBatch, len(values))
			var rows []*Contact
			if err := m.tx.Where("organization_id = ? AND "+column+" IN ?", m.event.OrganizationID, values[:n]).Find(&rows).Error; err != nil {
				return nil, nil, err
			}
			for _, c := range rows {
				byID[c.ID] = c
				if c.EmailKey != "" {
					byEmail[c.EmailKey] = c
				}
			}
			values = values[n:]
		}
	}
	return byID, byEmail, nil
}

func newContactOf(x *frab.Person) NewContact {
	n := NewContact{Email: x.Email, About: x.Biography}
	n.FirstName, n.LastName = SplitName(x.Name)
	return n
}

// update writes name and, where the schedule has one, biography over a contact.
func (m *importedPeople) update(c *Contact, n NewContact) error {
	about := c.About
	if n.About != "" {
		about = n.About
	}
	if c.FirstName == n.FirstName && c.LastName == n.LastName && c.About == about {
		m.summary.Contacts.Unchanged++
		return nil
	}
	m.summary.Contacts.Updated++
	c.FirstName, c.LastName, c.About, c.UpdatedAt = n.FirstName, n.LastName, about, m.tx.now.after(c.UpdatedAt)
	c.index()
	if err := m.tx.Model(c).Select("first_name", "last_name", "full_name", "name_key", "search", "about", "updated_at").Updates(c).Error; err != nil {
		return err
	}
	return m.reindexSessions(m.tx, c.ID)
}

// of are the participants of one item, in its order, each once.
func (m *importedPeople) of(e *frab.Event) []*Participant {
	out := []*Participant{}
	for x := range e.Persons {
		c := m.byKey[keyOfPerson(&e.Persons[x])]
		if c == nil || slices.ContainsFunc(out, func(p *Participant) bool { return p.ContactID == c.ID }) {
			continue
		}
		out = append(out, c.as(Speaking, len(out)))
	}
	return out
}

// keepRoles gives the participants of a schedule the roles they have already.
func keepRoles(before, wanted []*Participant) []*Participant {
	out := make([]*Participant, len(wanted))
	for i, w := range wanted {
		out[i] = new(*w)
		for _, b := range before {
			if b.ContactID == w.ContactID {
				out[i].Role = b.Role
			}
		}
	}
	return out
}
