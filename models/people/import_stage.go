package people

import (
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// staged are the temporary tables in which the rows of an import wait, each with the query whose columns it has. They
// end with the transaction.
var staged = []struct{ name, like string }{
	{"staged_new", "SELECT * FROM contacts"},
	{"staged_changed", "SELECT * FROM contacts"},
	{"staged_moved", "SELECT id FROM contacts"}, // of people with a new address
	{"staged_here", "SELECT * FROM event_contacts"},
	{"staged_untagged", "SELECT event_id, contact_id FROM event_contacts"},
	{"staged_tags", "SELECT * FROM contact_tags"},
	{"staged_values", "SELECT * FROM contact_values"},
	{"staged_read", "SELECT c.id AS contact_id, c.updated_at AS contact, h.updated_at AS here " +
		"FROM contacts c JOIN event_contacts h ON h.contact_id = c.id"},
}

// stagedTold are further tables, for activity and emissions. Only SQLite needs them: on PostgreSQL, inserts into the
// real tables block nobody.
var stagedTold = []struct{ name, like string }{
	{"staged_activity", "SELECT * FROM activity"},
	{"staged_emissions", "SELECT * FROM emissions"}, // numbered when they are inserted into the real table
}

// stagedKeys are the indexed columns of staging tables on SQLite. Its statistics of the tables joined with them may be
// from when those were small, and then it would scan a staging table for each row.
var stagedKeys = []struct{ table, column string }{
	{"staged_new", "email_key"}, {"staged_changed", "id"}, {"staged_read", "contact_id"},
}

// emissionColumns are all columns of an emission except its number.
const emissionColumns = "id, organization_id, event_id, type, resource_id, data, occurred_at, fanned_at, is_test"

// readTokens are the tokens of a person to be changed, as they were read: of the contact, and of their row for the
// event.
type readTokens struct {
	ContactID string
	Contact   store.Time
	Here      *store.Time
}

// begin creates the temporary tables.
func (w *importWriter) begin(tx *store.Tx) error {
	tables, until := staged, " ON COMMIT DROP"
	w.activity, w.emissions = "activity", "emissions"
	if tx.Store.Embedded() { // the end of the connection drops them
		tables, until = slices.Concat(staged, stagedTold), ""
		w.activity, w.emissions = "staged_activity", "staged_emissions"
	}
	for _, t := range tables {
		if err := tx.Exec("CREATE TEMPORARY TABLE " + t.name + until + " AS " + t.like + " LIMIT 0").Error; err != nil {
			return err
		}
	}
	if !tx.Store.Embedded() {
		return nil
	}
	for _, key := range stagedKeys {
		if err := tx.Exec("CREATE INDEX temp." + key.table + "_key ON " + key.table + " (" + key.column +
			")").Error; err != nil {
			return err
		}
	}
	return nil
}

// stage inserts the changes of people into the staging tables, without locking anybody.
func (w *importWriter) stage(tx *store.Tx, s *models.StagedPeople) error {
	var fresh []*models.Contact
	var read []readTokens
	for _, c := range s.Changes {
		if c.Before == nil {
			fresh = append(fresh, &c.After.Contact)
			continue
		}
		tokens := readTokens{ContactID: c.Before.ID, Contact: c.Before.UpdatedAt}
		if c.Before.Here != nil {
			tokens.Here = &c.Before.Here.UpdatedAt
		}
		read = append(read, tokens)
		if c.Before.FullName != c.After.FullName {
			w.renamed = append(w.renamed, c.After.ID)
		}
	}
	var moved []struct{ ID string }
	for _, id := range s.MovedIDs {
		moved = append(moved, struct{ ID string }{id})
		w.moved++
	}
	type row struct{ EventID, ContactID string }
	untagged := store.Map(s.Untagged, func(x *models.EventContact) row { return row{x.EventID, x.ContactID} })
	for _, insert := range []func() error{
		func() error { return store.InsertInto(tx, "staged_new", fresh) },
		func() error { return store.InsertInto(tx, "staged_read", read) },
		func() error { return store.InsertInto(tx, "staged_changed", s.Profiles) },
		func() error { return store.InsertInto(tx, "staged_moved", moved) },
		func() error { return store.InsertInto(tx, "staged_here", s.Here) },
		func() error { return store.InsertInto(tx, "staged_untagged", untagged) },
		func() error { return store.InsertInto(tx, "staged_tags", s.Tags) },
		func() error { return store.InsertInto(tx, "staged_values", s.Values) },
	} {
		if err := insert(); err != nil {
			return err
		}
	}
	return nil
}

// carryOver moves the staged rows to the real tables, in the order of locks: known people are locked by id, new ones
// are inserted by address, then what belongs to them follows.
func (w *importWriter) carryOver(tx *store.Tx, m *importMatch) error {
	if !tx.Store.Embedded() { // a statement writes a whole table, which may take longer than others may
		if err := tx.Exec(fmt.Sprintf("SET LOCAL statement_timeout = %d", importLimit.Milliseconds())).Error; err != nil {
			return err
		}
	}
	if err := w.share(tx); err != nil {
		return err
	}
	if err := w.takeLate(tx, m); err != nil {
		return err
	}
	if err := w.insertStaged(tx, m); err != nil {
		return err
	}
	done := tx.Exec("UPDATE contacts SET " + setTo("s",
		models.ContactColumns) + " FROM staged_changed s WHERE s.id = contacts.id")
	if store.IsDuplicate(done.Error) {
		return models.ErrTaken
	}
	if done.Error != nil {
		return done.Error
	}
	if w.moved > 0 {
		if err := models.EndWays(tx, gorm.Expr("SELECT id FROM staged_moved"), ""); err != nil {
			return err
		}
	}
	if err := models.EndClaims(tx, gorm.Expr("SELECT id FROM staged_new"), ""); err != nil {
		return err
	}
	statements := []string{
		"INSERT INTO event_contacts SELECT * FROM staged_here ORDER BY contact_id " +
			"ON CONFLICT (event_id, contact_id) DO UPDATE SET " + setTo("excluded", models.HereColumns),
		"DELETE FROM contact_tags WHERE (event_id, contact_id) IN (SELECT event_id, contact_id FROM staged_untagged)",
		"INSERT INTO contact_tags SELECT * FROM staged_tags",
		"INSERT INTO contact_values SELECT * FROM staged_values WHERE true " + // or SQLite takes ON for a join's
			"ON CONFLICT (field_key, contact_id) DO UPDATE SET " + setTo("excluded", models.ValueColumns),
	}
	if tx.Store.Embedded() {
		statements = append(statements, "INSERT INTO activity SELECT * FROM staged_activity",
			"INSERT INTO emissions ("+emissionColumns+") SELECT "+emissionColumns+" FROM staged_emissions ORDER BY rowid")
	}
	for _, statement := range statements {
		if err := tx.Exec(statement).Error; err != nil {
			return err
		}
	}
	return nil
}

// setTo returns the SQL list that sets columns to those of another row.
func setTo(row string, columns []string) string {
	sets := store.Map(columns, func(c string) string { return c + " = " + row + "." + c })
	return strings.Join(sets, ", ")
}

// insertStaged inserts the new people. If somebody took an address since takeLate looked, its row is applied to that
// person instead. It answers ErrTaken if an address became an alias at the same moment.
func (w *importWriter) insertStaged(tx *store.Tx, m *importMatch) error {
	columns := strings.Join(slices.Concat([]string{"id", "organization_id", "created_at"}, models.ContactColumns), ", ")
	done := tx.Exec("INSERT INTO contacts (" + columns + ") SELECT " + columns + " FROM staged_new ORDER BY email_key " +
		"ON CONFLICT DO NOTHING")
	if store.IsDuplicate(done.Error) {
		return models.ErrTaken
	}
	if done.Error != nil {
		return done.Error
	}
	if done.RowsAffected < int64(w.Created) {
		// Delete the people who were inserted; the rest became known meanwhile.
		if err := tx.Exec("DELETE FROM staged_new WHERE id IN (SELECT id FROM contacts)").Error; err != nil {
			return err
		}
		if err := w.takeLate(tx, m); err != nil {
			return err
		}
		if done.RowsAffected < int64(w.Created) { // somebody was inserted and is gone again
			return models.ErrTaken
		}
	}
	return models.Grew(tx, done.RowsAffected)
}
