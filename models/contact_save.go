package models

import (
	"cmp"
	"maps"
	"slices"

	"lectern/models/outbox"
	"lectern/models/store"
)

// ContactChange is what becomes of somebody: what they were, nil of who is new, and what they are.
type ContactChange struct{ Before, After *Person }

// ContactAction is why people change. Whatever it is, the fields that differ make a line of activity; what is emitted
// is the action's to say, and otherwise contact.updated where a part was saved that tells of it.
type ContactAction struct {
	name   string              // of a line of activity in place of updated
	emits  outbox.EmissionType // in place of the update
	quiet  bool                // emits nothing
	of     string              // the import that it is part of
	unsaid bool                // keeps no line of activity
	proves string              // the account by which an address is proven that is theirs from now on
}

var (
	creatingContact  = ContactAction{name: "created", quiet: true}
	EditingContact   = ContactAction{}
	AttachingContact = ContactAction{name: "added", quiet: true}
)

// ProvingAddress is that somebody proves an address by an account, which is theirs from now on.
func ProvingAddress(accountID string) ContactAction { return ContactAction{proves: accountID} }

// Clone is a person whose changes leave the one before as it was.
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

// Facts are what a change can change, by the names of the fields.
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

// OwnFact is the value of an own field, and of a file what it is called as well.
func (p *Person) OwnFact(key string) any {
	if f := p.Files[p.Own[key]]; f != nil {
		return map[string]any{"file_id": f.ID, "file": f.Name}
	}
	return p.Own[key]
}

// differs are the facts of a change that differ, and the parts that they are of. Who is new differs in what there is.
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

// CommitContacts stores what becomes of people, tells of it, and refreshes what sessions keep of their names. It
// alone changes contacts, but for imports, which bring all of them first and then do the same at once, those whom a
// session or a schedule brings, and addresses of photos. Who calls it holds them (see HoldPeople), in the order of their
// ids. A change that changes nothing writes nothing. It answers Invalid for an address that somebody else has, and
// for a
// profile beyond the reach of the handle.
func (d *Directory) CommitContacts(tx *store.Tx, a ContactAction, rows ...ContactChange) error {
	changes := differing(rows)
	if err := d.mayChangeAll(tx, changes); err != nil {
		return err
	}
	renamed, err := d.storeContacts(tx, a, changes)
	if err != nil {
		return err
	}
	if err := d.tellContacts(tx, a, changes); err != nil {
		return err
	}
	if err := touchPrinted(tx, reprofiled(changes)); err != nil {
		return err
	}
	return ReindexSessions(tx, renamed)
}

// reprofiled are the ids of those whom others knew already, and whose profile is another one now.
func reprofiled(changes []difference) (ids []string) {
	for _, c := range changes {
		if c.Before != nil && c.parts[Profile] {
			ids = append(ids, c.Before.ID)
		}
	}
	return ids
}

// mayChangeAll answers ErrShared for a change of the profile of somebody whom the handle does not reach as a whole.
func (d *Directory) mayChangeAll(tx *store.Tx, changes []difference) error {
	return d.mayChange(tx, reprofiled(changes)...)
}

// difference is a change with the facts that differ, and the parts that they are of.
type difference struct {
	ContactChange
	was, is map[string]any
	parts   map[ContactPart]bool
}

// differing are the changes that change something.
func differing(rows []ContactChange) (changes []difference) {
	for _, c := range rows {
		was, is, parts := c.differs()
		if len(is) > 0 || c.joins() || c.Before == nil {
			changes = append(changes, difference{c, was, is, parts})
		}
	}
	return changes
}

// storeContacts writes people, and returns who has another name now. What an address opened that is not theirs any more
// ends.
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

// tellContacts records what becomes of people, and emits what is to be told of it.
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

// tellings are the lines of activity of what becomes of people, and what is emitted of it.
func (d *Directory) tellings(tx *store.Tx, a ContactAction, changes []difference) (
	lines []*store.Activity, emitted []outbox.Told, err error) {
	for _, c := range changes {
		line, err := c.tells(a, c.was, c.is).Line(d.ID, d.EventID(), d.By, tx.Now)
		if err != nil {
			return nil, nil, err
		}
		if line.PartOf = a.of; !a.unsaid {
			lines = append(lines, line)
		}
		if a.emission(c.parts) != "" {
			emitted = append(emitted, d.told(cmp.Or(a.emits, outbox.ContactUpdated), &c.After.Contact))
		}
	}
	return lines, emitted, nil
}

// joins tells of who is at the event of the handle from now on.
func (c ContactChange) joins() bool {
	return c.After.Here != nil && (c.Before == nil || c.Before.Here == nil)
}

// tells is the line of activity of a change. Of who is new it keeps what there is.
func (c ContactChange) tells(a ContactAction, was, is map[string]any) store.Change {
	line := store.Change{Subject: "contact", ID: c.After.ID, Action: cmp.Or(a.name, "updated"), Before: was, After: is}
	if c.Before == nil {
		maps.DeleteFunc(is, func(_ string, value any) bool { return value == "" })
		line.Before = nil
	}
	return line
}

// emission is the kind of what is emitted as parts of somebody are saved, "" for nothing.
func (a ContactAction) emission(parts map[ContactPart]bool) outbox.EmissionType {
	switch {
	case a.emits != "":
		return a.emits
	case !a.quiet && (parts[Travel] || parts[Available]):
		return outbox.ContactUpdated
	}
	return ""
}

// ContactData is what contact.* tell: nothing that belongs to one event, and no field that staff define.
type ContactData struct {
	*Contact
	CreatedAt store.Time `json:"created_at"`
	UpdatedAt store.Time `json:"updated_at"`
}

// ContactDataOf is what they tell of a contact.
func ContactDataOf(c *Contact) ContactData { return ContactData{c, c.CreatedAt, c.UpdatedAt} }

func (d *Directory) told(kind outbox.EmissionType, c *Contact) outbox.Told {
	return outbox.Told{
		Emission: outbox.Emission{OrganizationID: d.ID, EventID: d.EventID(), Type: kind, ResourceID: c.ID},
		Data:     ContactDataOf(c),
	}
}

// EventID is the event of the handle, nil without one.
func (d *Directory) EventID() *string {
	if d.event == nil {
		return nil
	}
	return &d.event.ID
}

var errTaken = store.Invalidf("email", "belongs to another contact")

// insertPeople stores those of a change who are new.
func (d *Directory) insertPeople(tx *store.Tx, rows []difference) error {
	var fresh []*Contact
	for _, c := range rows {
		if c.Before == nil {
			fresh = append(fresh, &c.After.Contact)
		}
	}
	for some := range slices.Chunk(fresh, tx.InsertRows()) {
		made, err := insertContacts(tx, some...)
		if err != nil {
			return err
		}
		if made < int64(len(some)) {
			return errTaken
		}
	}
	return nil
}
