package models

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"lectern/models/csv"
)

// ImportEffect is what an import does with people whose address is known.
type ImportEffect struct {
	People int // who change, or come to the event
	Fields int // of theirs, that change
}

// ImportCheck is what would become of a file's rows.
type ImportCheck struct {
	*ImportColumns
	Create  int
	Known   int // people with a known address, whatever becomes of them
	Repeats int // rows that say again what one before says
	Effects map[ImportPolicy]ImportEffect
	Faults  []*ImportFault // all, by row
	Failed  int            // rows with faults
}

// SkippedBy are the rows that change nothing by a policy.
func (c *ImportCheck) SkippedBy(policy ImportPolicy) int {
	return c.Known - c.Effects[policy].People + c.Repeats
}

// everybody is the organization's people, with what is kept of them at this event. Whom another organization knows is
// nobody here.
func (p *Programme) everybody() *Directory {
	d := p.store.Directory(p.event.OrganizationID, p.by)
	d.event = p.event
	return d
}

// knownIDs are the contacts of the organization that have some rows' addresses, by these.
func (d *Directory) knownIDs(db *gorm.DB, rows []*importRow) (map[string]string, error) {
	keys := make([]string, len(rows))
	for i, r := range rows {
		keys[i] = r.key
	}
	var found []*Contact
	err := db.Select("id, email_key").Where("organization_id = ? AND email_key <> '' AND email_key IN ?", d.ID, keys).
		Find(&found).Error
	ids := map[string]string{}
	for _, c := range found {
		ids[c.EmailKey] = c.ID
	}
	return ids, err
}

// importChunk is how many rows are looked up and written at a time.
const importChunk = 500

// foresee tells what would become of the rows by each policy.
func (pl *importPlan) foresee(ctx context.Context, p *Programme) (*ImportCheck, error) {
	check := &ImportCheck{Effects: map[ImportPolicy]ImportEffect{}, Repeats: pl.repeats, Faults: pl.faults, Failed: pl.failed}
	d := p.everybody()
	for some := range slices.Chunk(pl.rows, importChunk) {
		ids, err := d.knownIDs(d.Read(ctx), some)
		if err != nil {
			return nil, err
		}
		people, err := d.people(d.Read(ctx), d.Read(ctx), sortedValues(ids))
		if err != nil {
			return nil, err
		}
		check.Known += len(people)
		check.Create += len(some) - len(people)
		rows := rowsByID(some, ids)
		for _, before := range people {
			for _, policy := range ImportPolicies {
				after, fields := pl.applied(p, policy, before, rows[before.ID], p.store.Now())
				if after != nil {
					e := check.Effects[policy]
					check.Effects[policy] = ImportEffect{e.People + 1, e.Fields + fields}
				}
			}
		}
	}
	return check, nil
}

func sortedValues(of map[string]string) (values []string) {
	for _, value := range of {
		values = append(values, value)
	}
	slices.Sort(values)
	return values
}

func rowsByID(rows []*importRow, ids map[string]string) map[string]*importRow {
	byID := map[string]*importRow{}
	for _, r := range rows {
		if id := ids[r.key]; id != "" {
			byID[id] = r
		}
	}
	return byID
}

// WriteImportFaults writes the rows of an import's file that cannot come in as a table of its own, with the row they
// stood in and what is wrong: corrected, it can be uploaded as it is. It answers NotFound, also when the file is no
// longer kept.
func (p *Programme) WriteImportFaults(ctx context.Context, id string, out io.Writer) error {
	check, err := p.CheckImport(ctx, id)
	if err != nil {
		return err
	}
	file, err := p.store.table(ctx, check.ContactImport)
	if err != nil {
		return err
	}
	reasons := map[int][]string{}
	for _, f := range check.Faults {
		reason := f.Reason
		if f.Column != "" {
			reason = f.Column + ": " + reason
		}
		reasons[f.Row] = append(reasons[f.Row], reason)
	}
	var kept []int
	var heading []string
	for i, column := range file.Columns {
		if column.Header != importRowColumn && column.Header != importReasonColumn {
			kept, heading = append(kept, i), append(heading, column.Header)
		}
	}
	w := csv.NewWriter(out)
	if err := w.Write(append(heading, importRowColumn, importReasonColumn)); err != nil {
		return err
	}
	for row, err := range file.Rows() {
		if err != nil {
			return err
		}
		if reasons[row.Number] == nil {
			continue
		}
		var cells []string
		for _, i := range kept {
			cells = append(cells, row.Cells[i])
		}
		cells = append(cells, strconv.Itoa(row.Number), strings.Join(reasons[row.Number], " "))
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	return w.Flush()
}
