// Package making is the worker that makes the archives that staff asked for.
package making

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
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
	// limit is how long the making of an archive may take.
	limit = 6 * time.Hour
	// lease is how long a worker may be silent before another one begins its archive anew.
	lease = 30 * time.Second
	// beat is how often a worker says how far it is.
	beat = time.Second
	// mostClaims is how often an archive is begun whose worker died, which may be its own fault.
	mostClaims = 4
	// ending limits the time to say how it ended, and lastWords when the process ends. With SQLite somebody else may
	// write for long.
	ending, lastWords = time.Minute, 5 * time.Second
)

// Release puts archives of a process before back in line, of which the one process that serves SQLite knows as it
// starts that it is dead.
func Release(ctx context.Context, s *models.Store) error {
	if !s.Embedded() {
		return nil
	}
	return s.Write(ctx, func(tx *store.Tx) error {
		return tx.Model(&archives.Archive{}).Where("claimed_until IS NOT NULL").UpdateColumn("claimed_until", nil).Error
	})
}

// Run makes the archive that waits the longest, also one whose worker died. It tells whether there was one; a fault of
// ours is returned.
func Run(ctx context.Context, s *models.Store) (worked bool, err error) {
	a, err := claim(ctx, s)
	if a == nil {
		return false, err
	}
	w := &worker{s: s, a: a}
	if a.Claims > mostClaims {
		return true, w.end(ctx, map[string]any{"state": archives.Stopped,
			"reason": "The server ended in the middle of it several times. Take the command line, which says more."})
	}
	return true, w.work(ctx)
}

// claim takes an archive that waits, or that nobody is at any more.
func claim(ctx context.Context, s *models.Store) (*archives.Archive, error) {
	waits := func(db *gorm.DB) *gorm.DB {
		return db.Where("state = ? AND (claimed_until IS NULL OR claimed_until < ?)", archives.Making, s.Now())
	}
	next, err := store.One[archives.Archive](waits(s.Read(ctx)).Order("created_at, id"), nil)
	if next == nil {
		return nil, err
	}
	return store.Make(ctx, s.Write, func(tx *store.Tx) (*archives.Archive, error) {
		a, err := store.One[archives.Archive](waits(tx.SkipLocked()).Where("id = ?", next.ID), nil)
		if a == nil {
			return nil, err
		}
		a.Claims, a.ClaimedUntil, a.Written, a.OfBytes = a.Claims+1, new(store.At(tx.Now.Add(lease))), 0, 0
		return a, tx.Model(a).Select("claims", "claimed_until", "written", "of_bytes").Updates(a).Error
	})
}

// worker makes one archive.
type worker struct {
	s       *models.Store
	a       *archives.Archive // as it was claimed
	written atomic.Int64
	whole   atomic.Int64
}

var (
	// errTaken is the cause of a work that ends because the archive is wanted no more, or is another worker's.
	errTaken = errors.New("the archive is wanted no more, or another process is at it")
	errLarge = &store.Error{Kind: store.Invalid, Message: "It is larger than 4 GB. Whoever runs the server writes it by " +
		"“lectern export”."}
	errNobody = &store.Error{Kind: store.Invalid, Message: "Who asked for it may not have it any more. Somebody who may can " +
		"ask for it anew."}
)

func (w *worker) work(ctx context.Context) error {
	working, end := context.WithTimeout(ctx, limit)
	defer end()
	working, give := context.WithCancelCause(working)
	var beating sync.WaitGroup
	beating.Go(func() { w.beat(working, give) })
	made, err := w.make(working)
	late := errors.Is(working.Err(), context.DeadlineExceeded)
	give(nil)
	beating.Wait()
	kind := store.KindOf(err)
	fault, isFile := errors.AsType[*files.Fault](err)
	switch {
	case err == nil:
		return w.end(ctx, map[string]any{"state": archives.Made, "file_name": made.Name, "file_key": made.Key, "sha256": made.SHA256,
			"written": made.Size, "of_bytes": made.Size})
	case ctx.Err() != nil: // the process ends; another one begins anew, and nobody died
		return w.end(ctx, map[string]any{"claims": w.a.Claims - 1})
	case errors.Is(context.Cause(working), errTaken) || kind == store.NotFound:
		return nil // it is gone, or its event is
	case isFile:
		return w.end(ctx, map[string]any{"state": archives.Stopped, "reason": fault.Message})
	case late:
		return w.end(ctx, map[string]any{"state": archives.Stopped, "reason": "It took longer than six hours, and was ended."})
	case kind == store.Unavailable || kind == store.Unknown:
		return nil // the database is away; somebody begins anew once the lease is over
	case kind == store.Invalid:
		return w.end(ctx, map[string]any{"state": archives.Stopped, "reason": store.AsError(err).Message})
	}
	return errors.Join(err, w.end(ctx, map[string]any{"state": archives.Stopped, "reason": "Something went wrong on our side."}))
}

// make makes it, and keeps its bytes.
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
	return w.s.Bring(ctx, w.by(), name+"-"+w.s.Now().UTC().Format(time.DateOnly)+".zip", file)
}

func (w *worker) by() store.By {
	return store.By{Door: "admin", ActorID: w.a.UserID, ActorName: w.a.UserName, RequestID: w.a.ID}
}

// take reads what the archive is of, in the right of who asked for it, and says what to call it.
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

// counting counts what is written, and ends what becomes too large.
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

// beat says each second how far it is, and holds the claim. It ends the work at an archive that is wanted no more.
func (w *worker) beat(ctx context.Context, give context.CancelCauseFunc) {
	held := time.Now()
	for store.Rest(ctx, beat) == nil {
		err := w.write(ctx, map[string]any{"written": w.written.Load(), "of_bytes": w.whole.Load(),
			"claimed_until": store.At(w.s.Now().Add(lease))})
		switch {
		case err == nil:
			held = time.Now()
		case errors.Is(err, errTaken) || time.Since(held) > lease && !w.s.Embedded():
			give(errTaken)
			return
		case ctx.Err() == nil:
			slog.Warn("cannot say how far an archive is", "archive", w.a.ID, "error", err.Error())
		}
	}
}

// write writes columns of the archive. It answers errTaken where it is not this worker's any more.
func (w *worker) write(ctx context.Context, columns map[string]any) error {
	return w.s.Write(ctx, func(tx *store.Tx) error {
		return store.Changed(tx.Model(&archives.Archive{}).Where("id = ? AND state = ? AND claims = ?", w.a.ID, archives.Making, w.a.Claims).
			UpdateColumns(columns), errTaken)
	})
}

// end writes how it ended, unless it is wanted no more.
func (w *worker) end(ctx context.Context, columns map[string]any) error {
	most := ending
	if ctx.Err() != nil {
		most = lastWords
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer end()
	columns["claimed_until"] = nil
	if columns["state"] != nil {
		columns["ended_at"] = w.s.Now()
	}
	err := w.write(ctx, columns)
	if !errors.Is(err, errTaken) {
		return err
	}
	key, _ := columns["file_key"].(string)
	if key == "" {
		return nil
	}
	return w.s.Write(ctx, func(tx *store.Tx) error { return models.LetGo(tx, key) }) // nobody has these bytes
}
