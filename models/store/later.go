package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// Later returns the transaction for statements whose result nobody reads: PostgreSQL gets them in one batch with the
// next statement that somebody waits for, or with the commit, which saves round trips. They run in order. The error of
// one is returned by the call that sends it, by Write at the latest, and rolls everything back. Neither the number of
// changed rows nor a generated id is known. With SQLite, Later saves nothing.
func (tx *Tx) Later() *gorm.DB {
	if tx.Store.Embedded() {
		return tx.DB
	}
	return tx.WithContext(context.WithValue(tx.Statement.Context, laterKey{}, true))
}

type laterKey struct{}

// mostLater is how many statements are gathered before they are sent by themselves: a long transaction has many.
const mostLater = 64

// gatherer makes connections that gather statements.
type gatherer struct{ driver.Connector }

func (g gatherer) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := g.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &gatheringConn{stdlibConn: conn.(*stdlib.Conn)}, nil
}

type stdlibConn = stdlib.Conn

// gatheringConn gathers the statements of a transaction that are sent later, and the queries of EachRows that wait for
// the last one.
type gatheringConn struct {
	*stdlibConn
	inTx           bool
	later, waiting pgx.Batch
}

func (c *gatheringConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	tx, err := c.stdlibConn.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	c.inTx, c.later, c.waiting = true, pgx.Batch{}, pgx.Batch{}
	return &gatheringTx{tx, ctx, c}, nil
}

func (c *gatheringConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	isLater := c.isLater(ctx)
	if !isLater && c.later.Len() == 0 {
		return c.stdlibConn.ExecContext(ctx, query, args)
	}
	c.keep(query, args)
	if isLater && c.later.Len() < mostLater {
		return driver.RowsAffected(0), nil
	}
	last, err := c.send(ctx)
	return driver.RowsAffected(last.RowsAffected()), err
}

func (c *gatheringConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.isLater(ctx) {
		_, err := c.ExecContext(ctx, query, args)
		return noRows{}, err
	}
	if _, err := c.send(ctx); err != nil {
		return nil, err
	}
	if how, isScanned := ctx.Value(askedKey{}).(asked); isScanned {
		return noRows{}, c.scan(ctx, how, query, args)
	}
	return c.stdlibConn.QueryContext(ctx, query, args)
}

func (c *gatheringConn) isLater(ctx context.Context) bool {
	return c.inTx && ctx.Value(laterKey{}) != nil
}

// keep gathers a statement, with its values copied as they are now.
func (c *gatheringConn) keep(query string, args []driver.NamedValue) {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = arg.Value
		if plain, err := driver.DefaultParameterConverter.ConvertValue(arg.Value); err == nil {
			values[i] = plain // the target of a pointer may change before the statement is sent
		}
	}
	c.later.Queue(query, values...)
}

// send sends all gathered statements, up to the first error, and returns the tag of the last one.
func (c *gatheringConn) send(ctx context.Context) (last pgconn.CommandTag, err error) {
	if c.later.Len() == 0 {
		return last, nil
	}
	last, _, err = c.sendAll(ctx)
	return last, err
}

// sendAll is send, and also returns how many statements were executed.
func (c *gatheringConn) sendAll(ctx context.Context) (last pgconn.CommandTag, made int, err error) {
	batch := c.later
	c.later = pgx.Batch{}
	results := c.Conn().SendBatch(ctx, &batch)
	for err == nil && made < batch.Len() {
		if last, err = results.Exec(); err == nil {
			made++
		}
	}
	if end := results.Close(); err == nil {
		err = end
	}
	return last, made, err
}

// gatheringTx commits in one batch with what was gathered.
type gatheringTx struct {
	driver.Tx
	ctx  context.Context
	conn *gatheringConn
}

// Commit has a moment longer than the rest of the transaction, so that a deadline rarely interrupts what was already
// sent. It returns a *cutShort where the server may have committed without confirming it.
func (t *gatheringTx) Commit() error {
	t.conn.inTx, t.conn.waiting = false, pgx.Batch{} // drop queries of EachRows that were never sent
	if t.conn.Conn().IsClosed() {
		return driver.ErrBadConn
	}
	ctx, end := outlasting(t.ctx)
	defer end()
	var tag pgconn.CommandTag
	var err error
	before, made := t.conn.later.Len(), 0
	if before == 0 {
		tag, err = t.conn.Conn().Exec(ctx, "commit")
	} else {
		t.conn.later.Queue("commit")
		tag, made, err = t.conn.sendAll(ctx)
	}
	if err == nil && tag.String() == "ROLLBACK" {
		return pgx.ErrTxCommitRollback // as pgx does
	}
	if err == nil {
		return nil
	}
	t.Tx.Rollback() // closes a connection that cannot go on in its present state
	_, said := errors.AsType[*pgconn.PgError](err)
	if said && made < before || !isEnded(err) { // pgconn.SafeToRetry also counts as unsent what broke after sending
		return err // an earlier statement failed, or the commit was refused
	}
	return &cutShort{err}
}

// commitGrace is how much longer than its transaction a commit may take. It is shorter than the process's shutdown.
const commitGrace = time.Second

// outlasting returns a context that ends commitGrace after ctx.
func outlasting(ctx context.Context) (context.Context, context.CancelFunc) {
	lasting, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(commitGrace, end) })
	return lasting, func() {
		stop()
		end()
	}
}

func (t *gatheringTx) Rollback() error {
	t.conn.inTx, t.conn.later, t.conn.waiting = false, pgx.Batch{}, pgx.Batch{}
	return t.Tx.Rollback()
}

// noRows stands for the rows of a statement that is sent later, or whose rows were scanned already.
type noRows struct{}

func (noRows) Columns() []string         { return nil }
func (noRows) Close() error              { return nil }
func (noRows) Next([]driver.Value) error { return io.EOF }
