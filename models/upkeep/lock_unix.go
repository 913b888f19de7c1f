//go:build unix

package upkeep

import (
	"os"
	"syscall"
)

// takeLock locks a file for as long as it is open here, or tells at once that another process has it.
func takeLock(file *os.File) (taken bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

// endLock gives the lock up. A child that is being started may have the file open for a moment longer than we do.
func endLock(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
