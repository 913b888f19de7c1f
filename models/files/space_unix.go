//go:build linux || darwin

package files

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// SpaceAt returns the space of a directory's file system. A directory that does not exist yet counts as its parent.
func SpaceAt(dir string) (Space, error) {
	var s syscall.Statfs_t
	err := syscall.Statfs(dir, &s)
	if above := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && above != dir {
		return SpaceAt(above)
	}
	return Space{Free: s.Bavail * uint64(s.Bsize), All: s.Blocks * uint64(s.Bsize)}, err
}
