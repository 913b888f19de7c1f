// Package store is the base of the programme's packages: the database with its transactions, clock and caches, errors,
// texts, secrets, activity and the security log. It knows nothing of conferences.
package store

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libtnb/sqlite"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"lectern/models/files"
)

// Options are what a store needs besides its database.
type Options struct {
	// BaseURL is the public address without a trailing slash; admin_url starts with it.
	BaseURL string
	// SecretKey is 32 bytes that encrypt stored secrets which must be read again: those of webhooks and second factors.
	SecretKey []byte
	// Connections is how many connections to PostgreSQL are open at most; DatabaseConnections when 0.
	Connections int
	// Pool, when set, is used instead of connections of its own, and Close leaves it open. Tests use one for one database
	// after the other: a connection that knows its tables and statements saves half of their time.
	Pool *Pool
	// PasswordMemory is the memory in KiB that hashing a password takes; the constant of that name when 0. Tests that
	// sign in a hundred times set less.
	PasswordMemory uint32
	// BriefWait is how long a transaction that called Tx.WaitBriefly waits for a lock of another one; the constant of
	// that name when 0.
	BriefWait time.Duration
	// QuickSQLite commits without waiting for the disk: a power cut may lose acknowledged changes, a killed process loses
	// none.
	QuickSQLite bool
	// HasMail reports whether letters are sent, so that people are notified of changes.
	HasMail bool
	// Version is that of the program, which other processes see in Processes.
	Version string
	// Files is where the bytes of files are kept; nil where no files can be kept.
	Files files.Storage
	// Now is the clock; time.Now when nil.
	Now func() time.Time
	// Log takes the lines of the security log; slog.Default() when nil.
	Log *slog.Logger
	// OnSQL, when set, is called with each statement and its placeholders.
	OnSQL func(statement string)
	// Committed, when set, is called after a transaction that recorded emissions.
	Committed func()
}

// Store is the database and what every package on top needs: transactions, one clock, the options, and the security
// log.
type Store struct {
	db      *gorm.DB
	pool    *Pool
	Options Options
	bounds  bounds
	access  accessLines
	writer  chan struct{} // lets one goroutine write to SQLite; nil for PostgreSQL
	took    atomic.Pointer[func(time.Duration)]
	traced  atomic.Pointer[Traced]
	kept    sync.Map // by type, see Kept
}

// Open connects to the database at address.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	s := &Store{Options: options}
	if s.Options.Now == nil {
		s.Options.Now = time.Now
	}
	if s.Options.Committed == nil {
		s.Options.Committed = func() {}
	}
	s.pool = options.Pool
	if s.pool == nil {
		var err error
		if s.pool, err = OpenPool(ctx, address, options); err != nil {
			return nil, err
		}
	}
	var dialector gorm.Dialector = postgres.New(postgres.Config{Conn: s.pool.sql})
	if s.pool.servers == nil {
		dialector = sqlite.Dialector{DriverName: "sqlite", Conn: s.pool.sql}
		s.writer = make(chan struct{}, 1)
	}
	var err error
	s.db, err = gorm.Open(dialector, &gorm.Config{
		SkipDefaultTransaction: true,
		Logger:                 statementLogger{logger.Discard, options.OnSQL, &s.took, &s.traced},
		NowFunc:                func() time.Time { return s.Now().Time },
	})
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("cannot open the database: %w", err)
	}
	return s, nil
}

// Close ends all connections but those of Options.Pool, within two seconds also when the server hangs.
func (s *Store) Close() error {
	if s.Options.Pool != nil {
		return nil
	}
	return s.pool.Close()
}

// Stats returns the connection pool's numbers, for metrics.
func (s *Store) Stats() sql.DBStats { return s.pool.sql.Stats() }

// Analyze refreshes the planner's statistics, of all tables or of some, after a bulk load.
func (s *Store) Analyze(ctx context.Context, tables ...string) error {
	statement := "PRAGMA analysis_limit = 1000; ANALYZE" // samples each index briefly, because others wait to write
	if !s.Embedded() {
		// VACUUM lets counts read the index alone, once its pages are known to be visible to all.
		statement = "VACUUM ANALYZE " + strings.Join(tables, ", ")
	}
	_, err := s.pool.sql.ExecContext(ctx, statement)
	return err
}

// analyzeTime is how long AnalyzeNow takes at most: shutdown waits for it.
const analyzeTime = 5 * time.Second

// AnalyzeNow is Analyze on PostgreSQL after an import: autovacuum does it within a minute, and until then the planner
// takes the tables for small. What was imported stays, so a failure is only logged, and the end of ctx does not stop
// it.
func (s *Store) AnalyzeNow(ctx context.Context, tables ...string) {
	if s.Embedded() {
		return
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), analyzeTime)
	defer end()
	if err := s.Analyze(ctx, tables...); err != nil {
		slog.WarnContext(ctx, "cannot analyze the tables of an import", "error", err.Error())
	}
}

// SQL returns the pool of connections, for what gorm cannot express.
func (s *Store) SQL() *sql.DB { return s.pool.sql }

// Embedded reports whether the database is SQLite.
func (s *Store) Embedded() bool { return s.writer != nil }

// Dialect returns "sqlite" or "postgres".
func (s *Store) Dialect() string { return s.db.Name() }

func (s *Store) Now() Time { return At(s.Options.Now()) }

// By says who acts, and through which interface; it is recorded in the activity.
type By struct {
	Door      string // api, admin, cli, import or call
	ActorID   string
	ActorName string
	RequestID string
	Address   string // of the network, "" when unknown; kept for security events only
}
