package people

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/field"
	"lectern/models/store"
)

// ImportEffect counts what an import would change about people who are known already.
type ImportEffect struct {
	People int // who change, or are added to the event
	Fields int // fields of theirs that change
}

// ImportCheck says what an import would do with a file's rows.
type ImportCheck struct {
	*ImportColumns
	Create  int
	Known   int      // people who are known already, whatever the import does with them
	Repeats int      // rows that repeat an earlier row
	ByName  int      // rows without an address, whose people are identified by name
	Named   []string // known people without an address whose name a row has; they would get the row's address
	Effects map[ImportPolicy]ImportEffect
	Faults  []*ImportFault // all, by row
	Failed  int            // rows with faults
	file    *csv.File
}

// SkippedBy returns the number of rows that change nothing under a policy.
func (c *ImportCheck) SkippedBy(policy ImportPolicy) int {
	return c.Known - c.Effects[policy].People + c.Repeats
}

// importChunk is how many rows are processed at a time.
const importChunk = 500

// foresee reads the file of an import and computes its effect under each policy.
func (e *AtEvent) foresee(ctx context.Context, i *ContactImport, file *csv.File, fields []*models.ContactField) (
	*ImportCheck, *importPlan, error) {
	plan, err := e.plan(ctx, i.Mapping, file, fields)
	if err != nil {
		return nil, nil, err
	}
	check, err := plan.effects(ctx, e.p)
	if err != nil {
		return nil, nil, err
	}
	check.ImportColumns, check.file = columnsOf(i, file, fields), file
	return check, plan, nil
}

// effects computes what an import of the rows would do.
func (pl *importPlan) effects(ctx context.Context, p *models.Programme) (*ImportCheck, error) {
	d := p.WholeOrganization()
	m, err := pl.match(d.Read(ctx), p)
	if err != nil {
		return nil, err
	}
	check := &ImportCheck{ByName: m.unaddressed(), Effects: map[ImportPolicy]ImportEffect{}, Create: len(m.fresh) +
		m.again, Repeats: pl.repeats + m.repeats,
		Faults: append(slices.Clip(pl.faults), m.faults...), Failed: pl.failed + len(m.faults)}
	for id := range m.named {
		check.Named = append(check.Named, pl.named(m.known[id]))
	}
	slices.Sort(check.Named)
	slices.SortStableFunc(check.Faults, func(a, b *ImportFault) int { return cmp.Compare(a.Row, b.Row) })
	for some := range slices.Chunk(slices.Sorted(maps.Keys(m.known)), importChunk) {
		people, err := d.PeopleFrom(d.Read(ctx), d.Read(ctx), some)
		if err != nil {
			return nil, err
		}
		for _, before := range people {
			if m.unseen[before.ID] { // the check must not tell them from new people
				check.Create++
				continue
			}
			check.Known++
			for _, policy := range ImportPolicies {
				after, fields := pl.applied(p, m, policy, before, p.Store().Now())
				if after != nil {
					e := check.Effects[policy]
					check.Effects[policy] = ImportEffect{e.People + 1, e.Fields + fields}
				}
			}
		}
	}
	return check, nil
}

// unaddressed counts the rows without an address.
func (m *importMatch) unaddressed() (n int) {
	for _, r := range slices.AppendSeq(slices.Clone(m.fresh), maps.Values(m.known)) {
		if strings.HasPrefix(r.key, byName) {
			n++
		}
	}
	return n
}

// WriteImportFaults writes the faulty rows of an import's file, as ImportCheck.WriteFaults does. It answers NotFound,
// also when the file is no longer kept.
func (e *AtEvent) WriteImportFaults(ctx context.Context, id string, out io.Writer) error {
	check, err := e.CheckImport(ctx, id)
	if err != nil {
		return err
	}
	return check.WriteFaults(out)
}

// WriteFaults writes the faulty rows as a table, each with its row number and what is wrong. Corrected, the table can
// be imported as it is.
func (c *ImportCheck) WriteFaults(out io.Writer) error {
	reasons := map[int][]string{}
	for _, f := range c.Faults {
		reason := f.Reason
		if f.Column != "" {
			reason = f.Column + ": " + reason
		}
		reasons[f.Row] = append(reasons[f.Row], reason)
	}
	return c.file.WriteFaulty(out, reasons)
}

// importedEmail is stricter than the rule for addresses that staff type, because nobody looks at each of a thousand.
var importedEmail = field.Definition{Key: "email", Type: field.Email}

func (pl *importPlan) clean(f *models.ContactField, text string) (string, error) {
	if f.IsMoment {
		return models.ReadMoment(f.Key, text, pl.zone)
	}
	switch f.Key {
	case "email":
		value, err := importedEmail.Clean(text)
		if err != nil {
			return "", err
		}
		return f.Clean(value)
	case "tags":
		return pl.cleanTags(f, text)
	case "about":
		return f.Clean(store.Paragraphs(text))
	}
	return f.Clean(text)
}

// cleanTags replaces the names of tags in a cell by their ids. A name may contain a comma.
func (pl *importPlan) cleanTags(f *models.ContactField, text string) (string, error) {
	var ids []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(";|\n", r) }) {
		names := []string{part}
		if pl.tags[store.Searchable(part)] == "" {
			names = strings.Split(part, ",")
		}
		for _, name := range names {
			name = strings.TrimSpace(name)
			id := pl.tags[store.Searchable(name)]
			if id == "" && name != "" {
				return "", store.Invalidf("tags", "are those of the event, and it has no %q; add it there, or delete it here", cutText(name))
			}
			ids = append(ids, id)
		}
	}
	return f.Clean(strings.Join(ids, "\n"))
}

// says reports whether two values of a field mean the same: a biography in a cell has lost its markup.
func says(f *models.ContactField, value, other string) bool {
	words := func(html string) []string { return strings.Fields(store.PlainText(html)) }
	return value == other || f.Key == "about" && slices.Equal(words(value), words(other))
}

// cutText shortens a text for the table of faults to 100 characters.
func cutText(text string) string {
	n := 0
	for at := range text {
		if n++; n > 100 {
			return strings.Clone(text[:at]) + "…"
		}
	}
	return text
}

// sentence returns the message of a fault as a sentence, without the field's name.
func sentence(err error) string {
	e, found := errors.AsType[*store.Error](err)
	if !found || len(e.Fields) == 0 {
		return err.Error()
	}
	text := e.Fields[0].Message
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

func lowered(label string) string {
	if label == "LinkedIn" {
		return label
	}
	return strings.ToLower(label)
}
