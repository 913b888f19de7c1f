package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Disk keeps files in a directory, which the first file creates. Only one machine sees it.
type Disk struct{ dir string }

// NewDisk returns the place in a directory.
func NewDisk(dir string) *Disk { return &Disk{dir} }

func (d *Disk) String() string { return "file://" + d.dir }

// part is the suffix of files that are not complete yet.
const part = ".part"

// path returns the path of a key, in a subdirectory named by its first letters: directories with many thousand entries
// are slow.
func (d *Disk) path(key string) (string, error) {
	if !IsKey(key) {
		return "", fmt.Errorf("%q is no key of a file", key)
	}
	return filepath.Join(d.dir, key[:2], key), nil
}

// Put writes a part, syncs it to the disk and only then renames it to its key.
func (d *Disk) Put(ctx context.Context, key string, content io.ReadSeeker) error {
	path, err := d.path(key)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := write(path, Reader(ctx, content)); err != nil {
		os.Remove(path + part)
		return cmp.Or(ctx.Err(), faultOf(err))
	}
	return nil
}

func write(path string, content io.Reader) error {
	if err := makeDir(filepath.Dir(path)); err != nil {
		return err
	}
	file, err := os.OpenFile(path+part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	isAlone(file) // see Tidy
	_, err = io.Copy(file, content)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+part, path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// makeDir makes a directory and its parents, and syncs them so that they outlast a power cut.
func makeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := makeDir(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return SyncDir(above)
}

// SyncDir syncs a directory, so that the names in it outlast a power cut, where the system supports that.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) { // a parent that we may pass through but not read
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

func (d *Disk) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	path, err := d.path(key)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, faultOf(err)
	}
	return file, nil
}

func (d *Disk) Delete(ctx context.Context, key string) error {
	path, err := d.path(key)
	if err != nil {
		return err
	}
	for _, name := range []string{path + part, path} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return faultOf(err)
		}
	}
	return nil
}

func (d *Disk) Each(ctx context.Context, f func(key string, size int64) error) error {
	return filepath.WalkDir(d.dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // nothing was kept yet, or it was deleted meanwhile
			return nil
		case err != nil:
			return faultOf(err)
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() || !IsKey(entry.Name()):
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return faultOf(err)
		}
		return f(entry.Name(), info.Size())
	})
}

// Check writes into the directory. A directory that it had to make is removed again.
func (d *Disk) Check(context.Context) error {
	if _, err := os.Stat(d.dir); errors.Is(err, fs.ErrNotExist) {
		defer os.Remove(d.dir)
	}
	if err := makeDir(d.dir); err != nil {
		return faultOf(err)
	}
	file, err := os.CreateTemp(d.dir, ".check-*")
	if err != nil {
		return faultOf(err)
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// faultOf returns a Fault that says why a disk cannot serve.
func faultOf(err error) error {
	message := "The file store cannot be read or written at the moment."
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		message = "The file store has no room left, so no file can be kept at the moment."
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		message = "The file store takes no changes at the moment."
	}
	return &Fault{Message: message, Cause: err}
}

// ParseDisk reads an address such as file:///var/lib/lectern/files.
func ParseDisk(address string) (*Disk, error) {
	dir, found := strings.CutPrefix(address, "file://")
	if !found || !filepath.IsAbs(dir) {
		return nil, errors.New("must be file:// and a whole path, such as file:///var/lib/lectern/files")
	}
	return NewDisk(filepath.Clean(dir)), nil
}

// Tidy removes the parts of files whose writing process was killed. Call it when a process starts; parts that others
// write are locked, and stay.
func (d *Disk) Tidy() error {
	err := filepath.WalkDir(d.dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // nothing was kept yet, or it has its name meanwhile
			return nil
		case err != nil:
			return err
		case entry.IsDir() || !IsKey(strings.TrimSuffix(entry.Name(), part)) || !strings.HasSuffix(entry.Name(), part):
			return nil
		}
		return removeAbandoned(path)
	})
	if err != nil {
		return faultOf(err)
	}
	return nil
}

func removeAbandoned(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if !isAlone(file) {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
