package drive

import (
	"os/exec"
	"syscall"
)

// endsWithUs has a process end when the tests do, however they end.
func endsWithUs(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// endWithRunner has the tests end when what runs them does: go test, once it is killed, leaves them behind.
func endWithRunner() {
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
}
