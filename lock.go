package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// databaseLock is held by the one process that serves an SQLite file. It is the operating system's, so it ends
// with the process, however that ends; the file stays. On PostgreSQL there is none.
type databaseLock struct{ file *os.File }

// holder is the process that has a lock, as the lock's file says.
type holder struct {
	Database string    `json:"database"`
	PID      int       `json:"pid"`
	Does     string    `json:"does"` // its command
	Since    time.Time `json:"since"`
}

// Error says who has the lock, to whom it is refused.
func (h *holder) Error() string {
	return h.says() + ". One process at a time can have an SQLite database: stop that one first"
}

func (h *holder) says() string {
	if h.PID == 0 {
		return h.Database + " is in use by another process"
	}
	return fmt.Sprintf("%s is in use by process %d (lectern %s, since %s)", h.Database, h.PID, h.Does,
		h.Since.Format(time.RFC3339))
}

// lockDatabase takes the lock beside the SQLite database of c for a command, or answers the *holder at once.
func lockDatabase(c *Config, does string) (*databaseLock, error) {
	database, embedded := c.sqliteFile()
	if !embedded {
		return &databaseLock{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(database), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(database+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot lock the database: %w", err)
	}
	taken, err := takeLock(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("cannot lock the database: %w", err)
	}
	if !taken {
		defer file.Close()
		h := &holder{}
		if text, err := io.ReadAll(io.LimitReader(file, 4096)); err != nil || json.Unmarshal(text, h) != nil {
			h = &holder{}
		}
		h.Database = database
		return nil, h
	}
	lock := &databaseLock{file}
	if err := lock.sign(holder{database, os.Getpid(), does, time.Now().UTC().Truncate(time.Second)}); err != nil {
		file.Close()
		return nil, fmt.Errorf("cannot lock the database: %w", err)
	}
	return lock, nil
}

// sign writes who has the lock into its file.
func (l *databaseLock) sign(h holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(text, '\n'), 0)
	return errors.Join(err, l.file.Truncate(int64(len(text)+1)))
}

// release gives the lock up.
func (l *databaseLock) release() {
	if l.file != nil {
		l.file.Close()
	}
}

// sqliteFile is the file of an SQLite database, whatever links lead to it.
func (c *Config) sqliteFile() (path string, embedded bool) {
	path, embedded = strings.CutPrefix(c.DatabaseURL, "sqlite://")
	if !embedded {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, true
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path)), true
	}
	return path, true
}
