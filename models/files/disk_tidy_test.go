package files

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// meanwhile is content in the middle of which something happens.
type meanwhile struct {
	io.ReadSeeker
	do func()
}

func (m meanwhile) Read(b []byte) (int, error) {
	m.do()
	return 0, io.EOF
}

func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d, key, gone := NewDisk(dir), NewKey(), NewKey()
	tidy := func() {
		t.Helper()
		if err := d.Tidy(); err != nil {
			t.Error(err)
		}
	}
	put := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	abandoned, foreign := put(gone+part), put("notes"+part)
	if err := d.Put(t.Context(), key, meanwhile{do: tidy}); err != nil {
		t.Errorf("a part that is written was taken away: %v", err)
	}
	if _, err := os.Stat(abandoned); !os.IsNotExist(err) {
		t.Errorf("an abandoned part stays: %v", err)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
	if _, err := d.Open(t.Context(), key); err != nil {
		t.Error(err)
	}
	if err := NewDisk(filepath.Join(dir, "not there")).Tidy(); err != nil {
		t.Error(err)
	}
}
