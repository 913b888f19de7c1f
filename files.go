package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lectern/models/files"
)

// partOf creates an empty file, readable by its owner only, beside file, which does not exist yet. publish gives it
// that name; remove is for when that did not happen.
func partOf(file string) (part string, remove func(), err error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() {
		for _, end := range sqliteFiles {
			os.Remove(f.Name() + end)
		}
	}
	if err := f.Close(); err != nil {
		remove()
		return "", nil, err
	}
	return f.Name(), remove, nil
}

// sqliteFiles are the suffixes of an SQLite database's files.
var sqliteFiles = []string{"", "-wal", "-shm"}

// publish gives a finished part its name and syncs both. It answers fs.ErrExist if the name is taken.
func publish(part, file string) error {
	if err := syncFile(part); err != nil {
		return err
	}
	err := os.Link(part, file)
	if err != nil && !errors.Is(err, fs.ErrExist) { // not every file system has hard links
		if _, taken := os.Lstat(file); taken == nil {
			return fs.ErrExist
		}
		err = os.Rename(part, file)
	}
	if err != nil {
		return err
	}
	return files.SyncDir(filepath.Dir(file))
}

// copyFile copies from into an existing file and syncs it.
func copyFile(file string, from io.Reader) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncFile(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
