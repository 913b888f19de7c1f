package upkeep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Lock is held by the one process that serves an SQLite file. It is a lock of the operating system, so it ends with the
// process, however that ends; the lock file stays. On PostgreSQL there is none.
type Lock struct{ file *os.File }

// Holder is the process that has a lock, as recorded in the lock's file.
type Holder struct {
	Database string    `json:"database"`
	PID      int       `json:"pid"`
	Does     string    `json:"does"` // its command
	Since    time.Time `json:"since"`
}

// Error says who has the lock, and how to get it.
func (h *Holder) Error() string {
	return h.Says() + ". One process at a time can have an SQLite database: stop that one first"
}

// Says returns which process has the database, and since when.
func (h *Holder) Says() string {
	if h.PID == 0 {
		return h.Database + " is in use by another process"
	}
	return fmt.Sprintf("%s is in use by process %d (lectern %s, since %s)", h.Database, h.PID, h.Does,
		h.Since.Format(time.RFC3339))
}

// LockDatabase takes the lock beside an SQLite file for a command, or returns its *Holder as the error at once.
func LockDatabase(database, does string) (*Lock, error) {
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
		h := &Holder{}
		if text, err := io.ReadAll(io.LimitReader(file, 4096)); err != nil || json.Unmarshal(text, h) != nil {
			h = &Holder{}
		}
		h.Database = database
		return nil, h
	}
	lock := &Lock{file}
	if err := lock.sign(Holder{database, os.Getpid(), does, time.Now().UTC().Truncate(time.Second)}); err != nil {
		file.Close()
		return nil, fmt.Errorf("cannot lock the database: %w", err)
	}
	return lock, nil
}

// sign writes the holder into the lock's file.
func (l *Lock) sign(h Holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(text, '\n'), 0)
	return errors.Join(err, l.file.Truncate(int64(len(text)+1)))
}

// Release releases the lock.
func (l *Lock) Release() {
	if l.file != nil {
		endLock(l.file)
		l.file.Close()
	}
}
