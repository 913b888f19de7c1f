package models

import (
	"context"
	"io"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Directory is the handle of all that is read and changed about contacts: the people of an organization, or only those
// of some events. A programme has one of its own event.
type Directory struct {
	*store.Tenant
	store  *Store
	event  *Event   // nil for none: then only profiles can be read and changed
	events []string // if isPart, only the people of these events are seen
	isPart bool
	reach  Reach // whose profiles this handle may change
	// organized are the events whose organizers' data is shown; nil for all. See AsViewer.
	organized *[]string
}

// Directory returns the directory of an organization for the given actor: everybody, unless narrowed by Within.
func (s *Store) Directory(organizationID string, by store.By) *Directory {
	return &Directory{Tenant: s.Organization(organizationID, by), store: s, reach: Everybody}
}

// Within returns the directory of somebody who sees these events alone: without people who are at none of them.
func (d *Directory) Within(eventIDs []string) *Directory {
	part := *d
	part.events, part.isPart, part.reach = eventIDs, true, PeopleOf(eventIDs...)
	return &part
}

// Directory returns the directory of this event's people.
func (p *Programme) Directory() *Directory {
	d := p.store.Directory(p.event.OrganizationID, p.by).Within([]string{p.event.ID})
	d.event, d.reach = p.event, p.reach
	if p.asViewer {
		d = d.AsViewer()
	}
	return d
}

// WholeOrganization returns the directory of all the organization's people, with what belongs to them at this event.
// People of other organizations are not in it.
func (p *Programme) WholeOrganization() *Directory {
	d := p.store.Directory(p.event.OrganizationID, p.by)
	d.event = p.event
	return d
}

// Event returns the event whose data about people the directory reads, nil for none.
func (d *Directory) Event() *Event { return d.event }

// Store returns the directory's store, for packages on top.
func (d *Directory) Store() *Store { return d.store }

// IsPart reports whether only the people of Events are seen.
func (d *Directory) IsPart() bool { return d.isPart }

// Events returns the events whose people alone are seen, if IsPart.
func (d *Directory) Events() []string { return d.events }

// Organized returns the events whose organizers' data is shown; nil for all.
func (d *Directory) Organized() *[]string { return d.organized }

// Reach returns whose profiles this handle may change.
func (d *Directory) Reach() Reach { return d.reach }

// Write runs one operation in a transaction that waits only briefly for locks: an import at its end locks all people
// whom it changes, up to tens of thousands, for seconds.
func (d *Directory) Write(ctx context.Context, operation func(*store.Tx) error) error {
	return d.Tenant.Write(ctx, func(tx *store.Tx) error {
		if err := tx.WaitBriefly(); err != nil {
			return err
		}
		return operation(tx)
	})
}

// Seen narrows a query of contacts to those in this directory.
func (d *Directory) Seen(db *gorm.DB) *gorm.DB {
	db = db.Where("contacts.organization_id = ?", d.ID)
	if d.isPart {
		db = db.Where("contacts.id IN (SELECT contact_id FROM event_contacts WHERE event_id IN ?)", d.events)
	}
	return d.WithoutBeginners(db)
}

var (
	ErrNoPerson = store.Missing("There is no such person here.")
	errErased   = store.Invalidf("contact", "was erased, so nothing is kept of them any more; add them anew")
)

// Person returns somebody in this directory, or NotFound.
func (d *Directory) Person(ctx context.Context, id string) (*Person, error) {
	if !store.IsID(id) {
		return nil, ErrNoPerson
	}
	return one(d.PeopleFrom(d.Seen(d.Read(ctx)), d.Read(ctx), []string{id}))
}

// People returns those of the given contacts who are in this directory, ordered by id.
func (d *Directory) People(ctx context.Context, ids []string) ([]*Person, error) {
	return d.PeopleFrom(d.Seen(d.Read(ctx)), d.Read(ctx), ids)
}

func one(people []*Person, err error) (*Person, error) {
	if err != nil {
		return nil, err
	}
	if len(people) == 0 {
		return nil, ErrNoPerson
	}
	return people[0], nil
}

// HoldPeople is People with the rows locked: first the contacts, then their rows for the event.
func (d *Directory) HoldPeople(tx *store.Tx, ids ...string) ([]*Person, error) {
	return d.PeopleFrom(d.Seen(tx.Lock()), tx.Lock(), ids)
}

// HoldOne is HoldPeople for one person. It answers NotFound.
func (d *Directory) HoldOne(tx *store.Tx, id string) (*Person, error) {
	return one(d.HoldPeople(tx, id))
}

// WithoutEvent returns the directory without an event and without AsViewer's limits.
func (d *Directory) WithoutEvent() *Directory {
	return &Directory{Tenant: d.Tenant, store: d.store, events: d.events, isPart: d.isPart, reach: d.reach}
}

// OpenFile opens a file's bytes for reading.
func (d *Directory) OpenFile(ctx context.Context, f *File) (io.ReadCloser, error) {
	return d.store.OpenFile(ctx, f)
}

// HoldUnerased is HoldOne for an operation that stores something about the person; it answers Invalid if they were
// erased.
func (d *Directory) HoldUnerased(tx *store.Tx, id string) (*Person, error) {
	person, err := d.HoldOne(tx, id)
	if err == nil && person.ErasedAt != nil {
		return nil, errErased
	}
	return person, err
}

// PeopleFrom reads those of the given contacts that the query contacts finds, ordered by id; here reads their rows for
// the event.
func (d *Directory) PeopleFrom(contacts, here *gorm.DB, ids []string) ([]*Person, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !store.IsID(id) })
	var rows []*Contact
	if err := contacts.Where("contacts.id IN ?", ids).Order("contacts.id").Find(&rows).Error; err != nil {
		return nil, err
	}
	return d.Filled(rows, here, true)
}

