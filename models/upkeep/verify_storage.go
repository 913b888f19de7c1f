package upkeep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// checkIntegrity has the database check its own files.
func checkIntegrity(s *models.Store, db *gorm.DB, c *Check) error {
	if !s.Embedded() {
		return checkPostgresFiles(db, c)
	}
	// A connection caches the structure of the full-text index until it searches again, and would compare that with the
	// present pages and report corruption.
	var found int64
	if err := db.Raw("SELECT count(*) FROM sessions_search WHERE sessions_search MATCH 'lectern'").Scan(&found).Error; err != nil {
		return err
	}
	var said []string
	if err := db.Raw("PRAGMA integrity_check").Scan(&said).Error; err != nil {
		return err
	}
	for _, line := range said {
		if line != "ok" {
			c.find("%s", line)
		}
	}
	return db.Raw("PRAGMA page_count").Scan(&c.Looked).Error
}

// tablesHere selects the tables of our schema, including those that have no struct.
const tablesHere = `SELECT c.oid::regclass::text FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY 1`

// checkPostgresFiles uses amcheck where it may, and otherwise reads every row, which finds unreadable pages and long
// values.
func checkPostgresFiles(db *gorm.DB, c *Check) error {
	var failures int64
	if err := db.Raw("SELECT coalesce(checksum_failures, 0) FROM pg_stat_database WHERE datname = current_database()").
		Scan(&failures).Error; err != nil {
		return err
	}
	if failures > 0 {
		c.find("the server counted %d pages with a wrong checksum", failures)
	}
	var broken []string
	if err := db.Raw("SELECT indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid " +
		"WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid ORDER BY 1").Scan(&broken).
		Error; err != nil {
		return err
	}
	for _, index := range broken {
		c.find("the index %s is not valid; REINDEX it", index)
	}
	var amcheck string
	if err := db.Raw(
		"SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'").
		Scan(&amcheck).Error; err != nil {
		return err
	}
	missing := "the extension amcheck is not there (CREATE EXTENSION amcheck)"
	if amcheck != "" {
		err := runAmcheck(db, amcheck, c)
		if e := new(pgconn.PgError); !errors.As(err, &e) || e.Code != "42501" {
			return err
		}
		missing = "this user may not run amcheck (GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA " + amcheck + ")"
	}
	c.Note = "every row was read; indexes were not compared with their tables: " + missing
	return eachName(db, tablesHere, func(table string) error {
		var length int64
		c.Looked++
		return inSavepoint(db, func() error {
			return db.Raw("SELECT coalesce(sum(length(t::text)), 0) FROM " + table + " t").Scan(&length).Error
		}, c, "the table "+table)
	})
}

// runAmcheck compares indexes with their tables, and checks the tables' pages.
func runAmcheck(db *gorm.DB, schema string, c *Check) error {
	var may bool
	if err := db.Raw("SELECT has_function_privilege(?, 'EXECUTE')", schema+".bt_index_check(regclass, boolean)").
		Scan(&may).Error; err != nil {
		return err
	}
	if !may {
		return &pgconn.PgError{Code: "42501"}
	}
	err := eachName(db, `SELECT c.oid::regclass::text FROM pg_class c JOIN pg_am a ON a.oid = c.relam
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'i' AND a.amname = 'btree' ORDER BY 1`, func(index string) error {
		c.Looked++
		return inSavepoint(db, func() error {
			return db.Exec("SELECT "+schema+".bt_index_check(?::regclass, true)", index).Error
		}, c, "the index "+index)
	})
	if err != nil {
		return err
	}
	return eachName(db, tablesHere, func(table string) error {
		c.Looked++
		return inSavepoint(db, func() error {
			var wrong []string
			err := db.Raw("SELECT msg FROM "+schema+".verify_heapam(?::regclass, check_toast => true)", table).Scan(&wrong).Error
			for _, message := range wrong {
				c.find("the table %s: %s", table, message)
			}
			return err
		}, c, "the table "+table)
	})
}

// eachName calls f with each name or finding that a query returns.
func eachName(db *gorm.DB, query string, f func(string) error) error {
	var names []string
	if err := db.Raw(query).Scan(&names).Error; err != nil {
		return err
	}
	for _, name := range names {
		if err := f(name); err != nil {
			return err
		}
	}
	return nil
}

// inSavepoint turns a statement's error into a finding, after which the transaction goes on.
func inSavepoint(db *gorm.DB, do func() error, c *Check, what string) error {
	if err := db.SavePoint("looking").Error; err != nil {
		return err
	}
	if err := do(); err != nil {
		c.find("%s: %v", what, err)
	}
	return db.RollbackTo("looking").Error
}

