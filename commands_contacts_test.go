package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lectern/models/csv"
	"lectern/models/modelstest"
)

func TestAnImportOfPeopleSaysWhichFileIsMissingAndMakesNoDatabase(t *testing.T) {
	t.Parallel()
	here := filepath.Join(t.TempDir(), "mistyped")
	people := filepath.Join(t.TempDir(), "people.csv")
	modelstest.Fine(t, os.WriteFile(people, []byte("Name,Email\nAda,ada@example.org\n"), 0o600))
	for file, want := range map[string]string{"/nofile.csv": "open /nofile.csv: no such file", people: "there is no database at " + here} {
		_, _, err := attempt(t, "contacts", "import", file, "--event", "conf", "--data-dir", here)
		if err == nil || !strings.HasPrefix(inWords(err, false), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := os.Stat(here); err == nil {
		t.Error("a directory was made")
	}
}

// TestPeopleComeFromAPipe imports from a pipe, which cannot be read twice and may have no end. The rows that fail are
// written to a file, corrected and imported again.
func TestPeopleComeFromAPipe(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		pipe, failed := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "failed.csv")
		bring := func(content []byte) string {
			t.Helper()
			os.Remove(pipe)
			modelstest.Fine(t, syscall.Mkfifo(pipe, 0o600))
			go os.WriteFile(pipe, content, 0o600)
			out, _, err := attempt(t, "contacts", "import", pipe, "--event", f.Event.Slug, "--failed", failed, "--database-url",
				f.Address, "--data-dir", filepath.Dir(pipe))
			if err != nil {
				return err.Error()
			}
			return out
		}
		said := bring([]byte("Name,Email\nAda,ada@example.org\nBob,bob\n"))
		wants(t, "the first file", said, `"created":1`, `"failed":1`)
		rows := modelstest.Must(os.ReadFile(failed))(t)
		said = bring(bytes.Replace(rows, []byte("Bob,bob,"), []byte("Bob,bob@example.org,"), 1))
		wants(t, "what failed, brought again", said, `"rows":1,"created":1`)
		wants(t, "a large file", bring(bytes.Repeat([]byte("a,b\n"), csv.MaxBytes/3)), "The file is larger than 20 MB.")
	})
}
