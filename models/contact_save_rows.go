package models

import (
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// peopleSaved are the rows that a change of people writes beside those of new contacts, all at once.
type peopleSaved struct {
	profiles []*Contact
	moved    []*Contact // of them, whose address is another now
	here     []*EventContact
	tagged   []*EventContact // whose tags go, or are others now
	tags     []contactTag
	emptied  []contactValue // own fields without a value from now on
	values   []contactValue
}

// savePerson adds the parts of somebody that differ. Each token moves with what it stands for: the contact's with
// the profile and the own fields, that of the row for the event with the rest.
func (d *Directory) savePerson(tx *store.Tx, s *peopleSaved, c personChange, parts map[ContactPart]bool) {
	after := c.after
	if parts[Profile] && c.before != nil {
		after.UpdatedAt = tx.Now.Following(after.UpdatedAt)
		after.Index()
		s.profiles = append(s.profiles, &after.Contact)
		if after.EmailKey != c.before.EmailKey {
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
		s.here = append(s.here, here)
	case parts[Workflow] || parts[Tagging] || parts[Travel] || parts[Available]:
		here.UpdatedAt = tx.Now.Following(c.before.Here.UpdatedAt)
		s.here = append(s.here, here)
	}
	if parts[Available] { // conflicts are made of it
		touch(tx, here.EventID)
	}
	if parts[Tagging] {
		if !c.joins() {
			s.tagged = append(s.tagged, here)
		}
		for _, id := range after.Tags {
			s.tags = append(s.tags, contactTag{here.EventID, here.ContactID, id})
		}
	}
}

// saveValues adds the own fields that differ, in the order of their keys.
func (d *Directory) saveValues(s *peopleSaved, c personChange) {
	for _, key := range slices.Sorted(maps.Keys(c.after.Own)) {
		value := contactValue{OrganizationID: d.ID, FieldKey: key, ContactID: c.after.ID, Value: c.after.Own[key]}
		switch {
		case c.before != nil && value.Value == c.before.Own[key]:
		case value.Value == "":
			s.emptied = append(s.emptied, value)
		default:
			value.Search = store.Searchable(strings.Split(value.Value, "\n")...)
			if f := c.after.Files[value.Value]; f != nil {
				value.FileID, value.Search = &f.ID, store.Searchable(f.Name)
			}
			s.values = append(s.values, value)
		}
	}
}

// hereColumns are what of the row for an event can change.
var hereColumns = []string{"workflow_status", "arrival", "arrival_details", "departure",
	"departure_details", "hotel", "dietary", "access", "travel_notes",
	"logistics_notes", "away", "availability", "updated_at"}

// valueColumns are what of a value of an own field can change.
var valueColumns = []string{"value", "search", "file_id"}

func (s *peopleSaved) store(tx *store.Tx) error {
	for _, c := range s.moved {
		if err := dropAlias(tx, c); err != nil {
			return err
		}
	}
	if err := updateContacts(tx, s.profiles); err != nil {
		return err
	}
	for some := range slices.Chunk(s.here, tx.InsertRows()) { // a session may have put them here meanwhile, with nothing noted
		if err := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "event_id"}, {Name: "contact_id"}},
			DoUpdates: clause.AssignmentColumns(hereColumns)}).Create(some).Error; err != nil {
			return err
		}
	}
	for _, here := range s.tagged {
		if err := tx.Where("event_id = ? AND contact_id = ?", here.EventID, here.ContactID).
			Delete(&contactTag{}).Error; err != nil {
			return err
		}
	}
	if err := insertRows(tx, "contact_tags", s.tags); err != nil {
		return err
	}
	for _, v := range s.emptied {
		if err := tx.Where("contact_id = ? AND field_key = ?", v.ContactID, v.FieldKey).Delete(&contactValue{}).
			Error; err != nil {
			return err
		}
	}
	for some := range slices.Chunk(s.values, tx.InsertRows()) {
		if err := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "field_key"}, {Name: "contact_id"}},
			DoUpdates: clause.AssignmentColumns(valueColumns)}).Create(some).Error; err != nil {
			return err
		}
	}
	return nil
}

// contactColumns are what of a contact can change.
var contactColumns = []string{"email", "email_key", "first_name", "last_name", "full_name", "sort_name", "name_key",
	"company_name", "company_key", "job_title", "job_key", "phone", "website_url", "linkedin_url", "about", "photo_url", "photo_key",
	"search", "updated_at"}

// updateContacts stores contacts that are held and were changed. It answers Invalid for an address that somebody else
// has.
func updateContacts(tx *store.Tx, contacts []*Contact) error {
	for some := range slices.Chunk(contacts, tx.InsertRows()) {
		err := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}},
			DoUpdates: clause.AssignmentColumns(contactColumns)}).Create(some).Error
		if store.IsTaken(err) {
			return errTaken
		}
		if err != nil {
			return err
		}
	}
	return nil
}
