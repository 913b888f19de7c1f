// Package modelstest opens real, empty databases for tests, on both engines, and fills them.
package modelstest

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// PostgresVariable is the environment variable with the address of a PostgreSQL server on which tests may make
// databases; scripts/with-postgres.sh sets it.
const PostgresVariable = "LECTERN_TEST_POSTGRES"

// Dialects are both engines.
var Dialects = []string{"sqlite", "postgres"}

// BaseURL is the public address of the stores under test.
const BaseURL = "https://lectern.test"

// Fixture is a store on a database of its own, with two conferences of one
// organization: Event is the one under test, Other holds data that could leak.
type Fixture struct {
	*models.Store
	Address   string // of the database
	Event     *models.Event
	Other     *models.Event
	Clock     *Clock
	Committed atomic.Int32 // transactions that recorded emissions
	Statement Counter
	SQL       *sql.DB // for direct access
	Log       *Log    // lines of the security log
	emitted   int64   // the last emission that Emitted returned
}

// Programme returns the programme of the event under test, for an organizer of all events.
func (f *Fixture) Programme() *models.Programme { return f.programme(f.Event) }

// Elsewhere returns the programme of the other event.
func (f *Fixture) Elsewhere() *models.Programme { return f.programme(f.Other) }

// programme reads the event again, because a handle is as old as its event.
func (f *Fixture) programme(event *models.Event) *models.Programme {
	event, err := f.EventBy(context.Background(), event.ID)
	if err != nil {
		panic(err)
	}
	return f.Store.Programme(event, Tester).Reaching(models.Everybody)
}

// Tester is the actor in tests.
var Tester = store.By{Door: "api", ActorID: "key", ActorName: "Test key", RequestID: "request"}

// Clock is a clock that moves only when told to.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the clock's time.
func (c *Clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

// Move advances the clock by d.
func (c *Clock) Move(d time.Duration) { c.mu.Lock(); c.now = c.now.Add(d); c.mu.Unlock() }

// Counter counts SQL statements.
type Counter struct {
	mu         sync.Mutex
	statements []string
	watch      func(string)
}

func (c *Counter) add(s string) {
	c.mu.Lock()
	c.statements = append(c.statements, s)
	watch := c.watch
	c.mu.Unlock()
	if watch != nil {
		watch(s)
	}
}

// Watch calls f with each statement that ran, until stop is called.
func (c *Counter) Watch(f func(statement string)) (stop func()) {
	set := func(f func(string)) { c.mu.Lock(); c.watch = f; c.mu.Unlock() }
	set(f)
	return func() { set(nil) }
}

// During returns the statements that ran while f did.
func (c *Counter) During(f func()) []string {
	c.mu.Lock()
	c.statements = nil
	c.mu.Unlock()
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.statements
}

// Engines returns the engines that most tests run on: both, but only PostgreSQL under the race detector, which watches
// our Go code and not the engines'; that halves its time.
func Engines() []string {
	if watched {
		return Dialects[1:]
	}
	return Dialects
}

// OtherEngine returns the engine that the fixture is not on.
func (f *Fixture) OtherEngine() string {
	if f.Embedded() {
		return Dialects[1]
	}
	return Dialects[0]
}

// Each runs test on all Engines, in parallel, each on an empty database.
func Each(t *testing.T, test func(t *testing.T, f *Fixture)) {
	t.Helper()
	each(t, Open, test)
}

// EachAlone is Each on databases that no other test uses before or after, for tests that close the store or end its
// connections.
func EachAlone(t *testing.T, test func(t *testing.T, f *Fixture)) {
	t.Helper()
	each(t, func(t testing.TB, dialect string) *Fixture { return OpenAt(t, Database(t, dialect)) }, test)
}

func each(t *testing.T, open func(testing.TB, string) *Fixture, test func(*testing.T, *Fixture)) {
	t.Helper()
	t.Parallel()
	for _, dialect := range Engines() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			test(t, open(t, dialect))
		})
	}
}

