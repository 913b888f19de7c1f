package store

import (
	"container/list"
	"context"
	"database/sql/driver"
)

// keptStatements is how many statements a connection to SQLite keeps prepared. A few hundred texts make up nearly all,
// and one takes up to some 20 kB.
const keptStatements = 512

// keeper makes connections to SQLite that keep their statements prepared, as pgx does by itself: to parse one takes
// longer than to run most. What database/sql prepares within a transaction ends with it.
type keeper struct{ driver.Connector }

func (k keeper) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &keepingConn{sqliteConn: conn.(sqliteConn), kept: map[string]*keptStatement{}, used: list.New()}, nil
}

// sqliteConn is what the driver's connections can do.
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

// keepingConn is a connection with its statements. One goroutine at a time has it.
type keepingConn struct {
	sqliteConn
	kept map[string]*keptStatement
	used *list.List // of their texts, the last used in front
}

type keptStatement struct {
	sqliteStatement
	isRead bool // rows of it are open
	place  *list.Element
}

type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func (c *keepingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s.isRead {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	return s.ExecContext(ctx, args)
}

func (c *keepingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s.isRead {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.isRead = true
	return &keptRows{rows.(sqliteRows), s}, nil
}

// statement returns the one of a text, and forgets the one that was not used for longest where there are too many.
func (c *keepingConn) statement(ctx context.Context, query string) (*keptStatement, error) {
	if s := c.kept[query]; s != nil {
		c.used.MoveToFront(s.place)
		return s, nil
	}
	made, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s := &keptStatement{sqliteStatement: made.(sqliteStatement), place: c.used.PushFront(query)}
	c.kept[query] = s
	if oldest := c.used.Back(); len(c.kept) > keptStatements && !c.kept[oldest.Value.(string)].isRead {
		forgotten := c.kept[c.used.Remove(oldest).(string)]
		delete(c.kept, oldest.Value.(string))
		if err := forgotten.Close(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (c *keepingConn) Close() error {
	for _, s := range c.kept {
		s.Close() // before the connection, which waits for them otherwise
	}
	return c.sqliteConn.Close()
}

// keptRows are rows of a kept statement, which is free again once they are closed.
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
