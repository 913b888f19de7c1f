package models

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// importMatch tells the rows of whom somebody knows from the others.
type importMatch struct {
	known   map[string]*importRow // by the contact's id
	fresh   []*importRow          // by address
	repeats int                   // rows that say of somebody known what another row says
	faults  []*ImportFault        // one a row, of those that say it otherwise
	// guests are those of the known who are beyond the reach of who imports: they come as guests, and count as new.
	// again are further rows of theirs. kept are those whose profile is not theirs to change.
	guests, kept map[string]bool
	again        int
}

// match looks up whose the rows' addresses are. Two rows may be one person, whose other address is an alias: the first
// of them counts.
func (pl *importPlan) match(db *gorm.DB, p *Programme) (*importMatch, error) {
	m := &importMatch{known: map[string]*importRow{}, guests: map[string]bool{}, kept: map[string]bool{}}
	for some := range slices.Chunk(pl.rows, importChunk) {
		keys := make([]string, len(some))
		for i, r := range some {
			keys[i] = r.key
		}
		ids, err := idsByEmail(db, p.event.OrganizationID, keys)
		if err != nil {
			return nil, err
		}
		if err := m.reach(db, p, slices.Sorted(maps.Values(ids))); err != nil {
			return nil, err
		}
		for _, r := range some {
			switch id := ids[r.key]; {
			case id == "":
				m.fresh = append(m.fresh, r)
			case m.known[id] == nil:
				m.known[id] = r
			case m.guests[id]:
				m.again++
			default:
				m.meet(pl, id, r)
			}
		}
	}
	return m, nil
}

// reach tells whom of those who are known whoever imports may not know, or not change.
func (m *importMatch) reach(db *gorm.DB, p *Programme, ids []string) error {
	if p.reach.everybody || len(ids) == 0 {
		return nil
	}
	var within []string
	plain := db.Session(&gorm.Session{NewDB: true})
	err := p.reached().seen(plain.Model(&Contact{})).Where("contacts.id IN ?", ids).Pluck("contacts.id", &within).Error
	if err != nil {
		return err
	}
	for _, id := range ids {
		m.guests[id] = !slices.Contains(within, id)
	}
	beyond, err := p.Directory().beyond(plain, ids)
	for _, id := range ids {
		m.kept[id] = m.guests[id] || beyond[id]
	}
	return err
}

// meet keeps the first of two rows that are one person.
func (m *importMatch) meet(pl *importPlan, id string, other *importRow) {
	first := m.known[id]
	if other.number < first.number {
		first, other = other, first
	}
	m.known[id] = first
	reason := pl.disagreement(first, other)
	if reason == "" {
		m.repeats++
		return
	}
	email := pl.index("email")
	m.faults = append(m.faults, &ImportFault{Row: other.number, Person: pl.named(other), Column: pl.names[pl.sources[email]],
		Text: cutText(other.values[email]), Reason: reason + " Both addresses are this person's."})
}

// disagreement says in which field two rows of one person differ, "" for none.
func (pl *importPlan) disagreement(first, other *importRow) string {
	for i, f := range pl.fields {
		if f.Key != "email" && first.values[i] != other.values[i] {
			return fmt.Sprintf("Also in row %d, with another %s. Keep one of the two.", first.number, lowered(f.Label))
		}
	}
	return ""
}

// named is the name of a row's person.
func (pl *importPlan) named(r *importRow) string {
	var parts []string
	for i, f := range pl.fields {
		if f.Key == "first_name" || f.Key == "last_name" {
			parts = append(parts, r.values[i])
		}
	}
	return cutText(strings.TrimSpace(strings.Join(parts, " ")))
}
