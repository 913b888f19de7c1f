package models

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrations embed.FS

// Migrate brings the schema up to date and returns the versions it applied. On
// PostgreSQL an advisory lock keeps replicas that start together from racing.
func (s *Store) Migrate(ctx context.Context) ([]int64, error) {
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption{goose.WithLogger(goose.NopLogger())}
	if s.Dialect() == "postgres" {
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return nil, err
		}
		dialect, options = goose.DialectPostgres, append(options, goose.WithSessionLocker(locker))
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

// Migrations are the embedded files, one folder a dialect.
func Migrations() fs.FS { return migrations }
