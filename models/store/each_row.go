package store

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// EachRow runs a query and scans each row into the pointers that targets returns for it. PostgreSQL's rows are decoded
// from the wire, because database/sql allocates each value twice. The observed time of such a statement includes
// reading its rows.
func EachRow(query *gorm.DB, targets func() []any) error {
	return eachRow(query, asked{targets: targets})
}

// Asked is a query of EachRows, with what its rows are scanned into.
type Asked struct {
	Query   *gorm.DB
	Targets func() []any
}

// EachRows is EachRow for several queries that do not depend on each other. Within a transaction PostgreSQL gets all of
// them in one batch, which saves round trips; their time is then observed with the last one.
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
	for rows.Next() { // SQLite
		if err := rows.Scan(how.targets()...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// asked says how the driver runs a query whose rows it scans; with waits it is sent in one batch with the next one.
type asked struct {
	targets func() []any
	waits   bool
}

type askedKey struct{}

// scan runs a query of EachRow, together with those that waited for it.
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
