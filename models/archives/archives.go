// Package archives keeps the archives that staff asked for: of one event, or of all events of the organization. A job
// (making) makes each in the background; it is kept for a day, one of each, for who may have all that is in it.
package archives

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// State is how far an archive is.
type State string

const (
	Making  State = "making" // in line, or at work
	Made    State = "made"
	Stopped State = "stopped" // Reason says why
)

// Archive is one that was asked for.
type Archive struct {
	ID             string
	OrganizationID string
	EventID        *string // nil of all events
	State          State
	Reason         string
	Written        int64 // bytes so far, of OfBytes; both 0 while its rows are read
	OfBytes        int64
	FileName       string
	FileKey        string
	SHA256         string `gorm:"column:sha256"`
	Claims         int    // how often a worker took it; the number of the one at it
	UserID         string
	UserName       string
	ClaimedUntil   *store.Time // by a worker; later, that one is taken for dead
	CreatedAt      store.Time
	EndedAt        *store.Time
}

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{"archives": Archive{}}

const (
	// MaxBytes is how large an archive may be that is kept here. The command line writes any.
	MaxBytes = 4 << 30
	// KeptFor is how long one is there to be fetched.
	KeptFor = models.LeftoverAge - time.Hour
)

// IsInLine tells whether it waits for a job.
func (a *Archive) IsInLine() bool { return a.State == Making && a.ClaimedUntil == nil }

// Until is when it goes, of one that was made.
func (a *Archive) Until() store.Time { return store.At(a.EndedAt.Add(KeptFor)) }

// IsThere tells whether it can be fetched.
func (a *Archive) IsThere(now store.Time) bool { return a.State == Made && now.Before(a.Until().Time) }

// Shelf is where the archive of one event stands, or that of all events.
type Shelf struct {
	s     *models.Store
	t     *store.Tenant
	event *models.Event // nil of all
}

// OfEvent is the shelf of an event.
func OfEvent(s *models.Store, t *store.Tenant, e *models.Event) *Shelf { return &Shelf{s, t, e} }

// OfAll is the shelf of all events of an organization.
func OfAll(s *models.Store, t *store.Tenant) *Shelf { return &Shelf{s, t, nil} }

func (f *Shelf) mine(db *gorm.DB) *gorm.DB {
	db = db.Where("organization_id = ?", f.t.ID)
	if f.event == nil {
		return db.Where("event_id IS NULL")
	}
	return db.Where("event_id = ?", f.event.ID)
}

// Latest is the archive that stands there, nil for none.
func (f *Shelf) Latest(ctx context.Context) (*Archive, error) {
	return store.One[Archive](f.mine(f.t.Read(ctx)), nil)
}

// Ask asks for an archive as it is now, in the place of one that was made before. While one is being made it changes
// nothing.
func (f *Shelf) Ask(ctx context.Context) error {
	return f.t.Write(ctx, func(tx *store.Tx) error {
		if err := own(tx, f.t.ID); err != nil {
			return err
		}
		before, err := store.One[Archive](f.mine(tx.Lock()), nil)
		if err != nil || before != nil && before.State == Making {
			return err
		}
		if err := remove(tx, before); err != nil {
			return err
		}
		a := &Archive{ID: store.NewID(), OrganizationID: f.t.ID, State: Making, UserID: f.t.By.ActorID,
			UserName: f.t.By.ActorName, CreatedAt: tx.Now}
		if f.event != nil {
			a.EventID = &f.event.ID
		}
		return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(a).Error // somebody else asked at the same moment
	})
}

// Clear deletes the archive, or ends its making. It answers NotFound where there is none.
func (f *Shelf) Clear(ctx context.Context) error {
	return f.t.Write(ctx, func(tx *store.Tx) error {
		before, err := store.One[Archive](f.mine(tx.Lock()), errNone)
		if err != nil {
			return err
		}
		return remove(tx, before)
	})
}

// remove takes an archive off its shelf; its bytes go with the next sweep.
func remove(tx *store.Tx, a *Archive) error {
	if a == nil {
		return nil
	}
	if a.FileKey != "" {
		if err := models.LetGo(tx, a.FileKey); err != nil {
			return err
		}
	}
	return tx.Delete(a).Error
}

var errNone = store.Missing("There is no archive here. Make one.")

// File is the archive as a file. It answers NotFound where there is none to be fetched. People leave with their
// addresses, so the security log is told.
func (f *Shelf) File(ctx context.Context) (*models.File, error) {
	a, err := f.Latest(ctx)
	if err != nil {
		return nil, err
	}
	if a == nil || !a.IsThere(f.t.Now()) {
		return nil, errNone
	}
	f.s.Note(store.Incident{Event: store.PeopleExported, By: f.t.By, OrganizationID: f.t.ID,
		Facts: map[string]any{"of": a.FileName}})
	return &models.File{ID: a.ID, Key: a.FileKey, Name: a.FileName, MediaType: "application/zip", Size: a.Written,
		SHA256: a.SHA256}, nil
}
