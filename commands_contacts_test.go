package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/models/modelstest"
)

func TestAnImportOfPeopleSaysWhichFileIsMissingAndMakesNoDatabase(t *testing.T) {
	t.Parallel()
	here := filepath.Join(t.TempDir(), "mistyped")
	people := filepath.Join(t.TempDir(), "people.csv")
	modelstest.Fine(t, os.WriteFile(people, []byte("Name,Email\nAda,ada@example.org\n"), 0o600))
	for file, want := range map[string]string{"/nofile.csv": "open /nofile.csv: no such file", people: "there is no database at " + here} {
		root := rootCommand()
		root.SetArgs([]string{"contacts", "import", file, "--event", "conf", "--data-dir", here})
		err := root.ExecuteContext(t.Context())
		if err == nil || !strings.HasPrefix(inWords(err, false), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := os.Stat(here); err == nil {
		t.Error("a directory was made")
	}
}
