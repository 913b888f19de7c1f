package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

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
