package jobs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lectern/jobs"
	"lectern/models/modelstest"
)

// TestDocumentedVerificationsWork runs each example of docs/webhooks.md where
// its interpreter exists.
func TestDocumentedVerificationsWork(t *testing.T) {
	t.Parallel()
	doc := modelstest.Must(os.ReadFile("../docs/webhooks.md"))(t)
	runs := map[string]struct {
		file    string
		command []string
	}{
		"go":         {"main.go", []string{"go", "run", "main.go"}},
		"python":     {"verify.py", []string{"python3", "verify.py"}},
		"javascript": {"verify.js", []string{"node", "verify.js"}},
		"sh":         {"verify.sh", []string{"sh", "verify.sh"}},
	}
	secret, body := "whsec_1", "{\"data\": \"Grüße\"}\n"
	ran := 0
	for _, m := range regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(string(doc), -1) {
		example, known := runs[m[1]]
		if !known || !strings.Contains(m[2], "SIGNATURE") {
			continue
		}
		if _, err := exec.LookPath(example.command[0]); err != nil {
			t.Logf("no %s here", example.command[0])
			continue
		}
		ran++
		t.Run(m[1], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			modelstest.Fine(t, os.WriteFile(filepath.Join(dir, example.file), []byte(m[2]), 0o600))
			verify := func(body, signature string) error {
				cmd := exec.Command(example.command[0], example.command[1:]...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "SECRET="+secret, "SIGNATURE="+signature)
				cmd.Stdin = strings.NewReader(body)
				return cmd.Run()
			}
			if err := verify(body, jobs.Sign(secret, []byte(body))); err != nil {
				t.Errorf("a good signature: %v", err)
			}
			if verify(body+" ", jobs.Sign(secret, []byte(body))) == nil || verify(body, "sha256=00") == nil ||
				verify(body, jobs.Sign("other", []byte(body))) == nil {
				t.Error("a bad signature passes")
			}
		})
	}
	if ran < 2 {
		t.Errorf("only %d examples ran", ran)
	}
}
