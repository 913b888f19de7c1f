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
		if err := d.Each(ctx, func(key string, size int64) error {
			found = append(found, key)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := each(); len(found) > 0 {
		t.Errorf("%v", found)
	}
	key := NewKey()
	if _, err := d.Open(ctx, key); !errors.Is(err, ErrMissing) {
		t.Errorf("%v", err)
	}
	if err := d.Put(ctx, key, strings.NewReader("content")); err != nil {
		t.Fatal(err)
	}
	file, err := d.Open(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if b, err := io.ReadAll(file); err != nil || string(b) != "content" {
		t.Errorf("%q %v", b, err)
	}
	if info, err := os.Stat(filepath.Join(dir, key[:2], key)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	// What a killed process left is not a file, and goes with its key.
	half := NewKey()
	if err := d.Put(ctx, half, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	path, _ := d.path(half)
	if err := os.Rename(path, path+part); err != nil {
		t.Fatal(err)
	}
	if found := each(); len(found) != 1 || found[0] != key {
		t.Errorf("%v", found)
	}
	for _, k := range []string{half, key, key} {
		if err := d.Delete(ctx, k); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path + part); err == nil || len(each()) > 0 {
		t.Error("something is left")
	}
	if err := d.Check(ctx); err != nil {
		t.Error(err)
	}
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
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
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
