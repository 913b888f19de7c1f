package files

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// must fails the test when an operation fails, as modelstest.Must does, which knows this package.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func fine(t *testing.T, err error) { t.Helper(); must(0, err)(t) }

func isFault(err error, words string) bool {
	fault, found := errors.AsType[*Fault](err)
	return found && strings.Contains(fault.Message, words)
}

func TestADirectoryKeepsWhatItIsGiven(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "not", "there yet")
	d, ctx := NewDisk(dir), t.Context()
	each := func() (found []string) {
		t.Helper()
		fine(t, d.Each(ctx, func(key string, _ int64) error { found = append(found, key); return nil }))
		return found
	}
	if found := each(); len(found) > 0 {
		t.Errorf("%v", found)
	}
	key := NewKey()
	if _, err := d.Open(ctx, key); !errors.Is(err, ErrMissing) {
		t.Errorf("%v", err)
	}
	fine(t, d.Put(ctx, key, strings.NewReader("content")))
	file := must(d.Open(ctx, key))(t)
	defer file.Close()
	if b, err := io.ReadAll(file); err != nil || string(b) != "content" {
		t.Errorf("%q %v", b, err)
	}
	if info, err := os.Stat(filepath.Join(dir, key[:2], key)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	// What a killed process left is not a file, and goes with its key.
	half := NewKey()
	fine(t, d.Put(ctx, half, strings.NewReader("x")))
	path, _ := d.path(half)
	fine(t, os.Rename(path, path+part))
	if found := each(); len(found) != 1 || found[0] != key {
		t.Errorf("%v", found)
	}
	for _, k := range []string{half, key, key} {
		fine(t, d.Delete(ctx, k))
	}
	if _, err := os.Stat(path + part); err == nil || len(each()) > 0 {
		t.Error("something is left")
	}
	fine(t, d.Check(ctx))
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := d.Put(ended, key, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestNothingButAKeyBecomesTheNameOfAFile(t *testing.T) {
	t.Parallel()
	d, ctx := NewDisk(t.TempDir()), t.Context()
	for _, key := range []string{"", "..", "../../../../../../etc/passwd", strings.Repeat("A", 26), strings.Repeat("a", 25),
		strings.Repeat("a", 24) + "/a", strings.Repeat("a", 25) + "\x00"} {
		_, err := d.Open(ctx, key)
		if put := d.Put(ctx, key, strings.NewReader("x")); put == nil || err == nil || d.Delete(ctx, key) == nil ||
			errors.Is(err, ErrMissing) {
			t.Errorf("%q is taken", key)
		}
	}
}

func TestADiskThatCannotServeSaysWhy(t *testing.T) {
	t.Parallel()
	dir, ctx, key := t.TempDir(), t.Context(), NewKey()
	d := NewDisk(dir)
	path, _ := d.path(key)
	fine(t, os.MkdirAll(filepath.Dir(path), 0o700))
	if err := os.Symlink("/dev/full", path+part); err != nil { // a disk that is full
		t.Fatal(err)
	}
	if err := d.Put(ctx, key, strings.NewReader("content")); !isFault(err, "no room") {
		t.Errorf("%v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 0 {
		t.Errorf("it left %v, %v", entries, err)
	}
	blocked := filepath.Join(dir, "blocked")
	fine(t, os.WriteFile(blocked, nil, 0o600))
	for _, nowhere := range []*Disk{NewDisk(blocked), NewDisk(filepath.Join(blocked, "files")), NewDisk("/proc/files")} {
		if err := nowhere.Put(ctx, key, strings.NewReader("x")); !isFault(err, "file store") {
			t.Errorf("%s: %v", nowhere, err)
		}
		if err := nowhere.Check(ctx); !isFault(err, "file store") {
			t.Errorf("%s: %v", nowhere, err)
		}
	}
}

// meanwhile is content that runs a function in the midst of being read.
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
		fine(t, d.Tidy())
	}
	put := func(name string) string {
		path := filepath.Join(dir, name)
		fine(t, os.WriteFile(path, nil, 0o600))
		return path
	}
	abandoned, foreign := put(gone+part), put("notes"+part)
	if err := d.Put(t.Context(), key, meanwhile{do: tidy}); err != nil {
		t.Errorf("a part that is written was taken away: %v", err)
	}
	if _, err := os.Stat(abandoned); !os.IsNotExist(err) {
		t.Errorf("an abandoned part stays: %v", err)
	}
	must(os.Stat(foreign))(t)
	must(d.Open(t.Context(), key))(t)
	fine(t, NewDisk(filepath.Join(dir, "not there")).Tidy())
}
