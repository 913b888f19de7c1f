package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm/clause"
)

// DatabaseConnections is how many connections to PostgreSQL a process holds at
// most, when Options say nothing else.
const DatabaseConnections = 20

const (
	// connectTime bounds the making of a connection, per server.
	connectTime = 3 * time.Second
	// A connection whose other end is gone leaves the pool after about 11 s.
	aliveIdle, aliveEach, aliveTries = 5 * time.Second, 2 * time.Second, 3
)

// openPostgres connects to the PostgreSQL at address, by as many connections at most as options say.
func openPostgres(ctx context.Context, address string, options Options) (*Pool, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the database address is not usable: %w", err)
	}
	setDefault(config.RuntimeParams, "application_name", options.processMark())
	setDefault(config.RuntimeParams, "timezone", "UTC")
	setDefault(config.RuntimeParams, "statement_timeout", "15000")
	// A process stopped in the middle of a transaction loses its locks.
	setDefault(config.RuntimeParams, "idle_in_transaction_session_timeout", "10000")
	// Today's disks seek as fast as they scan; the default, made for spinning ones,
	// makes the planner read whole tables for the participants of one page.
	setDefault(config.RuntimeParams, "random_page_cost", "1.1")
	// Our statements take milliseconds; without statistics the planner overestimates their cost and spends seconds
	// compiling them.
	setDefault(config.RuntimeParams, "jit", "off")
	alive := net.KeepAliveConfig{Enable: true, Idle: aliveIdle, Interval: aliveEach, Count: aliveTries}
	dialer := &net.Dialer{KeepAliveConfig: alive}
	config.DialFunc = dialer.DialContext
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTime
	}
	servers := newServers(config)
	if len(servers.each) > 1 {
		servers.survey(ctx)
	}
	servers.guard(config)
	db := sql.OpenDB(gatherer{stdlib.GetConnector(*config, stdlib.OptionBeforeConnect(servers.prefer))})
	connections := cmp.Or(options.Connections, DatabaseConnections)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	db.SetConnMaxIdleTime(5 * time.Minute)
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("cannot reach the database: %w", redact(err, config.Password))
	}
	return &Pool{db, servers}, nil
}

func setDefault(m map[string]string, key, value string) {
	if m[key] == "" {
		m[key] = value
	}
}

// redact keeps the password of the database out of messages and logs.
func redact(err error, password string) error {
	if password == "" || !strings.Contains(err.Error(), password) {
		return err
	}
	return &redacted{err, strings.ReplaceAll(err.Error(), password, "…")}
}

type redacted struct {
	error
	text string
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.error }

// Pool is a pool of connections to a database.
type Pool struct {
	sql     *sql.DB
	servers *servers // nil with SQLite
}

// closeTime is how long the servers may take to end connections properly, before Close cuts them.
const closeTime = time.Second

// OpenPool connects to the database at address.
func OpenPool(ctx context.Context, address string, options Options) (*Pool, error) {
	switch scheme, rest, _ := strings.Cut(address, "://"); scheme {
	case "sqlite":
		return openSQLite(rest, options.QuickSQLite)
	case "postgres", "postgresql":
		return openPostgres(ctx, address, options)
	default:
		return nil, fmt.Errorf("the database address must start with sqlite:// or postgres://")
	}
}

// Close ends all connections, within two seconds also when the server hangs.
func (p *Pool) Close() error {
	if p.servers != nil {
		defer time.AfterFunc(closeTime, p.servers.cut).Stop()
	}
	return p.sql.Close()
}

// probe is the one row that Ready writes, over and over.
type probe struct {
	ID        int
	WrittenAt Time
}

// Ready reports whether the database answers and takes changes, by making one. It returns Unavailable when it does not.
func (s *Store) Ready(ctx context.Context) error {
	return s.Write(ctx, func(tx *Tx) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&probe{1, tx.Now}).Error
	})
}
