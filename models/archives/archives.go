// Package archives keeps the archives that staff asked for: of one event, or of all events of the organization. A job
// (making) makes each in the background. The latest of each is kept for a day, for staff who may read everything in it.
package archives

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// State says how far an archive is.
type State string

const (
	Making  State = "making" // queued, or under way
	Made    State = "made"
	Stopped State = "stopped" // Reason says why
)

// Archive is an archive that staff asked for.
type Archive struct {
	ID             string
	OrganizationID string
	EventID        *string // nil for all events
	State          State
	Reason         string
	Written        int64 // bytes so far, of OfBytes; both are 0 while its rows are read
	OfBytes        int64
	FileName       string
	FileKey        string
	SHA256         string `gorm:"column:sha256"`
	Claims         int    // number of claims so far, which identifies the current worker
	UserID         string
	UserName       string
	ClaimedUntil   *store.Time // by a worker; after that time it counts as dead
	CreatedAt      store.Time
	EndedAt        *store.Time
}

// Rows are the structs of this package's tables, by table.
var Rows = map[string]any{"archives": Archive{}}

const (
	// MaxBytes is how large an archive may be here. The command line has no limit.
	MaxBytes = 4 << 30
	// KeptFor is how long an archive can be downloaded.
	KeptFor = models.LeftoverAge - time.Hour
)

// IsInLine reports whether the archive waits for a worker.
func (a *Archive) IsInLine() bool { return a.State == Making && a.ClaimedUntil == nil }

// Until returns when a finished archive is deleted.
func (a *Archive) Until() store.Time { return store.At(a.EndedAt.Add(KeptFor)) }

// IsThere reports whether the archive can be downloaded.
func (a *Archive) IsThere(now store.Time) bool { return a.State == Made && now.Before(a.Until().Time) }

// Shelf is the handle of the archive of one event, or of that of all events.
type Shelf struct {
	s     *models.Store
	t     *store.Tenant
	event *models.Event // nil for all
}

// OfEvent returns the shelf of an event.
func OfEvent(s *models.Store, t *store.Tenant, e *models.Event) *Shelf { return &Shelf{s, t, e} }

// OfAll returns the shelf of all events of an organization.
func OfAll(s *models.Store, t *store.Tenant) *Shelf { return &Shelf{s, t, nil} }

func (f *Shelf) mine(db *gorm.DB) *gorm.DB {
	db = db.Where("organization_id = ?", f.t.ID)
	if f.event == nil {
		return db.Where("event_id IS NULL")
	}
	return db.Where("event_id = ?", f.event.ID)
}

// Latest returns the archive on the shelf, nil for none.
func (f *Shelf) Latest(ctx context.Context) (*Archive, error) {
	return store.One[Archive](f.mine(f.t.Read(ctx)), nil)
}

// Ask asks for a new archive, which replaces one that was made before. It changes nothing while one is being made.
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
		return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(a).Error // another may have asked just now
	})
}

// Clear deletes the archive, or cancels it. It answers NotFound if there is none.
func (f *Shelf) Clear(ctx context.Context) error {
	return f.t.Write(ctx, func(tx *store.Tx) error {
		before, err := store.One[Archive](f.mine(tx.Lock()), errNone)
		if err != nil {
			return err
		}
		return remove(tx, before)
	})
}

// remove deletes an archive; its bytes go with the next sweep.
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

// File returns the archive as a file. It answers NotFound if none is ready. Because addresses leave with it, it notes
// that in the security log.
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

// shelvesLock is the class of the advisory locks of organizations' archives.
const shelvesLock = 7201939

// own makes asking for an archive of the organization and erasing somebody wait for each other: an archive is asked for
// either before the erasure, which then sees it, or after it, when the person is gone.
func own(tx *store.Tx, organizationID string) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Exec("SELECT pg_advisory_xact_lock(?, hashtext(?))", shelvesLock, organizationID).Error
}

// Forget deletes all archives of an organization, because somebody in them is being erased, and keeps new ones from
// being asked for until the transaction ends. An archive in the making starts again: its worker notices that its row is
// gone.
func Forget(tx *store.Tx, organizationID string) error {
	if err := own(tx, organizationID); err != nil {
		return err
	}
	var all []*Archive
	if err := tx.Lock().Where("organization_id = ?", organizationID).Order("id").Find(&all).Error; err != nil {
		return err
	}
	if err := letGo(tx, organizationID); err != nil { // waits for a worker that is ending one
		return err
	}
	for _, a := range all {
		err := tx.Delete(a).Error
		if err == nil && a.State == Making {
			a.ID, a.Claims, a.ClaimedUntil = store.NewID(), 0, nil
			err = tx.Create(a).Error
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// letGo makes the next sweep delete the bytes that contain everybody of an organization: finished archives, and those
// that staff uploaded.
func letGo(tx *store.Tx, organizationID string) error {
	return tx.Table("file_leftovers").Where(`key IN (SELECT file_key FROM archives WHERE organization_id = ?
		UNION ALL SELECT file_key FROM moves WHERE organization_id = ? AND kind = 'archive')`, organizationID, organizationID).
		UpdateColumn("since", store.At(tx.Now.Add(-models.LeftoverAge-time.Second))).Error
}