// checkForeignKeys checks each reference itself, without trusting the schema's constraints.
func checkForeignKeys(s *models.Store, db *gorm.DB, c *Check) error {
	if !s.Embedded() {
		return checkPostgresKeys(db, c)
	}
	var broken []struct {
		Table  string
		Rowid  *int64
		Parent string
	}
	if err := db.Raw("PRAGMA foreign_key_check").Scan(&broken).Error; err != nil {
		return err
	}
	for _, row := range broken {
		c.find("a row of %s refers to one of %s that is not there", row.Table, row.Parent)
	}
	return db.Raw("SELECT count(*) FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) WHERE m.type = 'table'").
		Scan(&c.Looked).Error
}

func checkPostgresKeys(db *gorm.DB, c *Check) error {
	var keys []struct {
		Name, Child, Parent, Same, Given string
		Validated                        bool
	}
	if err := db.Raw(
		`SELECT k.conname AS name, k.convalidated AS validated, k.conrelid::regclass::text AS child, k.confrelid::regclass::text AS parent,
			string_agg(format('p.%I = c.%I', p.attname, c.attname), ' AND ') AS same, string_agg(format('c.%I IS NOT NULL', c.attname), ' AND ') AS given
		FROM pg_constraint k, unnest(k.conkey, k.confkey) AS pair (child, parent)
			JOIN pg_attribute c ON c.attnum = pair.child JOIN pg_attribute p ON p.attnum = pair.parent
		WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND c.attrelid = k.conrelid AND p.attrelid = k.confrelid
		GROUP BY k.oid ORDER BY 1`).Scan(&keys).Error; err != nil {
		return err
	}
	for _, key := range keys {
		c.Looked++
		if !key.Validated {
			c.find("%s of %s is not validated", key.Name, key.Child)
		}
		var broken int64
		if err := db.Raw("SELECT count(*) FROM " + key.Child + " c WHERE " + key.Given +
			" AND NOT EXISTS (SELECT 1 FROM " + key.Parent + " p WHERE " + key.Same + ")").Scan(&broken).Error; err != nil {
			return err
		}
		if broken > 0 {
			c.find("%d rows of %s refer to one of %s that is not there (%s)", broken, key.Child, key.Parent, key.Name)
		}
	}
	return nil
}

// otherWords selects, on PostgreSQL, the sessions whose search index has other words than their text.
const otherWords = `SELECT s.id FROM sessions s
	LEFT JOIN sessions_search t ON t.event_id = s.event_id AND t.session_id = s.id AND t.of_title
	LEFT JOIN sessions_search r ON r.event_id = s.event_id AND r.session_id = s.id AND NOT r.of_title
	WHERE (t.words || chr(10) || r.words) IS DISTINCT FROM s.search ORDER BY s.event_id, s.number, s.id`

// rebuiltWords are the statements that rebuild PostgreSQL's search index from all sessions.
const rebuiltWords = `BEGIN; DELETE FROM sessions_search; INSERT INTO sessions_search
	SELECT event_id, id, true, split_part(search, chr(10), 1) FROM sessions UNION ALL
	SELECT event_id, id, false, substr(search, length(split_part(search, chr(10), 1)) + 2) FROM sessions; COMMIT`

// checkSearch compares the search index with the sessions. On SQLite that would block writers for seconds, so it is
// done on a copy.
func checkSearch(s *models.Store, db *gorm.DB, c *Check) error {
	if !s.Embedded() {
		var ids []string
		if err := db.Raw(otherWords).Scan(&ids).Error; err != nil {
			return err
		}
		if len(ids) > 0 {
			c.find("%d sessions are found by other words than theirs, the first is %s; rebuild the words: %s",
				len(ids), ids[0], rebuiltWords)
		}
		return db.Raw("SELECT count(*) FROM sessions").Scan(&c.Looked).Error
	}
	var file string
	if err := db.Raw("SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&file).Error; err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(file), ".verify-*")
	if err != nil {
		c.Note = "there is no place for a copy: " + err.Error()
		return nil
	}
	defer os.RemoveAll(dir)
	copied := filepath.Join(dir, "copy.db")
	ctx := db.Statement.Context
	if err := s.CopyTo(ctx, copied); err != nil {
		return err
	}
	return compareSearch(ctx, copied, c)
}

func compareSearch(ctx context.Context, file string, c *Check) error {
	db, err := store.OpenCopy(file)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sessions").Scan(&c.Looked); err != nil {
		return err
	}
	// Rank 1 compares the index with the sessions, not only with itself.
	if _, err := db.ExecContext(ctx,
		"INSERT INTO sessions_search (sessions_search, rank) VALUES ('integrity-check', 1)"); err != nil {
		if strings.Contains(err.Error(), "malformed") || strings.Contains(err.Error(), "corrupt") {
			c.find(
				"the index finds other text than the sessions have; rebuild it: INSERT INTO sessions_search (sessions_search) " +
					"VALUES ('rebuild')")
			return nil
		}
		return err
	}
	return nil
}
