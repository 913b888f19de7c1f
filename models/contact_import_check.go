package models

import (
	"context"
	"slices"

	"gorm.io/gorm"
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

// Skipped are the rows that change nothing by a policy.
func (c *ImportCheck) Skipped(policy ImportPolicy) int {
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
