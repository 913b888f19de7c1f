package models

import (
	"database/sql"
	"fmt"
	"net/url"
)

func openSQLite(path string, quick bool) (*sql.DB, error) {
	if path == "" {
		return nil, fmt.Errorf("the database address must name a file: sqlite:///path/file.db")
	}
	sync := "synchronous(2)" // FULL
	if quick {
		sync = "synchronous(1)"
	}
	// Without _txlock=immediate, a transaction that reads first fails when
	// another one writes meanwhile, whatever the busy timeout.
	pragmas := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"journal_mode(WAL)", "busy_timeout(5000)", sync, "foreign_keys(1)", "cache_size(-8000)",
	}}
	db, err := sql.Open("sqlite", sqliteAddress(path)+"?"+pragmas.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	return db, nil
}

func sqliteAddress(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }
