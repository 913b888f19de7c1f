package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	"modernc.org/sqlite"
)

func openSQLite(path string, quick bool) (*Pool, error) {
	if path == "" {
		return nil, fmt.Errorf("the database address must name a file: sqlite:///path/file.db")
	}
	sync := "synchronous(2)" // FULL
	if quick {
		sync = "synchronous(1)"
	}
	// secure_delete overwrites deleted rows, so that the file keeps nothing of people who were erased. Without
	// _txlock=immediate, a transaction that reads first fails when another one writes meanwhile, whatever the busy
	// timeout.
	pragmas := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"journal_mode(WAL)", "busy_timeout(5000)", sync, "foreign_keys(1)", "cache_size(-8000)", "secure_delete(1)",
	}}
	connector, err := sqlite.NewConnector(sqliteAddress(path) + "?" + pragmas.Encode())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(keeper{connector})
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	return &Pool{sql: db}, nil
}

func sqliteAddress(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// CopyTo writes a compact copy of an SQLite database, without a WAL file.
func (s *Store) CopyTo(ctx context.Context, file string) error {
	if _, err := s.pool.sql.ExecContext(ctx, "VACUUM INTO ?", file); err != nil {
		return fmt.Errorf("cannot copy the database: %w", err)
	}
	return nil
}

// OpenCopy opens a copy that nobody else uses yet, and leaves no other file beside it.
func OpenCopy(file string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", sqliteAddress(file)+"?_pragma=journal_mode(delete)&_pragma=synchronous(2)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// HaveAlone merges the WAL into an SQLite file and keeps others out of it until release is called. It answers
// Unavailable while somebody has the database open, and another error for one that cannot be read.
func HaveAlone(ctx context.Context, file string) (release func() error, err error) {
	if err := readable(ctx, file); err != nil {
		return nil, err
	}
	db, err := OpenCopy(file)
	if err != nil {
		return nil, err
	}
	if _, err = db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db.Close, nil
}

// readable returns an error for a file that is no database, or a damaged one. It opens the file read-only, because
// opening it for writing would remove its WAL.
func readable(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", sqliteAddress(file)+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "SELECT count(*) FROM sqlite_master")
	e, found := errors.AsType[sqliteError](err)
	if found && (e.Code()&0xff == 11 || e.Code()&0xff == 26) { // corrupt, not a database
		return err
	}
	return nil
}
