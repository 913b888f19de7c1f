package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// attempt runs a command, and returns its standard output and its standard error.
func attempt(t *testing.T, args ...string) (out, said string, err error) {
	t.Helper()
	var printed, beside bytes.Buffer
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(&printed)
	root.SetErr(&beside)
	err = root.ExecuteContext(t.Context())
	return printed.String(), beside.String(), err
}

// lectern runs a command that must succeed, and returns its standard output.
func lectern(t *testing.T, args ...string) string {
	t.Helper()
	out, said, err := attempt(t, args...)
	if err != nil {
		t.Fatalf("lectern %s: %v %s", strings.Join(args, " "), err, said)
	}
	return out
}

// wants reports each part that a text lacks.
func wants(t testing.TB, what, text string, want ...string) {
	t.Helper()
	for _, part := range want {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %s: %s", what, part, text)
		}
	}
}

// hereOf returns the data directory of a fixture on SQLite.
func hereOf(f *modelstest.Fixture) string {
	return filepath.Dir(strings.TrimPrefix(f.Address, "sqlite://"))
}

// refused returns the error of a command, "" for none.
func refused(t *testing.T, args ...string) string {
	t.Helper()
	if _, _, err := attempt(t, args...); err != nil {
		return err.Error()
	}
	return ""
}

func TestACopyOfAnOlderSchemaIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	dir := modelstest.Must(fs.Sub(store.Migrations(), "migrations/sqlite"))(t)
	provider := modelstest.Must(goose.NewProvider(goose.DialectSQLite3, f.SQL, dir))(t)
	modelstest.Must(provider.Down(t.Context()))(t)
	here, there := hereOf(f), t.TempDir()
	file := filepath.Join(t.TempDir(), "copy.db")
	lectern(t, "backup", file, "--data-dir", here)
	lectern(t, "restore", file, "--data-dir", there)
	wants(t, "verify", lectern(t, "verify", "--data-dir", there), `"wrong":0`)
}

func TestAFoldingThatWasCutShortIsFinishedByTheNextCommand(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Café"}))(t)
	modelstest.Exec(t, f.SQL, "UPDATE sessions SET search = title")
	modelstest.Exec(t, f.SQL, "INSERT INTO folding VALUES ('sessions', '')")
	here := hereOf(f)
	lectern(t, "migrate", "--data-dir", here)
	wants(t, "verify", lectern(t, "verify", "--data-dir", here), `"wrong":0`)
}

func TestARestoreKeepsADatabaseThatCannotBeRead(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	here, there := hereOf(f), t.TempDir()
	file := filepath.Join(t.TempDir(), "copy.db")
	lectern(t, "backup", file, "--data-dir", here)
	for _, name := range []string{"lectern.db", "lectern.db-wal"} {
		modelstest.Fine(t, os.WriteFile(filepath.Join(there, name), []byte(strings.Repeat(name, 1000)), 0o600))
	}
	lectern(t, "restore", "--force", file, "--data-dir", there)
	lectern(t, "verify", "--data-dir", there)
	for _, end := range []string{"", "-wal"} {
		kept := modelstest.Must(filepath.Glob(filepath.Join(there, "lectern.db.before-*Z"+end)))(t)
		if len(kept) != 1 || !strings.HasPrefix(string(modelstest.Must(os.ReadFile(kept[0]))(t)), "lectern.db"+end) {
			t.Errorf("kept of lectern.db%s is %v", end, kept)
		}
	}
}