// Filled turns contacts into people, with their rows for the event and, if values is set, their tags, own fields and
// answers.
func (d *Directory) Filled(rows []*Contact, here *gorm.DB, values bool) ([]*Person, error) {
	people, byID := make([]*Person, len(rows)), map[string]*Person{}
	for i, c := range rows {
		people[i] = &Person{Contact: *c, Own: map[string]string{}, Answers: map[string]string{}}
		byID[c.ID] = people[i]
	}
	if len(people) == 0 {
		return nil, nil
	}
	if err := d.fill(here, byID, values); err != nil {
		return nil, err
	}
	if err := d.maskConfidential(here, byID); err != nil {
		return nil, err
	}
	return people, d.mask(here, byID)
}

// fill adds to people what other tables hold about them.
func (d *Directory) fill(db *gorm.DB, byID map[string]*Person, withValues bool) error {
	ids := slices.Sorted(maps.Keys(byID))
	plain := db.Session(&gorm.Session{NewDB: true})
	if d.event != nil {
		var here []*EventContact
		if err := db.Where("event_id = ? AND contact_id IN ?", d.event.ID, ids).Order("contact_id").
			Find(&here).Error; err != nil {
			return err
		}
		for _, row := range here {
			byID[row.ContactID].Here = row
		}
	}
	if !withValues {
		return nil
	}
	var rows []struct {
		ContactID, Key, Value string // for a tag, Key is empty
		FileID                *string
		IsAnswer              bool
	}
	query := "SELECT contact_id, field_key AS key, value, file_id, false AS is_answer FROM contact_values " +
		"WHERE organization_id = ? AND contact_id IN ?"
	values := []any{d.ID, ids}
	if d.event != nil {
		query += " UNION ALL SELECT contact_id, '', tag_id, NULL, false FROM contact_tags WHERE event_id = ? AND contact_id IN ?" +
			" UNION ALL SELECT contact_id, question_id, value, file_id, true FROM speaker_answers " +
			"WHERE event_id = ? AND contact_id IN ?"
		values = append(values, d.event.ID, ids, d.event.ID, ids)
	}
	err := plain.Raw(query+" ORDER BY 1, 2, 3", values...).Scan(&rows).Error
	owners := map[string]*Person{} // by file id
	for _, row := range rows {
		p := byID[row.ContactID]
		switch {
		case row.Key == "":
			p.Tags = append(p.Tags, row.Value)
			continue
		case row.IsAnswer:
			p.Answers[row.Key] = row.Value
		default:
			p.Own[row.Key] = row.Value
		}
		if row.FileID != nil {
			owners[*row.FileID] = p
		}
	}
	if err != nil || len(owners) == 0 {
		return err
	}
	return d.fillFiles(plain, owners)
}

// fillFiles adds the files that are values of people.
func (d *Directory) fillFiles(db *gorm.DB, owners map[string]*Person) error {
	var found []*File
	err := db.Where("organization_id = ? AND id IN ?", d.ID, slices.Sorted(maps.Keys(owners))).Find(&found).Error
	for _, f := range found {
		p := owners[f.ID]
		if p.Files == nil {
			p.Files = map[string]*File{}
		}
		p.Files[f.ID] = f
	}
	return err
}

// ContactTag is a tag of a contact at an event.
type ContactTag struct{ EventID, ContactID, TagID string }

// ContactValue is a contact's value of a field that the organization defines.
type ContactValue struct {
	OrganizationID, FieldKey, ContactID, Value, Search string
	FileID                                             *string // set if the field is of files
}
