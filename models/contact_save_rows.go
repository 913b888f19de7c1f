package models

import (
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm/clause"

	"lectern/models/outbox"
	"lectern/models/store"
)

// peopleSaved collects the rows that a change of people writes, except new contacts, to write them together.
type peopleSaved struct {
	Profiles []*Contact // of people who are known already
	moved    []*Contact // those of Profiles whose address changed; it is no alias any more
	Here     []*EventContact
	Untagged []*EventContact // whose tags are removed or replaced
	Tags     []ContactTag
	emptied  []ContactValue // own fields that lose their value
	Values   []ContactValue
}

// savePerson adds the rows of the changed parts of a person. The contact's token covers profile and own fields; the
// token of the row for the event covers the rest.
func (d *Directory) savePerson(tx *store.Tx, s *peopleSaved, c ContactChange, parts map[ContactPart]bool) {
	after := c.After
	if parts[Profile] && c.Before != nil {
		after.UpdatedAt = tx.Now.Following(after.UpdatedAt)
		after.Index()
		s.Profiles = append(s.Profiles, &after.Contact)
		if after.EmailKey != c.Before.EmailKey {
			s.moved = append(s.moved, &after.Contact)
		}
	}
	if parts[Profile] {
		d.saveValues(s, c)
	}
	here := after.Here
	switch {
	case here == nil:
		return
	case c.joins():
		s.Here = append(s.Here, here)
	case parts[Workflow] || parts[Tagging] || parts[Travel] || parts[Available]:
		here.UpdatedAt = tx.Now.Following(c.Before.Here.UpdatedAt)
		s.Here = append(s.Here, here)
	}
	if parts[Available] { // conflicts are derived from it
		Touch(tx, here.EventID)
	}
	if parts[Tagging] {
		if !c.joins() {
			s.Untagged = append(s.Untagged, here)
		}
		for _, id := range after.Tags {
			s.Tags = append(s.Tags, ContactTag{here.EventID, here.ContactID, id})
		}
	}
}

// saveValues adds the own fields that differ, in the order of their keys.
func (d *Directory) saveValues(s *peopleSaved, c ContactChange) {
	for _, key := range slices.Sorted(maps.Keys(c.After.Own)) {
		value := ContactValue{OrganizationID: d.ID, FieldKey: key, ContactID: c.After.ID, Value: c.After.Own[key]}
		switch {
		case c.Before != nil && value.Value == c.Before.Own[key]:
		case value.Value == "":
			s.emptied = append(s.emptied, value)
		default:
			value.Search = store.Searchable(strings.Split(value.Value, "\n")...)
			if f := c.After.Files[value.Value]; f != nil {
				value.FileID, value.Search = &f.ID, store.Searchable(f.Name)
			}
			s.Values = append(s.Values, value)
		}
	}
}

// SaveOwn saves the own fields of p that differ from had.
func (d *Directory) SaveOwn(tx *store.Tx, had map[string]string, p *Person) error {
	var saved peopleSaved
	d.saveValues(&saved, ContactChange{&Person{Own: had}, p})
	return saved.store(tx)
}

// HereColumns are the columns of the row for the event that can change.
var HereColumns = []string{"workflow_status", "arrival", "arrival_details", "departure",
	"departure_details", "hotel", "dietary", "access", "travel_notes",
	"logistics_notes", "away", "availability", "updated_at"}

// ValueColumns are the columns of an own field's value that can change.
var ValueColumns = []string{"value", "search", "file_id"}

func (s *peopleSaved) store(tx *store.Tx) error {
	for _, c := range s.moved {
		if err := tx.Where("contact_id = ? AND email_key = ?", c.ID, c.EmailKey).Delete(&ContactAlias{}).Error; err != nil {
			return err
		}
	}
	if err := updateContacts(tx, s.Profiles); err != nil {
		return err
	}
	for some := range slices.Chunk(s.Here, tx.InsertRows()) { // a session may have added them meanwhile, with empty fields
		if err := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "event_id"}, {Name: "contact_id"}},
			DoUpdates: clause.AssignmentColumns(HereColumns)}).Create(some).Error; err != nil {
			return err
		}
	}
	for _, here := range s.Untagged {
		if err := tx.Where("event_id = ? AND contact_id = ?", here.EventID, here.ContactID).
			Delete(&ContactTag{}).Error; err != nil {
			return err
		}
	}
	if err := store.InsertInto(tx, "contact_tags", s.Tags); err != nil {
		return err
	}
	for _, v := range s.emptied {
		if err := tx.Where("contact_id = ? AND field_key = ?", v.ContactID, v.FieldKey).Delete(&ContactValue{}).
			Error; err != nil {
			return err
		}
	}
	for some := range slices.Chunk(s.Values, tx.InsertRows()) {
		if err := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "field_key"}, {Name: "contact_id"}},
			DoUpdates: clause.AssignmentColumns(ValueColumns)}).Create(some).Error; err != nil {
			return err
		}
	}
	return nil
}

// ContactColumns are the columns of a contact that can change.
var ContactColumns = []string{"email", "email_key", "first_name", "last_name", "full_name", "sort_name", "name_key",
	"company_name", "company_key", "job_title", "job_key", "phone", "website_url", "linkedin_url", "about", "photo_url", "photo_key",
	"search", "updated_at"}

// updateContacts saves changed contacts, whose rows the caller has locked. It answers Invalid for an address of
// another contact.
func updateContacts(tx *store.Tx, contacts []*Contact) error {
	for some := range slices.Chunk(contacts, tx.InsertRows()) {
		err := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}},
			DoUpdates: clause.AssignmentColumns(ContactColumns)}).Create(some).Error
		if store.IsDuplicate(err) {
			return ErrTaken
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// StagedPeople holds the rows that an import writes, by way of staging tables.
type StagedPeople struct {
	peopleSaved
	Changes  []ContactChange // those that change something
	MovedIDs []string        // of people whose address changed
	Lines    []*store.Activity
	Emitted  []outbox.NewEmission
}

// Stage prepares the rows of an import: people, activity, and emissions for new people only.
func (d *Directory) Stage(tx *store.Tx, importID string, rows []ContactChange) (*StagedPeople, error) {
	changes := differing(rows)
	s := &StagedPeople{}
	for _, c := range changes {
		d.savePerson(tx, &s.peopleSaved, c.ContactChange, c.parts)
		a := ContactAction{quiet: true, of: importID}
		if c.Before == nil {
			a = ContactAction{name: "created", emits: outbox.ContactCreated, of: importID}
		}
		lines, emitted, err := d.tellings(tx, a, []difference{c})
		if err != nil {
			return nil, err
		}
		s.Changes, s.Lines, s.Emitted = append(s.Changes, c.ContactChange), append(s.Lines, lines...), append(s.Emitted,
			emitted...)
	}
	s.MovedIDs = movedAway(changes)
	return s, nil
}
