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
