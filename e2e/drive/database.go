package drive

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// To make all tables takes a second, and each installation has a database of its own: they are copies of one that the
// binary made, once for all packages.

// copyEmptyFile writes an SQLite database with all tables.
func copyEmptyFile(file string) error {
	template := filepath.Join(cache(), "empty")
	made := filepath.Join(template, "lectern.db")
	err := alone(func() error {
		if isOfBinary(made) {
			return nil
		}
		if err := os.RemoveAll(template); err != nil {
			return err
		}
		return migrate(environment(template))
	})
	if err != nil {
		return err
	}
	content, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}

// isOfBinary tells whether a file was made by the binary as it is.
func isOfBinary(file string) bool {
	made, err := os.Stat(file)
	if err != nil {
		return false
	}
	built, err := os.Stat(Binary)
	return err == nil && made.ModTime().After(built.ModTime())
}

func migrate(env []string) error {
	cmd := exec.Command(Binary, "migrate")
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("lectern migrate: %w: %s", err, out)
	}
	return nil
}

var databases atomic.Int32

// Postgres makes a database with all tables and nothing in them, and returns its address.
func Postgres(t *testing.T) string {
	t.Helper()
	template, err := emptyDatabase()
	if err != nil {
		t.Fatal(err)
	}
	return createDatabase(t, " TEMPLATE "+template+" STRATEGY wal_log")
}

// BarePostgres makes a database without tables, and returns its address.
func BarePostgres(t *testing.T) string { return createDatabase(t, "") }

// createDatabase makes a database that goes with the test.
func createDatabase(t *testing.T, as string) string {
	t.Helper()
	name := fmt.Sprintf("lectern_e2e_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := psql("CREATE DATABASE " + name + as); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := psql("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return addressOf(name)
}

// emptyDatabase is the name of the database that others are copies of.
func emptyDatabase() (name string, err error) {
	built, err := os.Stat(Binary)
	if err != nil {
		return "", err
	}
	name = fmt.Sprintf("lectern_e2e_of_%x", built.ModTime().UnixNano())
	return name, alone(func() error {
		if is, err := psql("SELECT 1 FROM pg_database WHERE datname = '" + name + "'"); err != nil || is != "" {
			return err
		}
		making := name + "_making"
		if _, err := psql("DROP DATABASE IF EXISTS " + making); err != nil {
			return err
		}
		if _, err := psql("CREATE DATABASE " + making); err != nil {
			return err
		}
		data, err := os.MkdirTemp("", "lectern-e2e")
		if err != nil {
			return err
		}
		defer os.RemoveAll(data)
		if err := migrate(append(environment(data), "LECTERN_DATABASE_URL="+addressOf(making))); err != nil {
			return err
		}
		_, err = psql("ALTER DATABASE " + making + " RENAME TO " + name)
		return err
	})
}

// psql has the server of the tests run a statement, and returns what it said.
func psql(statement string) (string, error) {
	address := os.Getenv("LECTERN_TEST_POSTGRES")
	if address == "" {
		return "", fmt.Errorf("this test needs PostgreSQL: run `make test`, or scripts/with-postgres.sh go test …")
	}
	out, err := exec.Command("psql", "-qAtd", address, "-c", statement).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", statement, err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

func addressOf(database string) string {
	u, err := url.Parse(os.Getenv("LECTERN_TEST_POSTGRES"))
	if err != nil {
		return ""
	}
	u.Path = "/" + database
	return u.String()
}
