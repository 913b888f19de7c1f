package staff

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestAnOwnerSeesEveryProcess has two serve one database, of which one ends.
func TestAnOwnerSeesEveryProcess(t *testing.T) {
	t.Parallel()
	s := NewSite(t, Postgres(t))
	s.Env = append(s.Env, "LECTERN_SECRET_KEY="+base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))))
	first := s.Serve("serve")
	w := s.Owner()
	second := s.Serve("serve")
	w.Follow("Status")
	w.Path("/admin/status")
	version, _, err := s.Try("", "version")
	modelstest.Fine(t, err)
	w.Sees("Lectern " + strings.TrimPrefix(strings.TrimSpace(version), "lectern ")) // at the foot of every page
	for _, server := range []*Server{first, second} {
		w.ReloadsUntil(fmt.Sprintf("/%d, ", server.Process.Pid))
	}
	w.ReloadsUntil("Everything is as it should be.")
	w.Sees("delivers", "No mail server: links are shown instead", "Nothing waits")
	w.Accessible("status")
	if err := second.Terminate(t); err != nil {
		t.Error(err)
	}
	gone := func() bool {
		w.Reload()
		return !strings.Contains(w.Text(), fmt.Sprintf("/%d, ", second.Process.Pid))
	}
	if !Within(Patience, gone) {
		t.Errorf("a process that ended is still there:\n%s", w.Text())
	}
}
