package modelstest

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// postgresLender lends databases of the PostgreSQL server.
type postgresLender struct{}

// locked is what this process holds, by advisory locks on the server, so that its databases are free again once it has
// ended.
var locked struct {
	sync.Mutex
	by   *sql.Conn
	last int // number of the last one taken
}

// lockLoan locks the first number that no process holds.
func lockLoan(ctx context.Context) (number int, err error) {
	locked.Lock()
	defer locked.Unlock()
	if locked.by == nil {
		db, err := server()
		if err != nil {
			return 0, err
		}
		if locked.by, err = db.Conn(ctx); err != nil {
			return 0, err
		}
	}
	for isMine := false; err == nil && !isMine; {
		locked.last++
		err = locked.by.QueryRowContext(ctx, "SELECT pg_try_advisory_lock(74018, $1)", locked.last).Scan(&isMine)
	}
	return locked.last, err
}

// take empties the database, or makes it anew unless its schema is as it was made, which its comment says.
func (of postgresLender) take(ctx context.Context) (*loan, error) {
	template, err := postgresTemplate()
	if err != nil {
		return nil, err
	}
	number, err := lockLoan(ctx)
	if err != nil {
		return nil, err
	}
	db, err := server()
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s_lent_%d", template, number)
	l := &loan{address: addressOf(name)}
	var is bool
	err = db.QueryRowContext(ctx, "SELECT count(*) > 0, coalesce(max(shobj_description(oid, 'pg_database')), '') "+
		"FROM pg_database WHERE datname = $1", name).Scan(&is, &l.shape)
	if err != nil {
		return nil, err
	}
	if is {
		if err := l.open(); err != nil {
			return nil, err
		}
		if shape, err := of.shapeNow(l); err == nil && shape == l.shape {
			return l, of.empty(l)
		}
		if err := l.close(); err != nil {
			return nil, err
		}
		if err := of.drop(l); err != nil {
			return nil, err
		}
	}
	if err := copyTemplate(db, template, name); err != nil {
		return nil, err
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	if l.shape, err = of.shapeNow(l); err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("COMMENT ON DATABASE %s IS '%s'", name, l.shape))
	return l, err
}

// shapeNow returns the number of tables, indexes, constraints, triggers and functions and the sum of their oids: what
// is made later has a higher oid, so a replacement changes the sum.
func (postgresLender) shapeNow(l *loan) (shape string, err error) {
	err = l.db.QueryRow(`SELECT count(*) || ' things, ' || sum(id::bigint) FROM (
		SELECT oid AS id FROM pg_class WHERE relnamespace = 'public'::regnamespace
		UNION ALL SELECT oid FROM pg_constraint WHERE connamespace = 'public'::regnamespace
		UNION ALL SELECT oid FROM pg_trigger WHERE NOT tgisinternal
		UNION ALL SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace) ids`).Scan(&shape)
	return shape, err
}

// emptying prepares one statement that empties all tables; planning it takes longer than deleting nothing.
func emptying(db *sql.DB) ([]*sql.Stmt, error) {
	var each string
	if err := db.QueryRow(`SELECT string_agg(format('%I_ AS (DELETE FROM %I)', tablename, tablename), ', ' ORDER BY tablename)
		FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version'`).Scan(&each); err != nil {
		return nil, err
	}
	statement, err := db.Prepare("WITH " + each + " SELECT")
	if err != nil {
		return nil, err
	}
	return []*sql.Stmt{statement}, nil
}

// empty deletes all rows without checking foreign keys.
func (postgresLender) empty(l *loan) (err error) {
	if l.deleting == nil {
		if l.deleting, err = emptying(l.db); err != nil {
			return err
		}
	}
	tx, err := l.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec("SET LOCAL session_replication_role = replica"); err != nil {
		return err
	}
	for _, statement := range l.deleting {
		if _, err := tx.Stmt(statement).Exec(); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (postgresLender) drop(l *loan) error {
	db, err := server()
	if err == nil {
		_, err = db.Exec("DROP DATABASE IF EXISTS " + databaseOf(l.address) + " WITH (FORCE)")
	}
	return err
}
