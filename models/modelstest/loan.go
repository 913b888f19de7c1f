package modelstest

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"

	"lectern/models/store"
)

// loan is a database that tests use one after the other, also tests of other processes: emptying a database takes a
// tenth of the time of making one. The tests of one process share its connections too, which know its tables and
// statements by then.
type loan struct {
	address  string
	shape    string      // the schema as it was made
	pool     *store.Pool // for the stores under test
	db       *sql.DB     // for direct access
	deleting []*sql.Stmt // statements that empty it
}

// lender does what differs between the engines.
type lender interface {
	// take opens a database that no process holds: one of a process that has ended, or a new one.
	take(ctx context.Context) (*loan, error)
	// shapeNow returns a fingerprint of the database's schema.
	shapeNow(l *loan) (string, error)
	// empty deletes all rows, and whatever else a test left.
	empty(l *loan) error
	// drop gives up a database, which is closed already.
	drop(l *loan) error
}

var lenders = map[string]lender{"postgres": postgresLender{}, "sqlite": sqliteLender{}}

// lent are the loans that this process holds and no test uses, by engine.
var lent = struct {
	sync.Mutex
	free map[string][]*loan
}{free: map[string][]*loan{}}

// lend returns an empty database, which is given back at the end of the test unless the test changed its schema.
func lend(t testing.TB, dialect string) *loan {
	t.Helper()
	of := lenders[dialect]
	lent.Lock()
	var l *loan
	if last := len(lent.free[dialect]) - 1; last >= 0 {
		l, lent.free[dialect] = lent.free[dialect][last], lent.free[dialect][:last]
	}
	lent.Unlock()
	if l == nil {
		l = Must(of.take(context.Background()))(t)
	}
	t.Cleanup(func() {
		if Must(of.shapeNow(l))(t) != l.shape {
			if err := errors.Join(l.close(), of.drop(l)); err != nil {
				t.Error(err)
			}
			return
		}
		if err := of.empty(l); err != nil {
			t.Error(err)
			return
		}
		lent.Lock()
		defer lent.Unlock()
		lent.free[dialect] = append(lent.free[dialect], l)
	})
	return l
}

// open connects to the database.
func (l *loan) open() (err error) {
	if l.pool, err = store.OpenPool(context.Background(), l.address, store.Options{QuickSQLite: true}); err != nil {
		return err
	}
	l.db, err = openDirect(l.address)
	return err
}

func (l *loan) close() error { return errors.Join(l.pool.Close(), l.db.Close()) }
