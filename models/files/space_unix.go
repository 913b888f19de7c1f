//go:build linux || darwin

package files

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// SpaceAt is that of the file system of a directory. One that is not there yet will be made in the one above.
func SpaceAt(dir string) (Space, error) {
	var s syscall.Statfs_t
	err := syscall.Statfs(dir, &s)
	if above := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && above != dir {
		return SpaceAt(above)
	}
	return Space{Free: s.Bavail * uint64(s.Bsize), All: s.Blocks * uint64(s.Bsize)}, err
}
