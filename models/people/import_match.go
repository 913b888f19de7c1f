package people

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// importMatch sorts rows into known and new people.
type importMatch struct {
	known   map[string]*importRow // by the contact's id
	fresh   []*importRow          // by address
	repeats int                   // rows that repeat another row about a known person
	faults  []*ImportFault        // at most one for a row: for those that contradict another row
	// unseen are the known people beyond the importer's reach, who count as new; again counts further rows about them.
	// guests are added as guests. kept are those whose profile the importer may not change.
	unseen, guests, kept map[string]bool
	again                int
	// named are known people without an address whom a row matches by name alone; they get the row's address.
	named map[string]bool
}

// match finds the known people of the rows by their addresses and names. Two rows may be one person through an alias:
// the first counts.
func (pl *importPlan) match(db *gorm.DB, p *models.Programme) (*importMatch, error) {
	m := &importMatch{known: map[string]*importRow{}, unseen: map[string]bool{}, guests: map[string]bool{},
		kept: map[string]bool{}, named: map[string]bool{}}
	for some := range slices.Chunk(pl.rows, importChunk) {
		ids, err := m.whose(db, p, some)
		if err != nil {
			return nil, err
		}
		if err := m.reach(db, p, slices.DeleteFunc(slices.Sorted(maps.Values(ids)),
			func(id string) bool { return id == several })); err != nil {
			return nil, err
		}
		if err := m.takeNamesakes(db, p, pl.unknown(some, ids), ids); err != nil {
			return nil, err
		}
		for _, r := range some {
			switch id := ids[r.key]; {
			case id == several:
				m.faults = append(m.faults, &ImportFault{Row: r.number, Person: pl.named(r),
					Reason: "Several people of this event are called so and have no address. Which of them is it? Give an address."})
			case id == "":
				m.fresh = append(m.fresh, r)
			case m.known[id] == nil:
				m.known[id] = r
			case m.unseen[id]:
				m.again++
			default:
				m.keepEarlier(pl, id, r)
			}
		}
	}
	return m, nil
}

// several stands for the id if several people share a name.
const several = "several"

// whose returns the ids of known people by the rows' keys. A row with an address means whoever has it; one without
// means the person of that name at this event who has no address either.
func (m *importMatch) whose(db *gorm.DB, p *models.Programme, rows []*importRow) (map[string]string, error) {
	var emails, names []string
	for _, r := range rows {
		if name, is := strings.CutPrefix(r.key, byName); is {
			names = append(names, name)
		} else {
			emails = append(emails, r.key)
		}
	}
	ids, err := models.IDsByEmail(db, p.Event().OrganizationID, emails)
	if ids == nil {
		ids = map[string]string{}
	}
	if err != nil || len(names) == 0 {
		return ids, err
	}
	var known []*models.Contact
	err = p.Directory().WithoutStrangers(db.Session(&gorm.Session{NewDB: true}), "id").Select("id, name_key").
		Where("organization_id = ? AND email_key = '' AND erased_at IS NULL AND name_key IN ?", p.Event().OrganizationID,
			names).
		Where("id IN (SELECT contact_id FROM event_contacts WHERE event_id = ?)", p.Event().ID).Order("id").Find(&known).Error
	for _, c := range known {
		if key := byName + c.NameKey; ids[key] == "" {
			ids[key] = c.ID
		} else {
			ids[key] = several
		}
	}
	return ids, err
}

// unknown returns the addresses of the rows whose address nobody has, by the rows' names, except for names that several
// rows have.
func (pl *importPlan) unknown(rows []*importRow, ids map[string]string) map[string]string {
	unknown := map[string]string{}
	for _, r := range rows {
		if ids[r.key] == "" && !strings.HasPrefix(r.key, byName) && pl.called[r.nameKey] == 1 {
			unknown[r.nameKey] = r.key
		}
	}
	return unknown
}

// takeNamesakes matches rows with an address that nobody has to known people without an address, and adds their ids. It
// does so only if there is no doubt: nobody else at this event has the name, they have neither alias nor account, and
// the importer may change their profile.
func (m *importMatch) takeNamesakes(db *gorm.DB, p *models.Programme, keys, ids map[string]string) error {
	if len(keys) == 0 {
		return nil
	}
	var found []struct{ ID, NameKey string }
	err := db.Session(&gorm.Session{NewDB: true}).Table("contacts c").Select("min(c.id) AS id, c.name_key").
		Joins("JOIN event_contacts h ON h.contact_id = c.id AND h.event_id = ?", p.Event().ID).
		Where("c.organization_id = ? AND c.erased_at IS NULL AND c.name_key IN ?", p.Event().OrganizationID,
			slices.Sorted(maps.Keys(keys))).
		Group("c.name_key").Having("count(*) = 1 AND count(CASE WHEN c.email_key = ''" +
		" AND NOT EXISTS (SELECT 1 FROM contact_aliases a WHERE a.contact_id = c.id)" +
		" AND NOT EXISTS (SELECT 1 FROM speaker_accounts s WHERE s.contact_id = c.id) THEN 1 END) = 1").Scan(&found).Error
	if err != nil || len(found) == 0 {
		return err
	}
	namesakes := make([]string, len(found))
	for i, c := range found {
		namesakes[i] = c.ID
	}
	if err := m.reach(db, p, namesakes); err != nil {
		return err
	}
	for _, c := range found {
		if !m.kept[c.ID] {
			ids[keys[c.NameKey]], m.named[c.ID] = c.ID, true
		}
	}
	return nil
}

// reach notes which of the known people the importer may not see, or not change.
func (m *importMatch) reach(db *gorm.DB, p *models.Programme, ids []string) error {
	if p.Reach().IsEverybody() || len(ids) == 0 {
		return nil
	}
	unseen, err := p.Unseen(db, ids)
	if err != nil {
		return err
	}
	guests, err := p.Joining(&store.Tx{DB: db}, ids)
	if err != nil {
		return err
	}
	beyond, err := p.Directory().Beyond(db, ids)
	for _, id := range ids {
		m.unseen[id], m.guests[id] = slices.Contains(unseen, id), guests[id] != nil
		m.kept[id] = m.guests[id] || beyond[id]
	}
	return err
}

// mayFill reports whether the import may change a field of a known person: not the profile beyond the importer's reach,
// and the address only if they have none.
func (m *importMatch) mayFill(f *models.ContactField, id string) bool {
	return (!m.kept[id] || f.Part.OfEvent()) && (f.Key != "email" || m.named[id])
}

// keepEarlier keeps the earlier of two rows about one person. The other is a repeat or, if it differs, a fault.
func (m *importMatch) keepEarlier(pl *importPlan, id string, other *importRow) {
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

// disagreement names the field in which two rows of one person differ, "" for none.
func (pl *importPlan) disagreement(first, other *importRow) string {
	for i, f := range pl.fields {
		if f.Key != "email" && first.values[i] != other.values[i] {
			return fmt.Sprintf("Also in row %d, with another %s. Keep one of the two.", first.number, lowered(f.Label))
		}
	}
	return ""
}

// named returns the name of a row's person.
func (pl *importPlan) named(r *importRow) string {
	var parts []string
	for i, f := range pl.fields {
		if f.Key == "first_name" || f.Key == "last_name" {
			parts = append(parts, r.values[i])
		}
	}
	return cutText(strings.TrimSpace(strings.Join(parts, " ")))
}
