package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lectern/models/files"
)

// partOf makes an empty file, its owner's alone, beside one that is not there
// yet. It takes that one's place by publish; remove is for the case it did not.
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

// sqliteFiles are what the names of an SQLite database's files end in.
var sqliteFiles = []string{"", "-wal", "-shm"}

// publish gives a finished part its name, for good. It answers fs.ErrExist when the name is taken.
func publish(part, file string) error {
	if err := syncFile(part); err != nil {
		return err
	}
	err := os.Link(part, file)
	if err != nil && !errors.Is(err, fs.ErrExist) { // not every file system has links
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

// copyFile copies what there is to read into a file that is there.
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
