package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"gorm.io/gorm"
)

//go:embed migrations
var migrations embed.FS

// Migrate brings the schema up to date and returns the versions it applied. On PostgreSQL an advisory lock
// keeps replicas that start together from racing. It refuses a schema that is newer than this program.
func (s *Store) Migrate(ctx context.Context) ([]int64, error) {
	if has, knows, err := s.Schema(ctx); err != nil {
		return nil, err
	} else if has > knows {
		return nil, errNewerSchema(has, knows)
	}
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption{goose.WithLogger(goose.NopLogger())}
	if s.Dialect() == "postgres" {
		dialect, options = goose.DialectPostgres, append(options, goose.WithSessionLocker(migrationLock{}))
	}
	dir, err := fs.Sub(migrations, "migrations/"+s.Dialect())
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(dialect, s.pool.sql, dir, options...)
	if err != nil {
		return nil, err
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot migrate the database: %w", err)
	}
	versions := Map(results, func(r *goose.MigrationResult) int64 { return r.Source.Version })
	return versions, nil
}

// Schema returns the version of the database's schema, 0 when it has none, and
// the version that this program brings it to. It writes nothing.
func (s *Store) Schema(ctx context.Context) (has, knows int64, err error) {
	files, err := fs.Glob(migrations, "migrations/"+s.Dialect()+"/*.sql")
	if err != nil {
		return 0, 0, err
	}
	if knows, err = goose.NumericComponent(files[len(files)-1]); err != nil {
		return 0, 0, err
	}
	has, err = s.SchemaVersion(s.Read(ctx))
	return has, knows, err
}

func errNewerSchema(has, knows int64) error {
	return fmt.Errorf("this database was made by a newer Lectern: its schema is version %d, and this program knows %d. "+
		"Run the newer program, or restore a backup from before the upgrade", has, knows)
}

func (s *Store) SchemaVersion(db *gorm.DB) (version int64, err error) {
	table := "SELECT to_regclass('goose_db_version') IS NOT NULL"
	if s.Embedded() {
		table = "SELECT count(*) > 0 FROM sqlite_master WHERE name = 'goose_db_version'"
	}
	var known bool
	if err := db.Raw(table).Scan(&known).Error; err != nil || !known {
		return 0, err
	}
	err = db.Raw("SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&version).Error
	return version, err
}

// migrationLock is the advisory lock of the one process that migrates; the others wait for it. While it is held, no
// statement of a migration is cut short by a timeout.
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

// Migrations returns the embedded files, one folder per dialect.
func Migrations() fs.FS { return migrations }
