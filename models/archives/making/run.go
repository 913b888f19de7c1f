// Package making is the worker that makes the archives that staff asked for.
package making

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/archives"
	"lectern/models/files"
	"lectern/models/staff"
	"lectern/models/store"
)

const (
	// limit is how long making an archive may take.
	limit = 6 * time.Hour
	// lease is how long a worker may be silent before another one begins its archive anew.
	lease = 30 * time.Second
	// mostClaims is how often an archive is begun whose worker died, as the archive itself may be the cause.
	mostClaims = 4
)

// Release puts the archives of an earlier process back into the queue. Only with SQLite, which one process serves, is
// it known at start that all earlier workers are dead.
func Release(ctx context.Context, s *models.Store) error {
	return store.ReleaseLeases(ctx, s.Store, &archives.Archive{})
}

// Run makes the archive that has waited longest, or one whose worker died. It tells whether there was one, and returns
// faults of ours.
func Run(ctx context.Context, s *models.Store) (worked bool, err error) {
	a, err := claim(ctx, s)
	if a == nil {
		return false, err
	}
	w := &worker{s: s, a: a, lease: store.LeaseOf(s.Store, &archives.Archive{}, a.ID, a.ClaimedUntil, lease,
		"state = ? AND claims = ?", archives.Making, a.Claims)}
	if a.Claims > mostClaims {
		return true, w.stopped(ctx, "The server ended in the middle of it several times. Take the command line, which says more.")
	}
	return true, w.work(ctx)
}

// claim takes an archive that waits, or whose worker is dead.
func claim(ctx context.Context, s *models.Store) (*archives.Archive, error) {
	waits := func(db *gorm.DB) *gorm.DB {
		return db.Where("state = ? AND (claimed_until IS NULL OR claimed_until < ?)", archives.Making, s.Now())
	}
	return store.NextInLine(ctx, s.Store, waits, func(tx *store.Tx, a *archives.Archive) error {
		a.Claims, a.ClaimedUntil, a.Written, a.OfBytes = a.Claims+1, new(store.At(tx.Now.Add(lease))), 0, 0
		return tx.Model(a).Select("claims", "claimed_until", "written", "of_bytes").Updates(a).Error
	})
}

// worker makes one archive.
type worker struct {
	s       *models.Store
	a       *archives.Archive // as it was claimed
	lease   *store.Lease
	written atomic.Int64
	whole   atomic.Int64
}

var (
	errLarge = &store.Error{Kind: store.Invalid, Message: "It is larger than 4 GB. Whoever runs the server writes it by " +
		"“lectern export”."}
	errNobody = &store.Error{Kind: store.Invalid, Message: "Who asked for it may not have it any more. Somebody who may can " +
		"ask for it anew."}
)

func (w *worker) work(ctx context.Context) error {
	working, end := context.WithTimeout(ctx, limit)
	defer end()
	working, give := context.WithCancelCause(working)
	stop := w.lease.Keep(working, w.news, func() { give(store.ErrTaken) })
	made, err := w.make(working)
	late := errors.Is(working.Err(), context.DeadlineExceeded)
	give(nil)
	stop()
	kind := store.KindOf(err)
	fault, isFile := errors.AsType[*files.Fault](err)
	switch {
	case err == nil:
		return w.end(ctx, map[string]any{"state": archives.Made, "file_name": made.Name, "file_key": made.Key,
			"sha256": made.SHA256, "written": made.Size, "of_bytes": made.Size})
	case ctx.Err() != nil: // the process ends; another one begins anew, and nobody died
		return w.end(ctx, map[string]any{"claims": w.a.Claims - 1})
	case errors.Is(context.Cause(working), store.ErrTaken) || kind == store.NotFound:
		return nil // the archive or its event is gone
	case late:
		return w.stopped(ctx, "It took longer than six hours, and was ended.")
	case isFile:
		return w.stopped(ctx, fault.Message)
	case kind == store.Unavailable || kind == store.Unknown:
		return nil // the database is away; another worker begins anew once the lease is over
	case kind == store.Invalid:
		return w.stopped(ctx, store.AsError(err).Message)
	}
	return errors.Join(err, w.stopped(ctx, "Something went wrong on our side."))
}

func (w *worker) stopped(ctx context.Context, reason string) error {
	return w.end(ctx, map[string]any{"state": archives.Stopped, "reason": reason})
}

// make makes the archive, and stores its bytes.
func (w *worker) make(ctx context.Context) (*models.File, error) {
	taken, name, err := w.take(ctx)
	if err != nil {
		return nil, err
	}
	defer taken.Close()
	w.whole.Store(taken.Bytes())
	file, err := os.CreateTemp("", "lectern-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := taken.WriteTo(ctx, &counting{file, &w.written}); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return w.s.StoreBytes(ctx, w.by(), name+"-"+w.s.Now().UTC().Format(time.DateOnly)+".zip", file)
}

func (w *worker) by() store.By {
	return store.By{Door: "admin", ActorID: w.a.UserID, ActorName: w.a.UserName, RequestID: w.a.ID}
}

// take reads what the archive contains, with the rights of whoever asked for it, and returns its file name.
func (w *worker) take(ctx context.Context) (*archive.Taken, string, error) {
	t := w.s.Organization(w.a.OrganizationID, w.by())
	members, err := w.s.Staff.Team(t).Members(ctx)
	if err != nil {
		return nil, "", err
	}
	needs := staff.Owner
	if w.a.EventID != nil {
		needs = staff.Organizer
	}
	may := false
	for _, u := range members {
		may = may || u.ID == w.a.UserID && u.RoleAt("").Covers(needs)
	}
	if !may {
		return nil, "", errNobody
	}
	if w.a.EventID == nil {
		taken, err := archive.TakeAll(ctx, w.s, t)
		return taken, "all-events", err
	}
	e, err := w.s.EventBy(ctx, *w.a.EventID)
	if err != nil {
		return nil, "", err
	}
	taken, err := archive.Take(ctx, w.s.Programme(e, w.by()))
	return taken, e.Slug, err
}

// counting counts what is written, and fails above MaxBytes.
type counting struct {
	io.Writer
	bytes *atomic.Int64
}

func (c *counting) Write(b []byte) (int, error) {
	if c.bytes.Add(int64(len(b))) > archives.MaxBytes {
		return 0, errLarge
	}
	return c.Writer.Write(b)
}

// news returns the progress to write.
func (w *worker) news() map[string]any {
	return map[string]any{"written": w.written.Load(), "of_bytes": w.whole.Load()}
}

// end writes how the work ended, unless the archive is no longer wanted.
func (w *worker) end(ctx context.Context, columns map[string]any) error {
	if columns["state"] != nil {
		columns["ended_at"] = w.s.Now()
	}
	err := w.lease.End(ctx, columns)
	key, _ := columns["file_key"].(string)
	if !errors.Is(err, store.ErrTaken) || key == "" {
		return unlessTaken(err)
	}
	// No row refers to these bytes any more.
	return w.s.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return models.LetGo(tx, key) })
}

// unlessTaken returns nil if the archive is no longer wanted.
func unlessTaken(err error) error {
	if errors.Is(err, store.ErrTaken) {
		return nil
	}
	return err
}
