package store

import (
	"context"
	"database/sql/driver"
)

const (
	// keptStatements is how many statements a connection to SQLite keeps prepared: a few hundred texts make up nearly all,
	// and each takes up to some 20 kB.
	keptStatements = 512
	// keptText is the longest text of a kept statement, in bytes: those with many rows or ids hardly ever come twice.
	keptText = 4 << 10
)

// keeper makes connections to SQLite that keep their statements prepared, as pgx does by itself: parsing a statement
// takes longer than running most. database/sql's own end with their transaction.
type keeper struct{ driver.Connector }

func (k keeper) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &keepingConn{sqliteConn: conn.(sqliteConn), kept: map[string]*keptStatement{}}, nil
}

// sqliteConn is what the driver's connections implement.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// keepingConn is a connection with its prepared statements. One goroutine at a time uses it.
type keepingConn struct {
	sqliteConn
	kept map[string]*keptStatement // by their texts
}

type keptStatement struct {
	sqliteStatement
	isRead bool // its rows are open
}

type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func (c *keepingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, query)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	return s.ExecContext(ctx, args)
}

func (c *keepingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, query)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.isRead = true
	return &keptRows{rows.(sqliteRows), s}, nil
}

// statement returns the prepared statement of a text; nil for a long text, and while rows of the statement are open.
func (c *keepingConn) statement(ctx context.Context, query string) (*keptStatement, error) {
	if len(query) > keptText {
		return nil, nil
	}
	if s := c.kept[query]; s != nil {
		if s.isRead {
			return nil, nil
		}
		return s, nil
	}
	if len(c.kept) >= keptStatements {
		c.forget()
	}
	made, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s := &keptStatement{sqliteStatement: made.(sqliteStatement)}
	c.kept[query] = s
	return s, nil
}

// forget closes all statements but those whose rows are open.
func (c *keepingConn) forget() {
	for query, s := range c.kept {
		if !s.isRead {
			delete(c.kept, query)
			s.Close()
		}
	}
}

func (c *keepingConn) Close() error {
	for _, s := range c.kept {
		s.Close() // before the connection, which would wait for them
	}
	return c.sqliteConn.Close()
}

// keptRows are the rows of a kept statement, which can be used again once they are closed.
type keptRows struct {
	sqliteRows
	of *keptStatement
}

type sqliteRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeScanType
}

func (r *keptRows) Close() error {
	r.of.isRead = false
	return r.sqliteRows.Close()
}
