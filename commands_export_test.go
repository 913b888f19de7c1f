package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/models/modelstest"
)

// parts returns the files of an archive by their names.
func parts(t *testing.T, file string) map[string]string {
	t.Helper()
	opened := modelstest.Must(zip.OpenReader(file))(t)
	defer opened.Close()
	all := map[string]string{}
	for _, entry := range opened.File {
		content := modelstest.Must(entry.Open())(t)
		all[entry.Name] = string(modelstest.Must(io.ReadAll(content))(t))
		content.Close()
	}
	return all
}

// TestAnEventMovesByTheCommandLine moves an event with photos, one of which is lost, to an empty directory.
func TestAnEventMovesByTheCommandLine(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	here, there := hereOf(f), t.TempDir()
	keys := modelstest.Photos(t, f, 3)
	modelstest.Fine(t, f.Options.Files.Delete(t.Context(), keys[2]))
	file, again := filepath.Join(t.TempDir(), "event.zip"), filepath.Join(t.TempDir(), "again.zip")
	lectern(t, "export", "conf", file, "--data-dir", here)
	said := lectern(t, "import", "archive", file, "--data-dir", there)
	wants(t, "import", said, `"slug":"conf"`, `"people":3`, `"files":3`)
	wants(t, "the lost file is not found, or more is wrong", refused(t, "verify", "--data-dir", there), "faults found: 1;")
	lectern(t, "export", "conf", again, "--data-dir", there)
	was, is := parts(t, file), parts(t, again)
	for name, part := range was {
		if strings.HasPrefix(name, "files/") && is[name] != part {
			t.Errorf("%s is not what it was", name)
		}
	}
	if strings.Count(was["data/contacts.jsonl"], keys[0]) == 0 || len(was) != len(is) {
		t.Errorf("%d parts, then %d", len(was), len(is))
	}
	before := modelstest.Must(os.ReadFile(file))(t)
	wants(t, "a name that is taken", refused(t, "export", "conf", file, "--data-dir", here), "overwrites nothing")
	if after := modelstest.Must(os.ReadFile(file))(t); !bytes.Equal(before, after) {
		t.Error("the file was overwritten")
	}
}

// TestAllEventsMoveByTheCommandLine moves two events, one of which has a person of the other.
func TestAllEventsMoveByTheCommandLine(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	here, there := hereOf(f), t.TempDir()
	file, again := filepath.Join(t.TempDir(), "all.zip"), filepath.Join(t.TempDir(), "again.zip")
	wants(t, "an event and all", refused(t, "export", "conf", "--organization", file, "--data-dir", here), "accepts 1 arg")
	wants(t, "neither", refused(t, "export", file, "--data-dir", here), "accepts 2 arg")
	lectern(t, "export", "--organization", file, "--data-dir", here)
	said := refused(t, "import", "archive", file, "--slug", "x", "--data-dir", there)
	wants(t, "one short name for all", said, "that they have")
	said = lectern(t, "import", "archive", file, "--data-dir", there)
	wants(t, "import", said, `"events":[`, `"slug":"conf"`, `"slug":"other"`)
	lectern(t, "verify", "--data-dir", there)
	lectern(t, "export", "--organization", again, "--data-dir", there)
	if was, is := parts(t, file), parts(t, again); len(was) != len(is) || strings.Count(was["data/events.jsonl"], "\n") !=
		strings.Count(is["data/events.jsonl"], "\n") {
		t.Errorf("%d parts, then %d", len(was), len(is))
	}
}
