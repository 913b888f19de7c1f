package people

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/store"
)

// ImportFault is the reason why a row cannot be imported.
type ImportFault struct {
	Row    int    // as a spreadsheet numbers it
	Person string // the name, as far as it can be read
	Column string // the column's name; "" if the fault is not in one column
	Text   string // what the cell says
	Reason string // a sentence or two
}

// importPlan holds the cleaned rows of a file, from which check and commit derive the same effects.
type importPlan struct {
	fields  []*models.ContactField // the fields of the rows' values
	sources []int                  // index of the column that each field is read from
	whole   int                    // index of the column of full names; -1 for none
	names   []string               // of all columns
	tags    map[string]string
	zone    *time.Location // of the event
	rows    []*importRow   // by address
	called  map[string]int // number of rows by folded name, without rows that only repeat another
	repeats int
	faults  []*ImportFault
	failed  int
}

// importRow is one person of a file.
type importRow struct {
	number int
	key    string   // the folded address, or without one byName and the folded name
	id     string   // the new contact's id
	values []string // in the order of the plan's fields; "" for empty cells

	nameKey string // the folded name
}

// plan reads and cleans all rows of a file.
func (e *AtEvent) plan(ctx context.Context, mapping models.Options, file *csv.File, fields []*models.ContactField) (
	*importPlan, error) {
	if err := checkMapping(mapping, len(file.Columns), fields); err != nil {
		return nil, err
	}
	pl := &importPlan{whole: -1, zone: e.p.Event().Location(), called: map[string]int{}}
	for _, column := range file.Columns {
		pl.names = append(pl.names, column.Name)
	}
	for at, name := range mapping {
		switch name {
		case "":
		case "full_name":
			pl.whole = at
			pl.add(models.ContactFieldNamed("first_name"), at)
			pl.add(models.ContactFieldNamed("last_name"), at)
		default:
			pl.add(fields[slices.IndexFunc(fields, func(f *models.ContactField) bool { return f.Key == name })], at)
		}
	}
	if slices.Contains(mapping, "tags") {
		if err := e.readTags(ctx, pl); err != nil {
			return nil, err
		}
	}
	seen := map[string]*importRow{}
	for row, err := range file.Rows() {
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pl.read(row, seen)
	}
	slices.SortFunc(pl.rows, func(a, b *importRow) int { return cmp.Compare(a.key, b.key) })
	return pl, nil
}

func (pl *importPlan) add(f *models.ContactField, column int) {
	pl.fields, pl.sources = append(pl.fields, f), append(pl.sources, column)
}

// readTags reads the event's tags, by name, into the plan.
func (e *AtEvent) readTags(ctx context.Context, pl *importPlan) error {
	var rows []*models.Metadata
	err := e.p.Read(ctx).Where("event_id = ? AND family = ?", e.p.Event().ID,
		models.Tags).Order("position DESC, id DESC").Find(&rows).Error
	pl.tags = map[string]string{}
	for _, m := range rows {
		pl.tags[store.Searchable(m.Name)] = m.ID
	}
	return err
}

// read cleans a row and adds it, or its faults, to the plan.
func (pl *importPlan) read(row *csv.Row, seen map[string]*importRow) {
	r := &importRow{number: row.Number, values: make([]string, len(pl.fields))}
	faults := pl.tableFaults(row)
	for i, f := range pl.fields {
		text := pl.cell(row, i)
		if strings.TrimSpace(text) == "" {
			continue
		}
		value, err := pl.clean(f, text)
		if err != nil && !slices.ContainsFunc(faults, func(f *ImportFault) bool { return f.Column == pl.names[pl.sources[i]] }) {
			faults = append(faults, &ImportFault{Column: pl.names[pl.sources[i]], Text: cutText(text), Reason: sentence(err)})
		}
		r.values[i] = value
	}
	c := pl.contact(r)
	r.nameKey = c.NameKey
	pl.called[r.nameKey]++
	if len(faults) == 0 {
		faults = pl.identify(r, c, seen)
	}
	if len(faults) == 0 {
		return
	}
	pl.failed++
	for _, fault := range faults {
		fault.Row, fault.Person = row.Number, pl.person(row)
	}
	pl.faults = append(pl.faults, faults...)
}

// byName is the prefix of keys of rows without an address; no address begins with it.
const byName = " "

