package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Tx is an operation's transaction, with one reading of the clock.
type Tx struct {
	*gorm.DB
	Store   *Store
	Now     Time
	Version int64 // of the rows that it changes, for the caches
	before  []func() error
	after   []func()
	notes   []any
}

// BeforeCommit has f called when the operation has succeeded, so that it writes last; its error rolls everything back.
func (tx *Tx) BeforeCommit(f func() error) { tx.before = append(tx.before, f) }

// AfterCommit has f called once the transaction is committed.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

// NoteOf returns the one T in which the operations of a transaction collect notes. The first call runs begin, which
// says what is done with them in the end.
func NoteOf[T any](tx *Tx, begin func(*T)) *T {
	for _, note := range tx.notes {
		if note, found := note.(*T); found {
			return note
		}
	}
	note := new(T)
	tx.notes = append(tx.notes, note)
	begin(note)
	return note
}

// Lock returns a handle whose queries lock their rows until the transaction ends (FOR NO KEY UPDATE): inserts of rows
// that only refer to them do not wait. SQLite has one writer and needs no locks.
func (tx *Tx) Lock() *gorm.DB {
	if tx.Store.Embedded() {
		return tx.DB
	}
	return tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"})
}

// SkipLocked is Lock that leaves out the rows which another transaction holds.
func (tx *Tx) SkipLocked() *gorm.DB {
	if tx.Store.Embedded() {
		return tx.DB
	}
	return tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"})
}

// briefWait is how long WaitBriefly lets a statement wait, unless Options say otherwise: with the rest of its request
// that is less than a second.
const briefWait = 900 * time.Millisecond

// WaitBriefly has each further statement wait at most BriefWait for another transaction's lock, and then answer
// Unavailable. It does nothing with SQLite, where waiting happens before the transaction begins.
func (tx *Tx) WaitBriefly() error {
	if tx.Store.Embedded() {
		return nil
	}
	wait := cmp.Or(tx.Store.Options.BriefWait, briefWait)
	return tx.Exec(fmt.Sprintf("SET LOCAL lock_timeout = %d", wait.Milliseconds())).Error
}

// PlanAnew has PostgreSQL forget its plans, once a transaction has made a table much larger: the check of a foreign key
// is planned once, and its plan for a small table would go on to scan the whole table.
func (tx *Tx) PlanAnew() error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Exec("DISCARD PLANS").Error
}

// InsertRows returns how many rows one statement should insert at most. SQLite's driver looks through all values of a
// statement for each of them.
func (tx *Tx) InsertRows() int {
	if tx.Store.Embedded() {
		return 25
	}
	return 500
}

