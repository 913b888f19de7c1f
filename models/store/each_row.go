package store

import (
	"context"
	"database/sql/driver"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
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

// AnyOf compares a column with ids: Where("session_id ?", store.AnyOf(ids)). The ids are passed as one parameter, so
// that PostgreSQL keeps one plan for any number of them. A single id is compared with =: the cached plan assumes ten,
// so PostgreSQL would find a new plan cheaper each time.
type AnyOf []string

// GormValue writes the comparison in the dialect of the database.
func (ids AnyOf) GormValue(_ context.Context, db *gorm.DB) clause.Expr {
	all := []string(ids)
	if len(all) == 1 {
		return clause.Expr{SQL: "= ?", Vars: []any{all[0]}}
	}
	if db.Name() != "postgres" {
		list, _ := json.Marshal(all) // strings can always be marshalled
		return clause.Expr{SQL: "IN (SELECT value FROM json_each(?))", Vars: []any{string(list)}}
	}
	return clause.Expr{SQL: "= ANY(?)", Vars: []any{&all}} // gorm would expand a slice into one placeholder per id
}