// contact returns a contact with the row's name and address.
func (pl *importPlan) contact(r *importRow) *models.Contact {
	c := &models.Contact{FirstName: pl.value(r, "first_name"), LastName: pl.value(r, "last_name"), Email: pl.value(r,
		"email")}
	c.Index()
	return c
}

// identify adds a row as a person of its own, counts it as a repeat, or returns its faults.
func (pl *importPlan) identify(r *importRow, c *models.Contact, seen map[string]*importRow) []*ImportFault {
	if c.FullName == "" {
		return []*ImportFault{{Reason: "There is no name. Who is it?"}}
	}
	if r.key = c.EmailKey; r.key == "" {
		r.key = byName + c.NameKey
	}
	before := seen[r.key]
	if before == nil {
		seen[r.key] = r
		pl.rows = append(pl.rows, r)
		return nil
	}
	reason := pl.disagreement(before, r)
	switch {
	case reason == "":
		pl.called[r.nameKey]--
		pl.repeats++
		return nil
	case c.Email == "":
		return []*ImportFault{{Text: cutText(c.FullName), Reason: reason + " If they are two people, give them an address."}}
	}
	return []*ImportFault{{Column: pl.names[pl.sources[pl.index("email")]], Text: cutText(c.Email), Reason: reason}}
}

// value returns a row's value of a field, "" if the file does not have the field.
func (pl *importPlan) value(r *importRow, field string) string {
	if i := pl.index(field); i >= 0 {
		return r.values[i]
	}
	return ""
}

// tableFaults returns the faults of used cells that were found while the table was read.
func (pl *importPlan) tableFaults(row *csv.Row) (faults []*ImportFault) {
	for _, f := range row.Faults {
		switch {
		case f.Column == 0:
			faults = append(faults, &ImportFault{Reason: f.Message})
		case slices.Contains(pl.sources, f.Column-1):
			faults = append(faults, &ImportFault{Column: pl.names[f.Column-1], Text: f.Text, Reason: f.Message})
		}
	}
	return faults
}

// cell returns a row's text for a field: of a full name, the field's part of it.
func (pl *importPlan) cell(row *csv.Row, i int) string {
	text := row.Cells[pl.sources[i]]
	if pl.sources[i] != pl.whole {
		return text
	}
	first, last := models.NamesIn(strings.Join(strings.Fields(text), " "))
	if pl.fields[i].Key == "first_name" {
		return first
	}
	return last
}

func (pl *importPlan) index(name string) int {
	return slices.IndexFunc(pl.fields, func(f *models.ContactField) bool { return f.Key == name })
}

// person returns a row's name as far as it can be read.
func (pl *importPlan) person(row *csv.Row) string {
	var parts []string
	for _, name := range []string{"first_name", "last_name"} {
		if i := pl.index(name); i >= 0 {
			parts = append(parts, strings.TrimSpace(pl.cell(row, i)))
		}
	}
	return cutText(strings.TrimSpace(strings.Join(parts, " ")))
}

// fresh returns the new person of a row.
func (pl *importPlan) fresh(p *models.Programme, r *importRow, now store.Time) *models.Person {
	c := models.Contact{ID: r.id, OrganizationID: p.Event().OrganizationID, CreatedAt: now, UpdatedAt: now}
	person := &models.Person{Contact: c, Own: map[string]string{}, Here: p.Attached(&c, now)}
	for i, f := range pl.fields {
		if r.values[i] != "" {
			f.Set(person, r.values[i])
		}
	}
	person.Index()
	return person
}

// applied returns a known person after their row and a policy, nil if nothing changes, and the number of changed
// fields.
func (pl *importPlan) applied(p *models.Programme, m *importMatch, policy ImportPolicy, before *models.Person,
	now store.Time) (
	after *models.Person, fields int) {
	r := m.known[before.ID]
	if policy == ImportSkip && !m.unseen[before.ID] {
		return nil, 0
	}
	after = before.Clone()
	if after.Here == nil {
		after.Here = p.Attached(&after.Contact, now)
		if m.guests[before.ID] {
			after.Here.GuestSince = &now
		}
	}
	for i, f := range pl.fields {
		is := f.Value(before)
		if !m.mayFill(f, before.ID) || r.values[i] == "" || says(f, r.values[i], is) || policy == ImportFill && is != "" {
			continue
		}
		f.Set(after, r.values[i])
		fields++
	}
	if fields == 0 && before.Here != nil {
		return nil, 0
	}
	after.Index()
	return after, fields
}
