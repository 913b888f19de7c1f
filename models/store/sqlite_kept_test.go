package store

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestAConnectionKeepsSoManyStatements reads rows while their own statement and too many others run beside them.
func TestAConnectionKeepsSoManyStatements(t *testing.T) {
	t.Parallel()
	pool, err := openSQLite(filepath.Join(t.TempDir(), "kept.db"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	conn, err := pool.sql.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ask := func(query string, values ...any) (all []int) {
		t.Helper()
		rows, err := conn.QueryContext(t.Context(), query, values...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var n int
			if err := rows.Scan(&n); err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	kept := func() (n int) {
		conn.Raw(func(c any) error { n = len(c.(*keepingConn).kept); return nil })
		return n
	}
	const three = "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT ?"
	rows, err := conn.QueryContext(t.Context(), three, 3)
	if err != nil {
		t.Fatal(err)
	}
	var read []int
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
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
	pool, err := openSQLite(filepath.Join(t.TempDir(), "kept.db"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	pool.sql.SetMaxOpenConns(1)
	do := func(statement string, values ...any) {
		t.Helper()
		if _, err := pool.sql.Exec(statement, values...); err != nil {
			t.Fatal(err)
		}
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
		if err := insert(n); err != nil {
			t.Fatal(err)
		}
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
	if err := insert(4); err != nil {
		t.Fatal(err)
	}
	if err := pool.sql.QueryRow("SELECT * FROM a WHERE n = ?", 4).Scan(&n, &word); err != nil || n != 4 || word != "here" {
		t.Errorf("%d %q, %v", n, word, err)
	}
	if err := pool.sql.QueryRow("SELECT n FROM a WHERE n = ?", 5).Scan(&n); err != sql.ErrNoRows {
		t.Error(err)
	}
}
