package store

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"gorm.io/gorm"
)

// Lease is a worker's claim on a row that describes background work. Until its column claimed_until no other worker
// begins it; after that, this worker is taken for dead.
type Lease struct {
	s     *Store
	row   any // an empty struct of the row's type
	lasts time.Duration
	id    string
	mine  string // the SQL condition that holds while the row is this worker's
	value []any
	mu    sync.Mutex
	until Time // as last written
}

const (
	// leaseBeat is how often a worker writes its progress.
	leaseBeat = time.Second
	// leaseEnding limits the time to write how a work ended; leaseLastWords does when the process ends. With SQLite
	// another writer may hold the database for long.
	leaseEnding, leaseLastWords = time.Minute, 5 * time.Second
)

// ErrTaken means that the work was stopped, or now belongs to another worker.
var ErrTaken = errors.New("the work was stopped, or another process is at it")

// NextInLine has one worker take the row that has waited longest; nil when no row waits, or others took it.
func NextInLine[T any](ctx context.Context, s *Store, waits func(*gorm.DB) *gorm.DB,
	take func(*Tx, *T) error) (*T, error) {
	var ids []string
	err := waits(s.Read(ctx)).Model(new(T)).Order("created_at, id").Limit(1).Pluck("id", &ids).Error
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return Make(ctx, s.Write, func(tx *Tx) (*T, error) {
		next, err := One[T](waits(tx.SkipLocked()).Where("id = ?", ids[0]), nil)
		if next == nil {
			return nil, err
		}
		return next, take(tx, next)
	})
}

// ReleaseLeases puts the work of an earlier process back into the queue. Only with SQLite, which one process serves, is
// it known at start that all earlier workers are dead.
func ReleaseLeases(ctx context.Context, s *Store, row any) error {
	if !s.Embedded() {
		return nil
	}
	return s.Write(ctx, func(tx *Tx) error {
		return tx.Model(row).Where("claimed_until IS NOT NULL").UpdateColumn("claimed_until", nil).Error
	})
}

// LeaseOf returns the lease of a row that was just taken; it stays this worker's as long as the row meets the condition
// mine.
func LeaseOf(s *Store, row any, id string, until *Time, lasts time.Duration, mine string, value ...any) *Lease {
	return &Lease{s: s, row: row, lasts: lasts, id: id, mine: mine, value: value, until: *until}
}

// Keep renews the claim until stop is called, and writes the columns that news returns, each second. It calls lost and
// ends once the row belongs to another worker or could not be renewed in time.
func (l *Lease) Keep(ctx context.Context, news func() map[string]any, lost func()) (stop func()) {
	ctx, end := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		held := time.Now()
		for Rest(ctx, leaseBeat) == nil {
			columns := news()
			if len(columns) == 0 && time.Since(held) < l.lasts/3 && l.isStill(ctx) {
				continue
			}
			switch err := l.Write(ctx, columns); {
			case err == nil:
				held = time.Now()
			case errors.Is(err, ErrTaken) || time.Since(held) > l.lasts && !l.s.Embedded(): // SQLite has no other process
				lost()
				return
			case ctx.Err() == nil:
				slog.Warn("cannot say how far a work is", "id", l.id, "error", err.Error())
			}
		}
	}()
	return func() { end(); <-over }
}

func (l *Lease) of(db *gorm.DB) *gorm.DB {
	return db.Model(l.row).Where("id = ?", l.id).Where(l.mine, l.value...)
}

// isStill reports whether the row is still this worker's; true where the database does not answer.
func (l *Lease) isStill(ctx context.Context) bool {
	var n int64
	err := l.of(l.s.Read(ctx)).Count(&n).Error
	return err != nil || n > 0
}

// Write writes columns of the row and renews the claim. It answers ErrTaken when the row is no longer this worker's.
func (l *Lease) Write(ctx context.Context, columns map[string]any) error {
	until := At(l.s.Now().Add(l.lasts))
	set := map[string]any{"claimed_until": until}
	for name, value := range columns {
		set[name] = value
	}
	err := l.s.Write(ctx, func(tx *Tx) error { return Changed(l.of(tx.DB).UpdateColumns(set), ErrTaken) })
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.until = until
	}
	return err
}

// EndWithin gives the claim up within a transaction, and writes how the work ended. It answers ErrTaken as Write does.
func (l *Lease) EndWithin(tx *Tx, columns map[string]any) error {
	columns["claimed_until"] = nil
	return Changed(l.of(tx.DB).UpdateColumns(columns), ErrTaken)
}

// End is EndWithin in a transaction of its own, also when ctx has ended.
func (l *Lease) End(ctx context.Context, columns map[string]any) error {
	return l.s.late(ctx, func(tx *Tx) error { return l.EndWithin(tx, columns) })
}

// LetGo gives up the claim on a row that was stopped, so that its next work may begin. It changes nothing where another
// worker has claimed the row since.
func (l *Lease) LetGo(ctx context.Context) error {
	l.mu.Lock()
	until := l.until
	l.mu.Unlock()
	return l.s.late(ctx, func(tx *Tx) error {
		return tx.Model(l.row).Where("id = ? AND claimed_until = ?", l.id, until).UpdateColumn("claimed_until", nil).Error
	})
}

// late is Write for what must be written even if ctx has ended.
func (s *Store) late(ctx context.Context, operation func(*Tx) error) error {
	most := leaseEnding
	if ctx.Err() != nil {
		most = leaseLastWords
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer end()
	return s.Write(ctx, operation)
}