// InTurn skips a test under the race detector: one that does much in a single goroutine, where there is nothing to find
// and each step takes ten times as long.
func InTurn(t *testing.T) {
	t.Helper()
	if watched {
		t.Skip("does one thing after another")
	}
}

// Open returns a fixture on an empty database of the dialect.
func Open(t testing.TB, dialect string) *Fixture {
	t.Helper()
	l := lend(t, dialect)
	return openBy(t, l.address, l.pool, l.db)
}

// Database makes a migrated, empty database that is dropped with the test, and returns its address.
func Database(t testing.TB, dialect string) string {
	t.Helper()
	if dialect == "postgres" {
		return postgresDatabase(t, Must(postgresTemplate())(t))
	}
	return sqliteDatabase(t)
}

// EmptyDatabase makes a database without a schema that is dropped with the test, and returns its address.
func EmptyDatabase(t testing.TB, dialect string) string {
	t.Helper()
	if dialect == "postgres" {
		return postgresDatabase(t, "template1") // PostgreSQL's own
	}
	return "sqlite://" + filepath.Join(t.TempDir(), "lectern.db")
}

// OpenAt returns a fixture on the database at address.
func OpenAt(t testing.TB, address string) *Fixture {
	t.Helper()
	return openBy(t, address, nil, direct(t, address))
}

func openBy(t testing.TB, address string, pool *store.Pool, beside *sql.DB) *Fixture {
	t.Helper()
	ctx := context.Background()
	f := &Fixture{Address: address, SQL: beside, Clock: &Clock{now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)}, Log: &Log{}}
	keeps := options(f)
	keeps.Pool = pool
	keeps.Files = files.NewDisk(filepath.Join(dirOf(t, address), "files"))
	f.Store = Must(models.Open(ctx, address, keeps))(t)
	t.Cleanup(func() { f.Store.Close() })
	f.Event = Must(f.CreateEvent(ctx, models.NewEvent{Name: "Conference", Slug: "conf", Timezone: "Europe/Brussels"}))(t)
	f.Other = Must(f.CreateEvent(ctx, models.NewEvent{Name: "Another", Slug: "other", Timezone: "Asia/Tokyo"}))(t)
	return f
}

// dirOf returns the directory of an SQLite database, where commands keep files too; a temporary one for PostgreSQL.
func dirOf(t testing.TB, address string) string {
	file, embedded := strings.CutPrefix(address, "sqlite://")
	if !embedded {
		return t.TempDir()
	}
	return filepath.Dir(file)
}

func options(f *Fixture) store.Options {
	return store.Options{
		BaseURL: BaseURL, SecretKey: make([]byte, store.SecretKeySize), PasswordMemory: 64, Now: f.Clock.Now,
		OnSQL:     f.Statement.add,
		BriefWait: time.Minute, // tests run much at once, and a deadlock must show as one
		Committed: func() { f.Committed.Add(1) }, Log: slog.New(f.Log), QuickSQLite: true,
	}
}

// Must fails the test when an operation fails: modelstest.Must(op())(t).
func Must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// sqliteTemplate is the content of a migrated, empty database. It is cached by schema for the tests of other packages
// too, because making it takes most of a second.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	kept := keptAs("template") + ".db"
	if template, err := os.ReadFile(kept); err == nil {
		return template, nil
	}
	dir, err := os.MkdirTemp("", "lectern-template")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "template.db")
	if err := migrate("sqlite://" + file); err != nil {
		return nil, err
	}
	template, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return template, os.Rename(file, kept) // atomic, as others may do the same
})

// keptAs returns the path of a cached file shared by test processes of one user.
func keptAs(what string) string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("lectern-%s-%d-%s", what, os.Getuid(), schemaHash()))
}

func sqliteDatabase(t testing.TB) string {
	template := Must(sqliteTemplate())(t)
	file := filepath.Join(t.TempDir(), "lectern.db")
	Fine(t, os.WriteFile(file, template, 0o600))
	return "sqlite://" + file
}

func migrate(address string) error {
	store, err := models.Open(context.Background(), address, store.Options{QuickSQLite: true})
	if err != nil {
		return err
	}
	defer store.Close()
	_, err = store.Migrate(context.Background())
	return err
}
