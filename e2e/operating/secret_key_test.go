package operating

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestAKeyThatDoesNotFitIsRefusedAndLeavesNoTrace(t *testing.T) {
	Each(t, func(t *testing.T, s *Site) {
		hook := s.Run("webhook", "create", "--url", "https://example.org/hook?token=hush")
		file := filepath.Join(s.Data, "secret.key")
		kept := modelstest.Must(os.ReadFile(file))(t)
		refused := func(why string, has ...string) {
			t.Helper()
			for _, args := range [][]string{{"serve", "--addr", FreeAddress(t)},
				{"webhook", "create", "--url", "https://example.org/more"}} {
				_, stderr, err := s.Try("", args...)
				if err == nil {
					t.Fatalf("%s: %v went on", why, args)
				}
				for _, part := range append(has, "--accept-new-secret-key", "example.org", hook["id"].(string),
					"replicas must share it") {
					if !strings.Contains(stderr, part) {
						t.Errorf("%s: %v does not say %q: %s", why, args, part, stderr)
					}
				}
				if strings.Contains(stderr, "hush") {
					t.Errorf("%s: the address is told in full: %s", why, stderr)
				}
			}
		}
		modelstest.Fine(t, os.Remove(file))
		refused("a missing key", "secret.key is missing")
		if entries, err := os.ReadDir(s.Data); err != nil || strings.Contains(listed(entries), "secret.key") {
			t.Errorf("a refusal left %v, %v", listed(entries), err)
		}
		s.Env = append(s.Env, "LECTERN_SECRET_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
		refused("another key", "LECTERN_SECRET_KEY is another key")
		s.Env = s.Env[:len(s.Env)-1]
		modelstest.Fine(t, os.WriteFile(file, []byte("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"), 0o600))
		refused("another file", "secret.key holds another key")

		// What seals nothing needs no key.
		modelstest.Fine(t, os.Remove(file))
		s.Run("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone", "UTC")
		if _, err := os.Stat(file); err == nil {
			t.Error("a command that seals nothing made a key")
		}

		srv := s.Serve("serve", "--accept-new-secret-key")
		if log := srv.Log.Has(t, "events wait in line"); !strings.Contains(log, hook["id"].(string)) || strings.Contains(log, "hush") {
			t.Errorf("the log does not tell what is lost: %s", log)
		}
		modelstest.Fine(t, srv.Terminate(t))
		modelstest.Fine(t, s.Serve("serve").Terminate(t)) // once is enough
		renewed, err := os.ReadFile(file)
		if info, statErr := os.Stat(file); err != nil || statErr != nil || info.Mode().Perm() != 0o600 ||
			string(renewed) == string(kept) {
			t.Errorf("the new key: %v %v", err, statErr)
		}
		modelstest.Fine(t, os.WriteFile(file, kept, 0o600)) // the lost one opens nothing any more, and nothing is sealed
		modelstest.Fine(t, s.Serve("serve").Terminate(t))
	})
}

func listed(entries []os.DirEntry) string {
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}
