package operating

import (
	"compress/gzip"
	"database/sql"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// before is the last released version. testdata has the demonstration's database as that version left it, of
// both kinds; "make filled" writes them.
const before = "1.0"

// beforeKey is the secret key of those databases.
const beforeKey = "LECTERN_SECRET_KEY=a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s="

func TestAnUpgradeKeepsAllRows(t *testing.T) {
	EachBare(t, func(t *testing.T, s *Site) {
		s.Env = append(s.Env, beforeKey)
		db := filled(s)
		compare := keeping(s, db)
		if applied := s.Run("migrate")["applied"].([]any); len(applied) == 0 {
			t.Error("there was nothing to upgrade")
		}
		compare(db)
		out, _, _ := s.Try("", "verify")
		if !strings.Contains(out, `"wrong":7,`) || strings.Count(out, ") is not there") != 7 {
			t.Errorf("more is wrong than seven files, which testdata does not have: %s", out)
		}
	})
}

// filled puts the database of the version before in place.
func filled(s *Site) *sql.DB {
	s.T.Helper()
	address := s.Database()
	if address == "" {
		file := filepath.Join(s.Data, "lectern.db")
		unpack(s.T, before+".db", file)
		return opened(s.T, "sqlite", "file:"+file)
	}
	file := filepath.Join(s.T.TempDir(), "dump.sql")
	unpack(s.T, before+".sql", file)
	if out, err := exec.Command("psql", "-qd", address, "-v", "ON_ERROR_STOP=1", "-f", file).CombinedOutput(); err != nil {
		s.T.Fatalf("%v: %s", err, out)
	}
	return opened(s.T, "pgx", address)
}

// keeping notes what a database has, and returns what compares it with what it was upgraded to.
func keeping(s *Site, db *sql.DB) func(*sql.DB) {
	s.T.Helper()
	columns := map[string][]string{}
	old := allRows(s.T, db, columns)
	if len(old) < 40 || len(old["sessions"]) < 150 || len(old["letters"]) == 0 || len(old["reviews"]) == 0 {
		s.T.Fatalf("%d tables, %d sessions", len(old), len(old["sessions"]))
	}
	return func(db *sql.DB) {
		s.T.Helper()
		now := allRows(s.T, db, columns)
		for _, table := range slices.Sorted(maps.Keys(old)) {
			if gone := without(old[table], now[table]); len(gone) > 0 {
				s.T.Errorf("of %d rows of %s %d are others, such as %.300s", len(old[table]), table, len(gone), gone[0])
			}
		}
		s.Serve()
		response := modelstest.Must(http.Get(s.Base + "/events/tideline-2027"))(s.T)
		defer response.Body.Close()
		if page, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(page), "Tideline") {
			s.T.Errorf("the programme answers %d: %v", response.StatusCode, err)
		}
	}
}

// without returns the rows that are not among others; both are sorted.
func without(rows, others []string) (gone []string) {
	for _, row := range rows {
		if _, found := slices.BinarySearch(others, row); !found {
			gone = append(gone, row)
		}
	}
	return gone
}

// allRows are all rows by their tables, of the columns that are given, which are noted where none are. What is kept for
// searching, sorting and caches is left out: verify knows whether it is right.
func allRows(t *testing.T, db *sql.DB, columns map[string][]string) map[string][]string {
	t.Helper()
	if len(columns) == 0 {
		for _, table := range tables(t, db) {
			rows := modelstest.Must(db.Query("SELECT * FROM " + table + " LIMIT 0"))(t)
			names := modelstest.Must(rows.Columns())(t)
			rows.Close()
			columns[table] = slices.DeleteFunc(names, func(name string) bool {
				return name == "search" || strings.HasSuffix(name, "_version") || strings.HasSuffix(name, "_key")
			})
		}
	}
	all := map[string][]string{}
	for table, names := range columns {
		all[table] = rowsIn(t, db, "SELECT "+strings.Join(names, ", ")+" FROM "+table)
		slices.Sort(all[table])
	}
	return all
}

func tables(t *testing.T, db *sql.DB) (names []string) {
	t.Helper()
	rows, err := db.Query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'" +
		" AND table_name NOT IN ('folding', 'sessions_search')")
	if err != nil {
		rows, err = db.Query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'" +
			" AND name NOT LIKE 'sessions_search%' AND name <> 'folding'")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		modelstest.Fine(t, rows.Scan(&name))
		names = append(names, name)
	}
	return names
}

func opened(t *testing.T, driver, address string) *sql.DB {
	t.Helper()
	db := modelstest.Must(sql.Open(driver, address))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// unpack writes a file of testdata.
func unpack(t *testing.T, name, to string) {
	t.Helper()
	packed := modelstest.Must(os.Open(filepath.Join("testdata", name+".gz")))(t)
	defer packed.Close()
	in := modelstest.Must(gzip.NewReader(packed))(t)
	whole := modelstest.Must(io.ReadAll(in))(t)
	modelstest.Fine(t, os.WriteFile(to, whole, 0o600))
}
