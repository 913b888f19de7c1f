package models

import (
	"cmp"
	"maps"
	"slices"

	"lectern/models/outbox"
	"lectern/models/store"
)

// ContactChange is a change of a person, or a new person if Before is nil.
type ContactChange struct{ Before, After *Person }

// ContactAction is the reason for a change. The fields that differ are recorded as activity unless NoActivity. The action
// decides what is emitted: by default contact.updated, if a part changed that webhooks report.
type ContactAction struct {
	name       string              // the name in the activity instead of updated
	emits      outbox.EmissionType // emitted instead of contact.updated
	quiet      bool                // emits nothing
	of         string              // id of the import that the change is part of
	NoActivity bool                // records no activity
	proves     string              // id of the account that proves the new address; it keeps its access
}

var (
	CreatingContact  = ContactAction{name: "created", quiet: true}
	EditingContact   = ContactAction{}
	AttachingContact = ContactAction{name: "added", quiet: true}
)

// ProvingAddress returns the action of somebody who proves an address through an account, which then belongs to them.
func ProvingAddress(accountID string) ContactAction { return ContactAction{proves: accountID} }

// Clone returns a deep copy, so that changes leave the original alone.
func (p *Person) Clone() *Person {
	after := new(*p)
	after.Own, after.Files, after.Tags = maps.Clone(p.Own), maps.Clone(p.Files), slices.Clone(p.Tags)
	if after.Own == nil {
		after.Own = map[string]string{}
	}
	if after.Files == nil {
		after.Files = map[string]*File{}
	}
	if p.Here != nil {
		after.Here = new(*p.Here)
	}
	return after
}

// Facts returns the fields that a change can set, by name.
func (p *Person) Facts() map[string]any {
	facts := map[string]any{}
	for key := range p.Own {
		facts[key] = p.OwnFact(key)
	}
	for _, f := range ContactFields {
		if facts[f.Key] = f.Value(p); f.Part == Tagging {
			facts[f.Key] = slices.Clip(append([]string{}, p.Tags...))
		}
	}
	return facts
}

// OwnFact returns the value of an own field; for a file, its id and name.
func (p *Person) OwnFact(key string) any {
	if f := p.Files[p.Own[key]]; f != nil {
		return map[string]any{"file_id": f.ID, "file": f.Name}
	}
	return p.Own[key]
}

// differs returns the fields that differ before and after, and their parts. For a new person these are all fields
// that are set.
func (c ContactChange) differs() (was, is map[string]any, parts map[ContactPart]bool) {
	before := &Person{}
	if c.Before != nil {
		before = c.Before
	}
	old, parts := before.Facts(), map[ContactPart]bool{}
	for key := range c.After.Own {
		if old[key] == nil {
			old[key] = ""
		}
	}
	was, is = store.Changes(old, c.After.Facts())
	for _, f := range ContactFields {
		if _, differs := is[f.Key]; differs {
			parts[f.Part] = true
		}
	}
	for key := range c.After.Own {
		if _, differs := is[key]; differs {
			parts[Profile] = true
		}
	}
	return was, is, parts
}

// CommitContacts stores changes of people, records and emits them, and refreshes the names that sessions keep.
// Nothing else changes contacts, except imports (which stage all rows and then do the same in bulk), sessions and
// schedules that bring new people, and changes of photos. The caller holds the people's locks (see HoldPeople),
// taken in the order of their ids. A change without a difference writes nothing. It answers Invalid for an address
// that somebody else has, and for a profile beyond the reach of the handle.
func (d *Directory) CommitContacts(tx *store.Tx, a ContactAction, rows ...ContactChange) error {
	changes := differing(rows)
	if err := d.mayChange(tx, reprofiled(changes)...); err != nil {
		return err
	}
	renamed, err := d.storeContacts(tx, a, changes)
	if err != nil {
		return err
	}
	if err := d.tellContacts(tx, a, changes); err != nil {
		return err
	}
	if err := TouchPrinted(tx, reprofiled(changes)); err != nil {
		return err
	}
	return ReindexSessions(tx, renamed)
}

// reprofiled returns the ids of existing people whose profile changed.
func reprofiled(changes []difference) (ids []string) {
	for _, c := range changes {
		if c.Before != nil && c.parts[Profile] {
			ids = append(ids, c.Before.ID)
		}
	}
	return ids
}

// difference is a change with the fields that differ and their parts.
type difference struct {
	ContactChange
	was, is map[string]any
	parts   map[ContactPart]bool
}

