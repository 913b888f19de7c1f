package store

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// EachRow asks a query and scans each row into the pointers that targets answers for it. Those of PostgreSQL are read
// as they came, for through database/sql each value is made twice. What is observed of such a statement is the reading
// of its rows, too.
func EachRow(query *gorm.DB, targets func() []any) error {
	return eachRow(query, asked{targets: targets})
}

// Asked is a query of EachRows, with what its rows are scanned into.
type Asked struct {
	Query   *gorm.DB
	Targets func() []any
}

// EachRows is EachRow of several queries, none of which needs what another one finds. Within a transaction PostgreSQL
// is sent all of them at once, which saves a round trip for each; what they take is then observed of the last.
func EachRows(all ...Asked) error {
	for i, one := range all {
		if err := eachRow(one.Query, asked{one.Targets, i+1 < len(all)}); err != nil {
			return err
		}
	}
	return nil
}

func eachRow(query *gorm.DB, how asked) error {
	rows, err := query.WithContext(context.WithValue(query.Statement.Context, askedKey{}, how)).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() { // with SQLite
		if err := rows.Scan(how.targets()...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// asked is how a query is asked whose rows the driver scans; it waits for one that comes after it.
type asked struct {
	targets func() []any
	waits   bool
}

type askedKey struct{}

// scan is a query of EachRow, together with those that waited for it.
func (c *gatheringConn) scan(ctx context.Context, how asked, query string, args []driver.NamedValue) error {
	if c.Conn().IsClosed() {
		return driver.ErrBadConn
	}
	values := Map(args, func(arg driver.NamedValue) any { return arg.Value })
	if waits := how.waits && c.inTx; waits || c.waiting.Len() > 0 {
		c.waiting.Queue(query, values...).Query(func(rows pgx.Rows) error { return scanAll(rows, how.targets) })
		if waits {
			return nil
		}
		batch := c.waiting
		c.waiting = pgx.Batch{}
		return c.Conn().SendBatch(ctx, &batch).Close()
	}
	rows, err := c.Conn().Query(ctx, query, values...)
	if err != nil {
		if pgconn.SafeToRetry(err) { // before anything was sent
			return driver.ErrBadConn
		}
		return err
	}
	return scanAll(rows, how.targets)
}

// scanAll scans what PostgreSQL sent.
func scanAll(rows pgx.Rows, targets func() []any) error {
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(targets()...); err != nil {
			return err
		}
	}
	return rows.Err()
}
