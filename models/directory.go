package models

import (
	"context"
	"io"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Directory is the people of an organization, of whom an event's are a part. It is the handle of all that is read
// and done of contacts; a programme has one of its own event.
type Directory struct {
	*store.Tenant
	store  *Store
	event  *Event   // nil for none: then only the profiles are at hand
	events []string // whose people alone are seen, when isPart
	isPart bool
	reach  Reach // whose identity may be changed by it
	// organized are the events of which what is for their organizers is told; nil for all. See AsViewer.
	organized *[]string
}

// Directory is that of an organization, for the one who acts: everybody, unless Within says less.
func (s *Store) Directory(organizationID string, by store.By) *Directory {
	return &Directory{Tenant: s.Organization(organizationID, by), store: s, reach: Everybody}
}

// Within is the directory as somebody sees it who may see these events alone: who is at none of them is not there.
func (d *Directory) Within(eventIDs []string) *Directory {
	part := *d
	part.events, part.isPart, part.reach = eventIDs, true, PeopleOf(eventIDs...)
	return &part
}

// Directory is the people of this event. Whoever is not at it is not there.
func (p *Programme) Directory() *Directory {
	d := p.store.Directory(p.event.OrganizationID, p.by).Within([]string{p.event.ID})
	d.event, d.reach = p.event, p.reach
	if p.asViewer {
		d = d.AsViewer()
	}
	return d
}

// Everyone are the organization's people, with what is kept of them at this event. Whom another organization knows is
// nobody there.
func (p *Programme) Everyone() *Directory {
	d := p.store.Directory(p.event.OrganizationID, p.by)
	d.event = p.event
	return d
}

// Event is the one of which the directory knows what belongs to an event, nil for none.
func (d *Directory) Event() *Event { return d.event }

// Store is where the directory is kept, for a package on top of it.
func (d *Directory) Store() *Store { return d.store }

// IsPart reports whether the people of Events alone are seen.
func (d *Directory) IsPart() bool { return d.isPart }

// Events are the events whose people alone are seen, when IsPart.
func (d *Directory) Events() []string { return d.events }

// Organized are the events of which what is for their organizers is told; nil for all.
func (d *Directory) Organized() *[]string { return d.organized }

// Reach is whose identity may be changed.
func (d *Directory) Reach() Reach { return d.reach }

// Write runs one operation in a transaction. What others hold of people is waited for but briefly: an import at its end
// holds all whom it changes, up to tens of thousands for seconds.
func (d *Directory) Write(ctx context.Context, operation func(*store.Tx) error) error {
	return d.Tenant.Write(ctx, func(tx *store.Tx) error {
		if err := tx.WaitBriefly(); err != nil {
			return err
		}
		return operation(tx)
	})
}

// Seen keeps of contacts those who are in this directory.
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

// Person returns somebody, or NotFound for who is not in this directory.
func (d *Directory) Person(ctx context.Context, id string) (*Person, error) {
	if !store.IsID(id) {
		return nil, ErrNoPerson
	}
	return one(d.PeopleFrom(d.Seen(d.Read(ctx)), d.Read(ctx), []string{id}))
}

// People are those of some contacts who are in this directory, by id.
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

// HoldPeople is people for an operation, which holds their rows: the contacts first, then their rows for the event.
func (d *Directory) HoldPeople(tx *store.Tx, ids ...string) ([]*Person, error) {
	return d.PeopleFrom(d.Seen(tx.Lock()), tx.Lock(), ids)
}

// HoldOne is somebody for an operation, which holds their rows. It answers NotFound.
func (d *Directory) HoldOne(tx *store.Tx, id string) (*Person, error) {
	return one(d.HoldPeople(tx, id))
}

// Bare is the directory without what is kept of people at one event.
func (d *Directory) Bare() *Directory {
	return &Directory{Tenant: d.Tenant, store: d.store, events: d.events, isPart: d.isPart, reach: d.reach}
}

// OpenFile reads a file's bytes.
func (d *Directory) OpenFile(ctx context.Context, f *File) (io.ReadCloser, error) {
	return d.store.OpenFile(ctx, f)
}

// HoldKept is somebody for an operation that keeps something of them, as of who was erased none does.
func (d *Directory) HoldKept(tx *store.Tx, id string) (*Person, error) {
	person, err := d.HoldOne(tx, id)
	if err == nil && person.ErasedAt != nil {
		return nil, errErased
	}
	return person, err
}

// PeopleFrom reads those of some contacts that a query keeps, by id. Their rows for the event are read by another.
func (d *Directory) PeopleFrom(contacts, here *gorm.DB, ids []string) ([]*Person, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !store.IsID(id) })
	var rows []*Contact
	if err := contacts.Where("contacts.id IN ?", ids).Order("contacts.id").Find(&rows).Error; err != nil {
		return nil, err
	}
	return d.Filled(rows, here, true)
}

// Filled are contacts with what is kept of them beside their own rows; tags and own fields where values are asked for.
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

// fill gives people what is kept of them beside their own rows.
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
		ContactID, Key, Value string // tags have no key
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
	owners := map[string]*Person{} // of files, by their ids
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

// fillFiles gives people the files that are values of theirs.
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

// ContactTag is a tag that a contact has at an event.
type ContactTag struct{ EventID, ContactID, TagID string }

// ContactValue is what a contact has of a field that the organization defines.
type ContactValue struct {
	OrganizationID, FieldKey, ContactID, Value, Search string
	FileID                                             *string // the value of a field of files
}
