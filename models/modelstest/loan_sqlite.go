package modelstest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// sqliteLender lends files below one directory per schema, each in a directory of its own that the holding process has
// locked.
type sqliteLender struct{}

// lockedFiles are the locks of this process, which end with it.
var lockedFiles struct {
	sync.Mutex
	last int
	open []*os.File
}

func (of sqliteLender) take(context.Context) (*loan, error) {
	template, err := sqliteTemplate()
	if err != nil {
		return nil, err
	}
	dir, err := lockDirectory(keptAs("lent"))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "lectern.db")
	if err := os.WriteFile(file, template, 0o600); err != nil {
		return nil, err
	}
	l := &loan{address: "sqlite://" + file}
	if err := l.open(); err != nil {
		return nil, err
	}
	if l.deleting, err = deleting(l.db); err != nil {
		return nil, err
	}
	l.shape, err = of.shapeNow(l)
	return l, err
}

// deleting prepares, once, the statements that empty each table; parsing one takes longer than deleting nothing.
func deleting(db *sql.DB) (all []*sql.Stmt, err error) {
	rows, err := db.Query(`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
		AND name NOT LIKE 'sessions\_search\_%' ESCAPE '\' AND name <> 'goose_db_version'
		ORDER BY name = 'sqlite_sequence', name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		tables = append(tables, name)
	}
	for _, name := range tables {
		statement, err := db.Prepare(`DELETE FROM "` + name + `"`)
		if err != nil {
			return nil, err
		}
		all = append(all, statement)
	}
	return all, rows.Err()
}

// lockDirectory makes and locks the first directory that no process holds, empty.
func lockDirectory(below string) (string, error) {
	if err := os.MkdirAll(below, 0o700); err != nil {
		return "", err
	}
	lockedFiles.Lock()
	defer lockedFiles.Unlock()
	for {
		lockedFiles.last++
		dir := filepath.Join(below, strconv.Itoa(lockedFiles.last))
		lock, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return "", err
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
			lock.Close()
			continue
		}
		lockedFiles.open = append(lockedFiles.open, lock)
		if err := os.RemoveAll(dir); err != nil {
			return "", err
		}
		return dir, os.Mkdir(dir, 0o700)
	}
}

// shapeNow returns the schema version and the inode, so that a replaced file is noticed.
func (sqliteLender) shapeNow(l *loan) (string, error) {
	info, err := os.Stat(strings.TrimPrefix(l.address, "sqlite://"))
	if err != nil {
		return "none", nil
	}
	var version int
	err = l.db.QueryRow("PRAGMA schema_version").Scan(&version)
	return fmt.Sprintf("%d of file %d", version, info.Sys().(*syscall.Stat_t).Ino), err
}

// empty deletes all rows, and all files beside the database. Triggers add rows meanwhile, so it deletes twice.
func (sqliteLender) empty(l *loan) error {
	tx, err := l.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for range 2 {
		for _, statement := range l.deleting {
			if _, err := tx.Stmt(statement).Exec(); err != nil {
				return err
			}
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	dir := filepath.Dir(strings.TrimPrefix(l.address, "sqlite://"))
	beside, err := os.ReadDir(dir)
	for _, entry := range beside {
		if err == nil && !strings.HasPrefix(entry.Name(), "lectern.db") {
			err = os.RemoveAll(filepath.Join(dir, entry.Name()))
		}
	}
	return err
}

func (sqliteLender) drop(l *loan) error {
	return os.RemoveAll(filepath.Dir(strings.TrimPrefix(l.address, "sqlite://")))
}
