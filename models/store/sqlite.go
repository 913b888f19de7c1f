package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"

	"modernc.org/sqlite"
)

func openSQLite(path string, quick bool) (*Pool, error) {
	if path == "" {
		return nil, fmt.Errorf("the database address must name a file: sqlite:///path/file.db")
	}
	sync := "synchronous(2)" // FULL
	if quick {
		sync = "synchronous(1)"
	}
	// secure_delete overwrites deleted rows, so that the file keeps nothing of people who were erased. Without
	// _txlock=immediate, a transaction that reads first fails when another one writes meanwhile, whatever the busy
	// timeout.
	pragmas := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"journal_mode(WAL)", "busy_timeout(5000)", sync, "foreign_keys(1)", "cache_size(-8000)", "secure_delete(1)",
	}}
	connector, err := sqlite.NewConnector(sqliteAddress(path) + "?" + pragmas.Encode())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(keeper{connector})
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	return &Pool{sql: db}, nil
}

func sqliteAddress(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// CopyTo writes a compact copy of an SQLite database, without a WAL file.
func (s *Store) CopyTo(ctx context.Context, file string) error {
	if _, err := s.pool.sql.ExecContext(ctx, "VACUUM INTO ?", file); err != nil {
		return fmt.Errorf("cannot copy the database: %w", err)
	}
	return nil
}

// OpenCopy opens a copy that nobody else uses yet, and leaves no other file beside it.
func OpenCopy(file string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", sqliteAddress(file)+"?_pragma=journal_mode(delete)&_pragma=synchronous(2)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// HaveAlone merges the WAL into an SQLite file and keeps others out of it until release is called. It answers
// Unavailable while somebody has the database open, and another error for one that cannot be read.
func HaveAlone(ctx context.Context, file string) (release func() error, err error) {
	if err := readable(ctx, file); err != nil {
		return nil, err
	}
	db, err := OpenCopy(file)
	if err != nil {
		return nil, err
	}
	if _, err = db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db.Close, nil
}

// readable returns an error for a file that is no database, or a damaged one. It opens the file read-only, because
// opening it for writing would remove its WAL.
func readable(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", sqliteAddress(file)+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "SELECT count(*) FROM sqlite_master")
	e, found := errors.AsType[sqliteError](err)
	if found && (e.Code()&0xff == 11 || e.Code()&0xff == 26) { // corrupt, not a database
		return err
	}
	return nil
}

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
