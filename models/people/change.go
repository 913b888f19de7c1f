package people

import (
	"context"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// Change is a partial change of a person, by the names of ContactFields and the keys of own fields.
type Change struct {
	Values map[string]string // fields that are missing here do not change; "" empties a field
	// the tokens of the contact and of its row for the event, as read; nil forces the write
	UpdatedAt, HereUpdatedAt *store.Time
	NoActivity               bool // records no activity: for a form that saves itself while somebody types
}

var (
	errStaleContact = store.Outdated(
		"Someone else changed this person since you read them. Read them again, then repeat your change.")
	errNotHere = store.Missing("This person is not at this event.")
)

// clean normalises a change and answers Invalid with each fault, by field name. Unknown fields are faults; fields
// lists all known ones.
func (c Change) clean(fields []*models.ContactField) (Change, error) {
	var f store.Faults
	values := make(map[string]string, len(c.Values))
	for _, of := range fields {
		text, given := c.Values[of.Key]
		if !given {
			continue
		}
		value, err := of.Clean(text)
		values[of.Key] = value
		f.Add(err)
	}
	if len(values) < len(c.Values) {
		f.Add(store.Invalidf("fields", "has a field that there is not; it may have been deleted meanwhile"))
	}
	c.Values = values
	return c, f.Err()
}

// apply writes a clean change to a person. It answers Invalid if no name would be left.
func (c Change) apply(p *models.Person, fields []*models.ContactField) error {
	for _, of := range fields {
		value, given := c.Values[of.Key]
		switch {
		case !given || value == of.Value(p):
		case of.Type == field.File: // see SetFile
			return store.Invalidf(of.Key, "is a file; upload or remove it on the person's page")
		default:
			of.Set(p, value)
		}
	}
	p.Index()
	if p.FullName == "" {
		return models.ErrNameless()
	}
	return nil
}

// has reports whether the change sets a field for which rule holds.
func (c Change) has(fields []*models.ContactField, rule func(*models.ContactField) bool) bool {
	return slices.ContainsFunc(fields, func(f *models.ContactField) bool {
		_, given := c.Values[f.Key]
		return given && rule(f)
	})
}

// prepare cleans a change and returns it with the fields it may set. Call it before people are locked: it locks the
// event's metadata, for tags, and the own fields against deletion. It answers Invalid and NotFound.
func (d *Directory) prepare(tx *store.Tx, c Change) (Change, []*models.ContactField, error) {
	if _, tagged := c.Values["tags"]; tagged && d.Event() != nil {
		if err := d.programme().ShareMetadata(tx); err != nil {
			return c, nil, err
		}
	}
	fields, err := d.heldFields(tx, c)
	if err != nil {
		return c, nil, err
	}
	c, err = c.clean(fields)
	if err != nil {
		return c, nil, err
	}
	if d.Event() == nil && c.has(fields, func(f *models.ContactField) bool { return f.Part.OfEvent() }) {
		return c, nil, errNotHere
	}
	return c, fields, d.checkTags(tx, c)
}

// checkTags answers Invalid for a tag of another event.
func (d *Directory) checkTags(tx *store.Tx, c Change) error {
	ids := store.Lines(c.Values["tags"])
	if len(ids) == 0 {
		return nil
	}
	var found int64
	err := tx.Model(&models.Metadata{}).Where("event_id = ? AND family = ? AND id IN ?", d.Event().ID, models.Tags,
		ids).Count(&found).Error
	if err == nil && found < int64(len(ids)) {
		err = store.Invalidf("tags", "has a tag that this event has not")
	}
	return err
}

// programme returns the programme of the handle's event.
func (d *Directory) programme() *models.Programme { return d.Store().Programme(d.Event(), d.By) }

// Create adds a contact, and adds them to the handle's event if it has one. It answers Invalid for a field that breaks
// its rule or an address of another contact. It emits nothing.
func (d *Directory) Create(ctx context.Context, c Change) (*models.Person, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*models.Person, error) {
		c, fields, err := d.prepare(tx, c)
		if err != nil {
			return nil, err
		}
		p := &models.Person{Contact: models.Contact{ID: store.NewID(), OrganizationID: d.ID, CreatedAt: tx.Now,
			UpdatedAt: tx.Now},
			Own: map[string]string{}}
		if d.Event() != nil {
			p.Here = d.programme().Attached(&p.Contact, tx.Now)
		}
		if err := c.apply(p, fields); err != nil {
			return nil, err
		}
		return p, d.CommitContacts(tx, models.CreatingContact, models.ContactChange{After: p})
	})
}

// Update applies a partial change to somebody in this directory. It answers NotFound for others, and for somebody who
// is not at the event if a field of the event changes; Invalid for a field that breaks its rule, for an address of
// another contact and for somebody who was erased; and Stale when a token is outdated. Then nothing is applied. It
// emits contact.updated once if travel, logistics or availability changed, and nothing for other changes. A change
// without a difference writes nothing.
func (d *Directory) Update(ctx context.Context, id string, c Change) (*models.Person, error) {
	if !store.IsID(id) {
		return nil, models.ErrNoPerson
	}
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*models.Person, error) {
		c, fields, err := d.prepare(tx, c)
		if err != nil {
			return nil, err
		}
		before, err := d.HoldUnerased(tx, id)
		if err != nil {
			return nil, err
		}
		switch {
		case c.UpdatedAt != nil && !c.UpdatedAt.Equal(before.UpdatedAt.Time):
			return nil, errStaleContact
		case c.HereUpdatedAt != nil && (before.Here == nil || !c.HereUpdatedAt.Equal(before.Here.UpdatedAt.Time)):
			return nil, errStaleContact
		case before.Here == nil && c.has(fields, func(f *models.ContactField) bool { return f.Part.OfEvent() }):
			return nil, errNotHere // they left the event while this waited for the lock
		}
		after := before.Clone()
		if err := c.apply(after, fields); err != nil {
			return nil, err
		}
		action := models.EditingContact
		action.NoActivity = c.NoActivity
		return after, d.CommitContacts(tx, action, models.ContactChange{Before: before, After: after})
	})
}

// heldFields returns all fields. If the change has values of own fields, it locks these against deletion.
func (d *Directory) heldFields(tx *store.Tx, c Change) ([]*models.ContactField, error) {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(c.Values)), store.IsID) {
		return models.ContactFields, nil
	}
	defined, err := d.DefinedFields(models.KeyShare(tx))
	return models.WithOwn(defined), err
}
