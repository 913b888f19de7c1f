package store

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// EachRow asks a query and scans each row into the pointers that targets answers for it. PostgreSQL's driver scans them
// itself: through database/sql each value is made twice. What is observed of such a statement is the reading of its rows, too.
func EachRow(query *gorm.DB, targets func() []any) error {
	rows, err := query.WithContext(context.WithValue(query.Statement.Context, targetsKey{}, targets)).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() { // with SQLite
		if err := rows.Scan(targets()...); err != nil {
			return err
		}
	}
	return rows.Err()
}

type targetsKey struct{}

// scan is a query of EachRow.
func (c *gatheringConn) scan(ctx context.Context, targets func() []any, query string, args []driver.NamedValue) error {
	if c.Conn().IsClosed() {
		return driver.ErrBadConn
	}
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = arg.Value
	}
	rows, err := c.Conn().Query(ctx, query, values...)
	if err != nil {
		if pgconn.SafeToRetry(err) { // before anything was sent
			return driver.ErrBadConn
		}
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(targets()...); err != nil {
			return err
		}
	}
	return rows.Err()
}
