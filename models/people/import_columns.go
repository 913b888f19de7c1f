package people

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/field"
	"lectern/models/store"
)

// ImportColumns describes the columns of an import's file.
type ImportColumns struct {
	*ContactImport
	Rows    int
	Columns []ImportColumn
	Fields  []*models.ContactField // the fields that a column may hold, besides full_name
	IsKnown bool                   // an earlier import had the same columns
}

// ImportColumn is a column of a file.
type ImportColumn struct {
	csv.Guess
	Name   string
	Chosen string // the name of the field that it holds; "" for a column that is left out
}

// AllSure reports whether no column needs a look: each header says what it holds or why it is left out, and one is the
// address; or an earlier import had the same columns.
func (c *ImportColumns) AllSure() bool {
	return c.IsKnown || slices.Contains(c.Mapping, "email") && !slices.ContainsFunc(c.Columns, func(c ImportColumn) bool {
		return c.Certainty != csv.Exact && c.Why == "" && !csv.IsBeside(c.Name)
	})
}

// Label returns what pages call a field that a column may hold.
func (c *ImportColumns) Label(name string) string {
	if i := slices.IndexFunc(c.Fields, func(f *models.ContactField) bool { return f.Key == name }); i >= 0 {
		return c.Fields[i].Label
	}
	return "Full name"
}

// ImportColumns reads the columns of an import's file. It answers NotFound, also when the file is no longer kept.
func (e *AtEvent) ImportColumns(ctx context.Context, id string) (*ImportColumns, error) {
	i, err := e.ContactImport(ctx, id)
	if err != nil {
		return nil, err
	}
	file, fields, err := e.openImport(ctx, i)
	if err != nil {
		return nil, err
	}
	c := columnsOf(i, file, fields)
	known, err := e.knownMapping(ctx, i.Headers, fields)
	c.IsKnown = known != nil && slices.Equal(known, i.Mapping)
	return c, err
}

// openImport returns the file of an import and the fields that it may fill in.
func (e *AtEvent) openImport(ctx context.Context, i *ContactImport) (*csv.File, []*models.ContactField, error) {
	file, err := table(ctx, e.p.Store(), i)
	if err != nil {
		return nil, nil, err
	}
	fields, err := e.p.Directory().Fields(ctx)
	return file, fields, err
}

func columnsOf(i *ContactImport, file *csv.File, fields []*models.ContactField) *ImportColumns {
	c := &ImportColumns{ContactImport: i, Rows: file.Count}
	for _, f := range fields {
		if notTaken(f) == "" {
			c.Fields = append(c.Fields, f)
		}
	}
	for at, guess := range file.Guess(importTargets(fields)) {
		column := ImportColumn{Guess: guess, Name: file.Columns[at].Name}
		if at < len(i.Mapping) {
			column.Chosen = i.Mapping[at]
		}
		c.Columns = append(c.Columns, column)
	}
	return c
}

// notTaken returns why a field that an export contains is not imported, "" if it is.
func notTaken(f *models.ContactField) string {
	switch {
	case f.Part == models.Answered:
		return "Speakers answer this for themselves. Staff can change it on the page of the person."
	case !f.Type.InTables():
		return "It names files, and a table does not bring those. Add them on the page of the person."
	}
	return ""
}

// wordOf returns a label in the form in which headers are compared, without a question mark at its end.
func wordOf(f *models.ContactField) string { return strings.TrimRight(f.Label, "? ") }

// importTargets returns what columns may hold: own fields by label, then the common fields.
func importTargets(fields []*models.ContactField) []csv.Target {
	var targets []csv.Target
	for _, f := range fields {
		if f.IsOwn && notTaken(f) == "" {
			t := csv.Target{Name: f.Key, Label: f.Label, Words: []string{wordOf(f)}}
			if f.Type != field.Text && f.Type != field.LongText {
				t.Takes, t.Looks = true, func(value string) bool { _, err := f.Clean(value); return err == nil }
			}
			targets = append(targets, t)
		}
	}
	for _, t := range csv.Targets {
		if t.Name != "full_name" && !slices.ContainsFunc(fields,
			func(f *models.ContactField) bool { return f.Key == t.Name }) {
			t.Name, t.Looks, t.Tells = "", nil, false
		}
		targets = append(targets, t)
	}
	for _, f := range fields { // as exports call columns that other files do not have
		if why := notTaken(f); why != "" {
			targets = append(targets, csv.Target{Label: f.Label, Words: []string{wordOf(f)}, Why: why})
		} else if !f.IsOwn && !slices.ContainsFunc(targets, func(t csv.Target) bool { return t.Name == f.Key }) {
			targets = append(targets, csv.Target{Name: f.Key, Label: f.Label, Words: []string{f.Label}})
		}
	}
	return targets
}

