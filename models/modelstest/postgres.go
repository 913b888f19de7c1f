package modelstest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"lectern/models"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that makes and drops databases

	"lectern/models/store"
)

// server returns the connection on which databases are made and dropped.
var server = sync.OnceValues(func() (*sql.DB, error) {
	address := os.Getenv(PostgresVariable)
	if address == "" {
		return nil, fmt.Errorf("these tests need PostgreSQL: run `make test`, or scripts/with-postgres.sh go test …")
	}
	return sql.Open("pgx", address)
})

// postgresTemplate makes one database per schema, shared by the tests of all packages, and returns its name.
var postgresTemplate = sync.OnceValues(func() (string, error) {
	db, err := server()
	if err != nil {
		return "", err
	}
	name := "lectern_template_" + schemaHash()
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(74017)"); err != nil {
		return "", err
	}
	defer conn.ExecContext(ctx, "SELECT pg_advisory_unlock(74017)")
	var ready bool
	if err := conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).
		Scan(&ready); err != nil || ready {
		return name, err
	}
	for _, statement := range []string{"DROP DATABASE IF EXISTS ", "CREATE DATABASE "} { // drops a half-made one
		if _, err := conn.ExecContext(ctx, statement+name+"_making"); err != nil {
			return "", err
		}
	}
	if err := migrate(addressOf(name + "_making")); err != nil {
		return "", err
	}
	_, err = conn.ExecContext(ctx, "ALTER DATABASE "+name+"_making RENAME TO "+name)
	return name, err
})

func schemaHash() string {
	hash := sha256.New()
	fs.WalkDir(store.Migrations(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, _ := fs.ReadFile(store.Migrations(), path)
			hash.Write([]byte(path))
			hash.Write(b)
		}
		return err
	})
	return hex.EncodeToString(hash.Sum(nil))[:12]
}

var databases atomic.Int64

// postgresDatabase makes a database that is dropped at the end of the test, as a copy of a template.
func postgresDatabase(t testing.TB, template string) string {
	t.Helper()
	sweep()
	db, name := Must(server())(t), fmt.Sprintf("lectern_test_%d_%d", os.Getpid(), databases.Add(1))
	Fine(t, copyTemplate(db, template, name))
	t.Cleanup(func() { db.Exec("DROP DATABASE " + name + " WITH (FORCE)") })
	return addressOf(name)
}

// copyTemplate makes a database by logging its pages (wal_log): copying files takes two checkpoints and twice the time.
func copyTemplate(db *sql.DB, template, name string) error {
	_, err := db.Exec("CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY wal_log")
	return err
}

// sweep drops the databases of test processes that are gone.
var sweep = sync.OnceFunc(func() {
	db, err := server()
	if err != nil {
		return
	}
	rows, err := db.Query("SELECT datname FROM pg_database WHERE datname LIKE 'lectern\\_test\\_%'")
	if err != nil {
		return
	}
	defer rows.Close()
	var gone []string
	for rows.Next() {
		var name string
		var pid, number int
		if rows.Scan(&name) == nil {
			if n, _ := fmt.Sscanf(name, "lectern_test_%d_%d", &pid, &number); n == 2 && syscall.Kill(pid, 0) == syscall.ESRCH {
				gone = append(gone, name)
			}
		}
	}
	if rows.Err() != nil {
		return
	}
	for _, name := range gone {
		db.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
	}
})

func addressOf(database string) string {
	u, err := url.Parse(os.Getenv(PostgresVariable))
	if err != nil {
		return ""
	}
	u.Path = "/" + strings.TrimPrefix(database, "/")
	return u.String()
}

// databaseOf returns the name of the database at an address.
func databaseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Path, "/")
}

// Replica returns a fixture for another process on the same database.
func Replica(t testing.TB, f *Fixture) *Fixture {
	t.Helper()
	store := Must(models.Open(context.Background(), f.Address, options(f)))(t)
	t.Cleanup(func() { store.Close() })
	return &Fixture{Store: store, Address: f.Address, Event: f.Event, Other: f.Other, Clock: f.Clock, SQL: f.SQL}
}
