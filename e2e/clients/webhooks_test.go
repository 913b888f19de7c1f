package clients

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// TestStandardLibrariesVerifyADelivery has the libraries of Standard Webhooks in three languages verify what an
// endpoint was sent, and refuse it with a letter more.
func TestStandardLibrariesVerifyADelivery(t *testing.T) {
	t.Parallel()
	w, node := withNode(t)
	python := withPython(t)
	receiver := NewReceiver(t)
	secret := w.Run("webhook", "create", "--url", receiver.URL)["secret"].(string)
	w.Ok(w.key, "POST", w.path+"/sessions/create", `{"title": "Grüße"}`)
	body := receiver.Wait(t, 1)[0]
	header := receiver.Last
	built := filepath.Join(t.TempDir(), "verify")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", built, "./verify")
	build.Dir, build.Env = "go", append(os.Environ(), "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	verify := func(program, body string) (string, error) {
		cmd := map[string]*exec.Cmd{
			"typescript": exec.CommandContext(t.Context(), node.Bin, "--disable-warning=ExperimentalWarning", "verify.ts"),
			"python":     exec.CommandContext(t.Context(), python.Bin, "verify.py"),
			"go":         exec.CommandContext(t.Context(), built),
		}[program]
		if cmd.Dir = w.dir; program != "typescript" {
			cmd.Dir = program
		}
		cmd.Env = append(os.Environ(), "GOFLAGS=", "SECRET="+secret, "ID="+header.Get("webhook-id"),
			"TIMESTAMP="+header.Get("webhook-timestamp"), "SIGNATURE="+header.Get("webhook-signature"))
		cmd.Stdin = strings.NewReader(body)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		return out.String(), err
	}
	for _, program := range []string{"go", "python", "typescript"} {
		if out, err := verify(program, body); err != nil || out != "verified\n" {
			t.Errorf("%s: %v: %s", program, err, out)
		}
		if out, err := verify(program, body+" "); err == nil || strings.Contains(out, "verified") {
			t.Errorf("%s verifies another body", program)
		}
	}
}