// MapImport sets how the file of an import is read and what its columns hold. If the way of reading changes, the
// columns are guessed anew. It answers NotFound, and Invalid by the fields encoding, delimiter and columns.
func (e *AtEvent) MapImport(ctx context.Context, id string, as csv.Reading, mapping models.Options) (*ContactImport,
	error) {
	i, err := e.ContactImport(ctx, id)
	if err != nil {
		return nil, err
	}
	if !i.CanStart() {
		return nil, errImportOver
	}
	fields, err := e.p.Directory().Fields(ctx)
	if err != nil {
		return nil, err
	}
	if as.Encoding != "" && as.Encoding != i.Encoding || as.Delimiter != 0 && string(as.Delimiter) != i.Delimiter {
		if err := e.readAnew(ctx, i, as, fields); err != nil {
			return nil, err
		}
	} else if err := checkMapping(mapping, len(i.Mapping), fields); err != nil {
		return nil, err
	} else {
		i.Mapping = mapping
	}
	return i, e.p.Write(ctx, func(tx *store.Tx) error {
		return store.Changed(tx.Model(&ContactImport{}).Where("id = ? AND state NOT IN ?", i.ID, importsAway).
			Select("encoding", "delimiter", "headers", "mapping").Updates(i), errImportOver)
	})
}

// importsAway are the states in which an import can no longer be changed.
var importsAway = []ImportState{ImportWaiting, ImportRunning, ImportFinished}

// readAnew reads the file another way and guesses its columns again.
func (e *AtEvent) readAnew(ctx context.Context, i *ContactImport, as csv.Reading, fields []*models.ContactField) error {
	if as.Encoding != "" {
		i.Encoding = as.Encoding
	}
	if as.Delimiter != 0 {
		i.Delimiter = string(as.Delimiter)
	}
	file, err := table(ctx, e.p.Store(), i)
	if err != nil {
		return err
	}
	return e.readAs(ctx, i, file, fields)
}

// checkMapping answers Invalid for a mapping that cannot be imported.
func checkMapping(mapping models.Options, columns int, fields []*models.ContactField) error {
	if len(mapping) != columns {
		return store.Invalidf("columns", "are not those of the file; load the page again")
	}
	taken := map[string]int{}
	for at, name := range mapping {
		if name == "" {
			continue
		}
		label := "Full name"
		if name != "full_name" {
			f := slices.IndexFunc(fields, func(f *models.ContactField) bool { return f.Key == name && notTaken(f) == "" })
			if f < 0 {
				return store.Invalidf(importColumnField(at), "holds a field that there is not; it may have been deleted meanwhile")
			}
			label = fields[f].Label
		}
		if before, found := taken[name]; found {
			return store.Invalidf(importColumnField(at), "holds %s, as column %d does; leave one of them out", label, before+1)
		}
		taken[name] = at
	}
	_, whole := taken["full_name"]
	_, first := taken["first_name"]
	_, last := taken["last_name"]
	if !whole && !first && !last {
		return store.Invalidf("columns", "must tell the name: the first and the last name, or the full name")
	}
	if whole && (first || last) {
		return store.Invalidf("columns", "tell the name twice; leave out the full name, or the first and the last name")
	}
	return nil
}

func importColumnField(at int) string { return fmt.Sprintf("columns[%d]", at) }

// ofPeople removes the columns that WriteFaults adds to a file.
func ofPeople(headers []string) []string {
	return slices.DeleteFunc(slices.Clone(headers), csv.IsBeside)
}

// readAs stores how a file was read and what its columns hold: the mapping of an earlier import with the same columns,
// else a guess.
func (e *AtEvent) readAs(ctx context.Context, i *ContactImport, file *csv.File,
	fields []*models.ContactField) (err error) {
	i.Encoding, i.Delimiter, i.Headers = file.Encoding, string(file.Delimiter), nil
	for _, column := range file.Columns {
		i.Headers = append(i.Headers, column.Name)
	}
	if i.Mapping, err = e.knownMapping(ctx, i.Headers, fields); err != nil || i.Mapping != nil {
		return err
	}
	for _, guess := range file.Guess(importTargets(fields)) {
		i.Mapping = append(i.Mapping, guess.Target)
	}
	return nil
}

// lookedBack is how many earlier imports are searched for the same columns.
const lookedBack = 50

// knownMapping returns the mapping of the organization's last started import with the same columns, nil if there is
// none or it is no longer valid.
func (e *AtEvent) knownMapping(ctx context.Context, headers []string, fields []*models.ContactField) (models.Options,
	error) {
	var before []*ContactImport
	err := e.p.Read(ctx).Where("organization_id = ? AND state <> ?", e.p.Event().OrganizationID, ImportUploaded).
		Select("headers", "mapping").Order("created_at DESC, id DESC").Limit(lookedBack).Find(&before).Error
	if err != nil {
		return nil, err
	}
	for _, i := range before {
		if len(i.Headers) != len(i.Mapping) || !slices.Equal(ofPeople(i.Headers), ofPeople(headers)) {
			continue
		}
		holds := map[string]string{}
		for at, name := range i.Headers {
			holds[name] = i.Mapping[at]
		}
		mapping := models.Options(store.Map(headers, func(name string) string { return holds[name] }))
		if checkMapping(mapping, len(headers), fields) != nil {
			return nil, nil
		}
		return mapping, nil
	}
	return nil, nil
}