// differing returns the changes that make a difference.
func differing(rows []ContactChange) (changes []difference) {
	for _, c := range rows {
		was, is, parts := c.differs()
		if len(is) > 0 || c.joins() || c.Before == nil {
			changes = append(changes, difference{c, was, is, parts})
		}
	}
	return changes
}

// storeContacts saves people and returns the ids of those whose name changed. It ends the access through addresses
// that are no longer theirs.
func (d *Directory) storeContacts(tx *store.Tx, a ContactAction, changes []difference) (renamed []string, err error) {
	if err := d.insertPeople(tx, changes); err != nil {
		return nil, err
	}
	var saved peopleSaved
	for _, c := range changes {
		d.savePerson(tx, &saved, c.ContactChange, c.parts)
		if c.Before != nil && c.Before.FullName != c.After.FullName {
			renamed = append(renamed, c.After.ID)
		}
	}
	if err := saved.store(tx); err != nil {
		return nil, err
	}
	if moved := movedAway(changes); len(moved) > 0 {
		err = EndWays(tx, moved, a.proves)
	}
	return renamed, err
}

// tellContacts records activity and emissions of the changes.
func (d *Directory) tellContacts(tx *store.Tx, a ContactAction, changes []difference) error {
	lines, emitted, err := d.tellings(tx, a, changes)
	if err != nil {
		return err
	}
	if err := store.InsertInto(tx, "activity", lines); err != nil {
		return err
	}
	return outbox.EmitAll(tx, emitted)
}

// tellings returns the lines of activity and the emissions of the changes.
func (d *Directory) tellings(tx *store.Tx, a ContactAction, changes []difference) (
	lines []*store.Activity, emitted []outbox.NewEmission, err error) {
	for _, c := range changes {
		line, err := c.tells(a, c.was, c.is).ActivityRow(d.ID, d.EventID(), d.By, tx.Now)
		if err != nil {
			return nil, nil, err
		}
		if line.PartOf = a.of; !a.NoActivity {
			lines = append(lines, line)
		}
		if a.emission(c.parts) != "" {
			emitted = append(emitted, d.emissionOf(cmp.Or(a.emits, outbox.ContactUpdated), &c.After.Contact))
		}
	}
	return lines, emitted, nil
}

// joins reports whether the person is new at the handle's event.
func (c ContactChange) joins() bool {
	return c.After.Here != nil && (c.Before == nil || c.Before.Here == nil)
}

// tells returns the activity of a change; for a new person it holds all fields that are set.
func (c ContactChange) tells(a ContactAction, was, is map[string]any) store.Change {
	line := store.Change{Subject: "contact", ID: c.After.ID, Action: cmp.Or(a.name, "updated"), Before: was, After: is}
	if c.Before == nil {
		maps.DeleteFunc(is, func(_ string, value any) bool { return value == "" })
		line.Before = nil
	}
	return line
}

// emission returns the type to emit when parts of a person are saved, "" for none.
func (a ContactAction) emission(parts map[ContactPart]bool) outbox.EmissionType {
	switch {
	case a.emits != "":
		return a.emits
	case !a.quiet && (parts[Travel] || parts[Available]):
		return outbox.ContactUpdated
	}
	return ""
}

// ContactData is the payload of contact.*: nothing of a single event, and no field that staff define.
type ContactData struct {
	*Contact
	CreatedAt store.Time `json:"created_at"`
	UpdatedAt store.Time `json:"updated_at"`
}

// ContactDataOf returns the payload for a contact.
func ContactDataOf(c *Contact) ContactData { return ContactData{c, c.CreatedAt, c.UpdatedAt} }

func (d *Directory) emissionOf(kind outbox.EmissionType, c *Contact) outbox.NewEmission {
	return outbox.NewEmission{
		Emission: outbox.Emission{OrganizationID: d.ID, EventID: d.EventID(), Type: kind, ResourceID: c.ID},
		Data:     ContactDataOf(c),
	}
}

// EventID returns the id of the handle's event, nil without one.
func (d *Directory) EventID() *string {
	if d.event == nil {
		return nil
	}
	return &d.event.ID
}

// ErrTaken answers an address that another contact has.
var ErrTaken = store.Invalidf("email", "belongs to another contact")

// insertPeople saves the new people among the changes.
func (d *Directory) insertPeople(tx *store.Tx, rows []difference) error {
	var fresh []*Contact
	for _, c := range rows {
		if c.Before == nil {
			fresh = append(fresh, &c.After.Contact)
		}
	}
	for some := range slices.Chunk(fresh, tx.InsertRows()) {
		made, err := InsertContacts(tx, some...)
		if err != nil {
			return err
		}
		if made < int64(len(some)) {
			return ErrTaken
		}
	}
	return nil
}
