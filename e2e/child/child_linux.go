// Package child sees to it that nothing outlives the tests and the bench, however they end. Elsewhere than on Linux it does
// not.
package child

import (
	"os/exec"
	"syscall"
)

// EndsWithUs has a process end when this one does, however it ends.
func EndsWithUs(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// EndWithRunner has the tests end when what runs them does: go test, once it is killed, leaves them behind.
func EndWithRunner() {
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
}
