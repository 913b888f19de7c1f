package modelstest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"

	"lectern/models/store"
)

// loan is a database that tests have one after the other, also those of other processes: to empty one takes a tenth of
// the time it takes to make one. Those of a process also have its connections, which know its tables by then.
type loan struct {
	name  string
	shape string      // as it was made
	db    *sql.DB     // by which it is emptied
	pool  *store.Pool // of the stores under test
}

// lent keeps the loans that this process holds and no test uses. A lock on the server says who holds one, so that those
// of a process are free again once it has ended.
var lent struct {
	sync.Mutex
	locks *sql.Conn
	last  int // the number of the last one that was taken
	free  []*loan
}

// lend returns an empty database that goes back with the end of the test, unless the test changed its schema.
func lend(t testing.TB) *loan {
	t.Helper()
	lent.Lock()
	var l *loan
	if last := len(lent.free) - 1; last >= 0 {
		l, lent.free = lent.free[last], lent.free[:last]
	}
	lent.Unlock()
	if l == nil {
		l = Must(takeLoan(context.Background()))(t)
	}
	t.Cleanup(func() {
		if Must(l.shapeNow())(t) != l.shape {
			if err := l.drop(); err != nil {
				t.Error(err)
			}
			return
		}
		if err := l.empty(); err != nil {
			t.Error(err)
			return
		}
		lent.Lock()
		defer lent.Unlock()
		lent.free = append(lent.free, l)
	})
	return l
}

// takeLoan takes a database that no process holds: one of a process that has ended, or a new one.
func takeLoan(ctx context.Context) (*loan, error) {
	template, err := postgresTemplate()
	if err != nil {
		return nil, err
	}
	number, err := lockLoan(ctx)
	if err != nil {
		return nil, err
	}
	l := &loan{name: fmt.Sprintf("%s_lent_%d", template, number)}
	return l, l.prepare(ctx, template)
}

// lockLoan locks the first number that no process holds.
func lockLoan(ctx context.Context) (number int, err error) {
	lent.Lock()
	defer lent.Unlock()
	if lent.locks == nil {
		db, err := server()
		if err != nil {
			return 0, err
		}
		if lent.locks, err = db.Conn(ctx); err != nil {
			return 0, err
		}
	}
	for isMine := false; err == nil && !isMine; {
		lent.last++
		err = lent.locks.QueryRowContext(ctx, "SELECT pg_try_advisory_lock(74018, $1)", lent.last).Scan(&isMine)
	}
	return lent.last, err
}

// prepare empties the database, or makes it where there is none as it was made. Its shape then stands in its comment.
func (l *loan) prepare(ctx context.Context, template string) error {
	db, err := server()
	if err != nil {
		return err
	}
	var is bool
	err = db.QueryRowContext(ctx, "SELECT count(*) > 0, coalesce(max(shobj_description(oid, 'pg_database')), '') "+
		"FROM pg_database WHERE datname = $1", l.name).Scan(&is, &l.shape)
	if err != nil {
		return err
	}
	if is {
		if err := l.open(); err != nil {
			return err
		}
		if shape, err := l.shapeNow(); err == nil && shape == l.shape {
			return l.empty()
		}
		if err := l.drop(); err != nil {
			return err
		}
	}
	if err := copyTemplate(db, template, l.name); err != nil {
		return err
	}
	if err := l.open(); err != nil {
		return err
	}
	if l.shape, err = l.shapeNow(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("COMMENT ON DATABASE %s IS '%s'", l.name, l.shape))
	return err
}

func (l *loan) open() (err error) {
	if l.pool, err = store.OpenPool(context.Background(), addressOf(l.name), store.Options{}); err != nil {
		return err
	}
	if l.db, err = sql.Open("pgx", addressOf(l.name)); err == nil {
		l.db.SetMaxOpenConns(1)
	}
	return err
}

// shapeNow tells the tables, indexes, rules, triggers and functions of the database.
func (l *loan) shapeNow() (shape string, err error) {
	err = l.db.QueryRow(`SELECT md5(string_agg(id::text, ' ' ORDER BY id)) FROM (
		SELECT oid AS id FROM pg_class WHERE relnamespace = 'public'::regnamespace
		UNION ALL SELECT oid FROM pg_constraint WHERE connamespace = 'public'::regnamespace
		UNION ALL SELECT oid FROM pg_trigger WHERE NOT tgisinternal
		UNION ALL SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace) ids`).Scan(&shape)
	return shape, err
}

// empty deletes all rows. No foreign key is checked on the way.
func (l *loan) empty() error {
	_, err := l.db.Exec(`DO $$ DECLARE name text; BEGIN
		SET LOCAL session_replication_role = replica;
		FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version' LOOP
			EXECUTE format('DELETE FROM %I', name);
		END LOOP;
	END $$`)
	return err
}

// drop drops the database, of which another may be made.
func (l *loan) drop() error {
	if err := errors.Join(l.pool.Close(), l.db.Close()); err != nil {
		return err
	}
	db, err := server()
	if err == nil {
		_, err = db.Exec("DROP DATABASE IF EXISTS " + l.name + " WITH (FORCE)")
	}
	return err
}
