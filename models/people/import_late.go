package people

import (
	"slices"

	"lectern/models/outbox"
	"lectern/models/store"
)

// foundStaged selects staged new people whose address belongs to a contact by now, as its own or as an alias.
const foundStaged = `SELECT n.id AS staged, n.email_key AS key, c.id AS contact_id FROM staged_new n
	JOIN contacts c ON c.organization_id = n.organization_id AND c.email_key = n.email_key AND n.email_key <> ''
	UNION ALL SELECT n.id, n.email_key, a.contact_id FROM staged_new n
	JOIN contact_aliases a ON a.organization_id = n.organization_id AND a.email_key = n.email_key
	ORDER BY key`

// takeLate locks everybody whom the import changes, contacts by id before their rows for the event. People who seemed
// new and are known by now, and people who changed since they were read, are read and staged anew. It answers
// errMovedOn if somebody is gone, or if two rows are the same person by now.
func (w *importWriter) takeLate(tx *store.Tx, m *importMatch) error {
	if err := w.takeFound(tx, m); err != nil {
		return err
	}
	moved, err := w.holdRead(tx)
	if err != nil || len(moved) == 0 {
		return err
	}
	if err := w.unstage(tx, moved); err != nil {
		return err
	}
	for _, id := range moved {
		delete(w.changed, id)
	}
	return w.tellSome(tx, m, moved)
}

// takeFound turns staged new people whom it finds among the contacts into known ones, before they are read.
func (w *importWriter) takeFound(tx *store.Tx, m *importMatch) error {
	var found []struct{ Staged, Key, ContactID string }
	if err := tx.Raw(foundStaged).Scan(&found).Error; err != nil || len(found) == 0 {
		return err
	}
	byKey := store.ByKey(m.fresh, func(r *importRow) string { return r.key })
	var staged, ids []string
	var unread []readTokens
	for _, f := range found {
		if m.known[f.ContactID] != nil {
			return errMovedOn
		}
		m.known[f.ContactID] = byKey[f.Key]
		delete(byKey, f.Key)
		staged = append(staged, f.Staged)
		ids = append(ids, f.ContactID)
	}
	if err := m.reach(tx.DB, w.Programme, ids); err != nil {
		return err
	}
	for _, id := range ids {
		if w.Policy != ImportSkip || m.unseen[id] {
			unread = append(unread, readTokens{ContactID: id})
		}
	}
	m.fresh = slices.DeleteFunc(m.fresh, func(r *importRow) bool { return byKey[r.key] == nil })
	w.Created = len(m.fresh)
	if err := w.unstage(tx, staged); err != nil {
		return err
	}
	return store.InsertInto(tx, "staged_read", unread)
}

// unstage deletes what was staged, recorded and emitted about some people.
func (w *importWriter) unstage(tx *store.Tx, ids []string) error {
	for some := range slices.Chunk(ids, importChunk) {
		for _, of := range []struct{ table, column string }{
			{"staged_new", "id"}, {"staged_changed", "id"}, {"staged_moved", "id"}, {"staged_read", "contact_id"}, {"staged_here", "contact_id"},
			{"staged_untagged", "contact_id"}, {"staged_tags", "contact_id"}, {"staged_values", "contact_id"},
		} {
			if err := tx.Exec("DELETE FROM "+of.table+" WHERE "+of.column+" IN ?", some).Error; err != nil {
				return err
			}
		}
		err := tx.Exec("DELETE FROM "+w.activity+" WHERE subject_id IN ? AND part_of = ?", some, w.ContactImport.ID).Error
		if err != nil {
			return err
		}
		// Emissions of this transaction have no delivery yet. It emits only new people; others may have emitted known
		// ones.
		if err := tx.Exec("DELETE FROM "+w.emissions+" WHERE fanned_at IS NULL AND organization_id = ? AND type = ? AND "+
			"resource_id IN ?", w.people.ID, outbox.ContactCreated, some).Error; err != nil {
			return err
		}
	}
	return nil
}

// holdRead locks everybody who is to be changed and returns those who changed since they were read. It answers
// errMovedOn if somebody is gone, or no longer at the event.
func (w *importWriter) holdRead(tx *store.Tx) (moved []string, err error) {
	hold := func(table string) string {
		if tx.Store.Embedded() { // nobody else writes
			return ""
		}
		return " FOR NO KEY UPDATE OF " + table
	}
	for _, of := range []struct {
		want, rows string
		values     []any
	}{
		{"count(*)", "SELECT c.id, c.updated_at AS now, s.contact AS read, true AS was FROM contacts c " +
			"JOIN staged_read s ON s.contact_id = c.id ORDER BY c.id" + hold("c"), nil},
		{"count(here)", "SELECT h.contact_id AS id, h.updated_at AS now, s.here AS read, s.here IS NOT NULL AS was " +
			"FROM event_contacts h JOIN staged_read s ON s.contact_id = h.contact_id WHERE h.event_id = ? " +
			"ORDER BY h.contact_id" + hold("h"), []any{w.Event().ID}},
	} {
		var rows []struct {
			ID   string
			Gone int64
		}
		if err := tx.Raw("WITH held AS MATERIALIZED ("+of.rows+") SELECT '' AS id, (SELECT "+of.want+" FROM staged_read) - "+
			"count(*) FILTER (WHERE was) AS gone FROM held UNION ALL SELECT id, 0 FROM held WHERE now IS DISTINCT FROM read",
			of.values...).Scan(&rows).Error; err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.Gone > 0 {
				return nil, errMovedOn
			}
			if row.ID != "" {
				moved = append(moved, row.ID)
			}
		}
	}
	slices.Sort(moved)
	return slices.Compact(moved), nil
}
