//go:build unix

package files

import (
	"os"
	"syscall"
)

// isAlone locks a file that no other process writes, until it is closed or this process ends, however it ends.
func isAlone(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
