package drive

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"lectern/models/modelstest"
)

// TestABrowserEndsWithTheTestsThatStartedIt kills who started a guarded program, as a run is killed that is cut short.
func TestABrowserEndsWithTheTestsThatStartedIt(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	bin := modelstest.Must(exec.LookPath("sleep"))(t)
	guard, err := guarded(bin)
	if err != nil || guard == bin {
		t.Fatalf("nothing guards it (setpriv is in util-linux): %v", err)
	}
	starter := exec.Command("sh", "-c", `"$0" 600 & echo $!; wait`, guard)
	says := modelstest.Must(starter.StdoutPipe())(t)
	modelstest.Fine(t, starter.Start())
	var pid int
	if line, err := bufio.NewReader(says).ReadString('\n'); err != nil {
		t.Fatal(err)
	} else if _, err := fmt.Sscan(line, &pid); err != nil {
		t.Fatal(err)
	}
	state := func() string {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if strings.Contains(string(status), "State:\tZ") {
			return "" // ended, and nobody has asked about it
		}
		return strings.TrimSpace(string(name))
	}
	becomes := func(what, want string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			is := state()
			if is == want {
				return
			}
			if time.Now().After(end) {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("%s: it is %q, not %q", what, is, want)
			}
		}
	}
	becomes("once it runs", "sleep") // the script has become what it guards
	starter.Process.Kill()
	starter.Wait()
	becomes("once who started it was killed", "")
}