// One returns the row that a query finds, or the error missing.
func One[T any](query *gorm.DB, missing error) (*T, error) {
	row := new(T)
	err := query.Take(row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	return row, nil
}

// OneByID is One for an id that a client sent; for what is no id it returns missing without a query.
func OneByID[T any](query *gorm.DB, id string, missing error) (*T, error) {
	if !IsID(id) {
		return nil, missing
	}
	return One[T](query.Where("id = ?", id), missing)
}

// Changed returns the error of a statement, or refusal if it changed no row.
func Changed(done *gorm.DB, refusal error) error {
	if done.Error == nil && done.RowsAffected == 0 {
		return refusal
	}
	return done.Error
}

// Unless returns refusal if a query finds a row.
func Unless(query *gorm.DB, refusal error) error {
	var found int64
	if err := query.Count(&found).Error; err != nil || found == 0 {
		return err
	}
	return refusal
}

// Make is Write for an operation that returns a value; the zero value with an error.
func Make[T any](
	ctx context.Context, write func(context.Context, func(*Tx) error) error, operation func(*Tx) (T, error),
) (made T, err error) {
	err = write(ctx, func(tx *Tx) (err error) {
		made, err = operation(tx)
		return err
	})
	if err != nil {
		return *new(T), err
	}
	return made, nil
}

type txKey struct{}

// Within returns a context whose operations join the transaction.
func (tx *Tx) Within(ctx context.Context) context.Context { return context.WithValue(ctx, txKey{}, tx) }

// txIn returns the transaction that operations called with ctx join, nil when there is none.
func txIn(ctx context.Context) *Tx {
	tx, _ := ctx.Value(txKey{}).(*Tx)
	return tx
}

func InTransaction(ctx context.Context) bool { return txIn(ctx) != nil }

// Together returns a group that runs reads concurrently, except in a transaction, which has one connection.
func Together(ctx context.Context) *errgroup.Group {
	var reads errgroup.Group
	if InTransaction(ctx) {
		reads.SetLimit(1)
	}
	return &reads
}

// Read returns a handle for queries, inside the transaction of ctx if there is one.
func (s *Store) Read(ctx context.Context) *gorm.DB {
	if tx := txIn(ctx); tx != nil {
		return tx.DB
	}
	return s.db.WithContext(ctx)
}

// Snapshot calls f with a handle whose queries all see the same state, without what others write meanwhile; within a
// transaction, f sees what the transaction sees.
func (s *Store) Snapshot(ctx context.Context, f func(*gorm.DB) error) error {
	if tx := txIn(ctx); tx != nil {
		return f(tx.DB)
	}
	return s.db.WithContext(ctx).Transaction(f, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
}

const (
	// writeTime is how long a transaction may take when its caller sets no deadline, as commands do: a standby that the
	// commit waits for may be away for good.
	writeTime = time.Minute
	// writeAttempts is how often an operation is tried when PostgreSQL aborts it because of another transaction.
	writeAttempts = 4
)

// Write runs an operation in a transaction, and after the commit the functions that it gave to AfterCommit. It joins
// the transaction of ctx, if there is one. When it returns an error nothing was changed, except with Unknown, where
// that is not known.
func (s *Store) Write(ctx context.Context, operation func(*Tx) error) error {
	if tx := txIn(ctx); tx != nil {
		return operation(tx)
	}
	if _, bounded := ctx.Deadline(); !bounded {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, writeTime)
		defer end()
	}
	return s.commit(ctx, func() (tx *Tx, err error) {
		for range writeAttempts {
			tx = s.newTx(s.db.WithContext(ctx))
			if err = tx.run(operation); !isDeadlock(err) {
				break
			}
		}
		return tx, err
	})
}

func (s *Store) newTx(db *gorm.DB) *Tx {
	return &Tx{DB: db, Store: s, Now: s.Now(), Version: rand.Int64()}
}

// run runs an operation's transaction. With SQLite, one that never began was waiting for another process that writes.
func (tx *Tx) run(operation func(*Tx) error) error {
	hasBegun := false
	err := tx.DB.Transaction(func(db *gorm.DB) error {
		hasBegun = true
		tx.DB = db
		err := operation(tx)
		for i := 0; err == nil && i < len(tx.before); i++ {
			err = tx.before[i]()
		}
		return err
	})
	if !hasBegun && tx.Store.Embedded() && errors.Is(err, context.DeadlineExceeded) {
		return errBusy
	}
	return err
}

// commit waits for SQLite's one writer, and calls the AfterCommit functions once the transaction is committed.
func (s *Store) commit(ctx context.Context, write func() (*Tx, error)) error {
	tx, err := s.alone(ctx, write)
	if IsMissingReference(err) {
		return errGone
	}
	if err != nil {
		return err
	}
	for _, f := range tx.after {
		f()
	}
	return nil
}

// alone runs write while no other goroutine writes to SQLite.
func (s *Store) alone(ctx context.Context, write func() (*Tx, error)) (*Tx, error) {
	if s.writer != nil {
		select {
		case s.writer <- struct{}{}:
			defer func() { <-s.writer }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	tx, err := write()
	if _, found := errors.AsType[*cutShort](err); found {
		return nil, fmt.Errorf("%w: %w", errUnknown, err)
	}
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return nil, ctx.Err() // its end rolled the transaction back
	}
	return tx, err
}

// InsertInto inserts many rows in few statements.
func InsertInto[T any](tx *Tx, table string, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.Later().Session(&gorm.Session{NewDB: true}).Table(table).CreateInBatches(rows, tx.InsertRows()).Error
}
