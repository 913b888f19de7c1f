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

// Later is the transaction for statements whose answer nobody reads: PostgreSQL is sent them together with the next one
// that somebody waits for, or with the commit, which saves a round trip for each. All are made in their order. What is
// wrong with one is answered by what it is sent with, so by Write at the latest, and takes all back. Neither how many
// rows were changed nor a generated id is known. With SQLite there is no way to save.
func (tx *Tx) Later() *gorm.DB {
	if tx.Store.Embedded() {
		return tx.DB
	}
	return tx.WithContext(context.WithValue(tx.Statement.Context, laterKey{}, true))
}

type laterKey struct{}

// mostLater is how many statements are kept before they are sent by themselves: a long transaction writes many.
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

// gatheringConn keeps the statements of a transaction that are made later, and the queries of EachRows that wait for
// the last.
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

// keep gathers a statement with its values as they are now.
func (c *gatheringConn) keep(query string, args []driver.NamedValue) {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = arg.Value
		if plain, err := driver.DefaultParameterConverter.ConvertValue(arg.Value); err == nil {
			values[i] = plain // what a pointer leads to may change
		}
	}
	c.later.Queue(query, values...)
}

// send makes all that was gathered, until something is wrong, and answers what became of the last.
func (c *gatheringConn) send(ctx context.Context) (last pgconn.CommandTag, err error) {
	if c.later.Len() == 0 {
		return last, nil
	}
	last, _, err = c.sendAll(ctx)
	return last, err
}

// sendAll is send that also answers how many statements were made.
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

// gatheringTx commits together with what was gathered.
type gatheringTx struct {
	driver.Tx
	ctx  context.Context
	conn *gatheringConn
}

// Commit has a moment more than the rest of the transaction, so that a deadline rarely cuts short what was sent
// already. It answers a *cutShort where the server may have made it although it did not say so.
func (t *gatheringTx) Commit() error {
	t.conn.inTx, t.conn.waiting = false, pgx.Batch{} // nothing waits that was not asked for
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
		return pgx.ErrTxCommitRollback // as pgx answers
	}
	if err == nil {
		return nil
	}
	t.Tx.Rollback() // closes a connection that is in no state to go on
	_, said := errors.AsType[*pgconn.PgError](err)
	if said && made < before || !isEnded(err) { // pgconn.SafeToRetry takes what broke after it was sent for unsent
		return err // what came before it failed, or it was refused
	}
	return &cutShort{err}
}

// commitGrace is how much longer than its transaction a commit may take. It ends before the process does.
const commitGrace = time.Second

// outlasting is a context that ends commitGrace after ctx.
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

// noRows are those of a statement that is made later, or whose rows were scanned.
type noRows struct{}

func (noRows) Columns() []string         { return nil }
func (noRows) Close() error              { return nil }
func (noRows) Next([]driver.Value) error { return io.EOF }
