//go:build unix

package upkeep

import (
	"os"
	"syscall"
)

// takeLock locks a file for as long as this process has it open, or reports at once that another process has the lock.
func takeLock(file *os.File) (taken bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

// endLock releases the lock. Closing is not enough: a child that is being started may have the file open a moment
// longer.
func endLock(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
