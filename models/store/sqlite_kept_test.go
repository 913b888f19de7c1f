package store

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// must fails the test when an operation fails, as modelstest.Must does, which knows this package.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func fine(t *testing.T, err error) { t.Helper(); must(0, err)(t) }

// TestAConnectionKeepsSoManyStatements reads rows while their own statement and too many others run beside them.
func TestAConnectionKeepsSoManyStatements(t *testing.T) {
	t.Parallel()
	pool := must(openSQLite(filepath.Join(t.TempDir(), "kept.db"), true))(t)
	defer pool.Close()
	conn := must(pool.sql.Conn(t.Context()))(t)
	defer conn.Close()
	ask := func(query string, values ...any) (all []int) {
		t.Helper()
		rows := must(conn.QueryContext(t.Context(), query, values...))(t)
		defer rows.Close()
		for rows.Next() {
			var n int
			fine(t, rows.Scan(&n))
			all = append(all, n)
		}
		fine(t, rows.Err())
		return all
	}
	kept := func() (n int) {
		conn.Raw(func(c any) error { n = len(c.(*keepingConn).kept); return nil })
		return n
	}
	const three = "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT ?"
	rows := must(conn.QueryContext(t.Context(), three, 3))(t)
	var read []int
	for rows.Next() {
		var n int
		fine(t, rows.Scan(&n))
		read = append(read, n)
		if nested := ask(three, 4); fmt.Sprint(nested) != "[1 2 4]" {
			t.Errorf("beside open rows: %v", nested)
		}
		for i := range keptStatements {
			if got := ask(fmt.Sprintf("SELECT %d + ?", len(read)*1000+i), 1); got[0] != len(read)*1000+i+1 {
				t.Fatalf("%v", got)
			}
		}
	}
	if err := rows.Err(); err != nil || fmt.Sprint(read) != "[1 2 3]" || kept() > keptStatements {
		t.Errorf("read %v, and %d are kept; %v", read, kept(), err)
	}
	before := kept()
	ask("SELECT 1 " + strings.Repeat(" ", keptText)) // long texts come once
	if fmt.Sprint(ask(three, 5)) != "[1 2 5]" || kept() > before {
		t.Errorf("%d are kept, then %d", before, kept())
	}
}

// TestStatementsOfATransactionStayPrepared, also when the tables changed meanwhile.
func TestStatementsOfATransactionStayPrepared(t *testing.T) {
	t.Parallel()
	pool := must(openSQLite(filepath.Join(t.TempDir(), "kept.db"), true))(t)
	defer pool.Close()
	pool.sql.SetMaxOpenConns(1)
	do := func(statement string, values ...any) {
		t.Helper()
		must(pool.sql.Exec(statement, values...))(t)
	}
	do("CREATE TABLE a (n INTEGER UNIQUE); CREATE TABLE b (n INTEGER)") // a script
	insert := func(n int) error {
		tx, err := pool.sql.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.Exec("INSERT INTO a (n) VALUES (?)", n); err != nil {
			return err
		}
		return tx.Commit()
	}
	for n := range 3 {
		fine(t, insert(n))
	}
	if err := insert(2); err == nil { // and is free again
		t.Error("a number stands twice")
	}
	var n int
	var word string
	if err := pool.sql.QueryRow("SELECT * FROM a WHERE n = ?", 2).Scan(&n); err != nil || n != 2 {
		t.Errorf("%d, %v", n, err)
	}
	do("DROP TABLE a")
	if err := insert(3); err == nil {
		t.Error("a table that is gone took a row")
	}
	do("CREATE TABLE a (n INTEGER, word TEXT DEFAULT 'here')")
	fine(t, insert(4))
	if err := pool.sql.QueryRow("SELECT * FROM a WHERE n = ?", 4).Scan(&n, &word); err != nil || n != 4 || word != "here" {
		t.Errorf("%d %q, %v", n, word, err)
	}
	if err := pool.sql.QueryRow("SELECT n FROM a WHERE n = ?", 5).Scan(&n); err != sql.ErrNoRows {
		t.Error(err)
	}
}
