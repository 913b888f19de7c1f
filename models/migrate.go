package models

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// Migrate brings the schema up to date and returns the versions it applied. On
// PostgreSQL an advisory lock keeps replicas that start together from racing.
func (s *Store) Migrate(ctx context.Context) ([]int64, error) {
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption{goose.WithLogger(goose.NopLogger())}
	if s.Dialect() == "postgres" {
		dialect, options = goose.DialectPostgres, append(options, goose.WithSessionLocker(migrationLock{}))
	}
	dir, err := fs.Sub(migrations, "migrations/"+s.Dialect())
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(dialect, s.sql, dir, options...)
	if err != nil {
		return nil, err
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot migrate the database: %w", err)
	}
	versions := make([]int64, len(results))
	for i, r := range results {
		versions[i] = r.Source.Version
	}
	return versions, nil
}

// migrationLock is the advisory lock of the one process that migrates; the
// others wait for it. No statement of a migration is cut short meanwhile.
type migrationLock struct{}

const migrationLockID = 7201935

func (migrationLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "SET statement_timeout = 0"); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", migrationLockID)
	return err
}

func (migrationLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", migrationLockID); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx, "RESET statement_timeout")
	return err
}

// Migrations are the embedded files, one folder a dialect.
func Migrations() fs.FS { return migrations }
