package child_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lectern/e2e/child"
)

// role says what this binary plays when the test below starts it: go test, or the tests that it runs.
const role = "LECTERN_CHILD_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "runner":
		play("tests", exec.Command(os.Args[0]))
	case "tests":
		child.EndWithRunner()
		play("", child.EndsWithUs(exec.Command("sleep", "600")))
	}
	os.Exit(m.Run())
}

// play starts a process, says its id, and stays until it is killed.
func play(next string, cmd *exec.Cmd) {
	cmd.Env = append(os.Environ(), role+"="+next)
	cmd.Stdout = os.Stdout
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Println(cmd.Process.Pid)
	time.Sleep(time.Hour)
}

func TestNothingIsLeftOfARunThatIsKilled(t *testing.T) {
	runner := exec.Command(os.Args[0])
	runner.Env = append(os.Environ(), role+"=runner")
	says, err := runner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := runner.Start(); err != nil {
		t.Fatal(err)
	}
	var started []int // the tests and their server, in either order
	for lines := bufio.NewScanner(says); len(started) < 2 && lines.Scan(); {
		pid, err := strconv.Atoi(lines.Text())
		if err != nil || !runs(pid) {
			t.Fatalf("%q is no process that runs", lines.Text())
		}
		started = append(started, pid)
	}
	if len(started) != 2 {
		t.Fatalf("only %v were started", started)
	}
	if err := runner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	runner.Wait()
	for _, pid := range started {
		for end := time.Now().Add(time.Minute); runs(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Errorf("%d outlived who started it", pid)
				break
			}
		}
	}
}

// runs tells whether a process is there and is more than what nobody has asked about since it ended.
func runs(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return err == nil && !strings.Contains(string(status), "State:\tZ")
}
