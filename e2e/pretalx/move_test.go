// Package pretalx moves a conference here from a real pretalx, and counts both sides.
package pretalx

import (
	"maps"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"lectern/e2e/child"
	. "lectern/e2e/drive"
)

// move is an event here and the pretalx that it comes from.
type move struct {
	*pretalx
	site      *Site
	path, key string
}

func newMove(t *testing.T) *move {
	p := newPretalx(t)
	p.serve()
	m := &move{pretalx: p, site: NewSite(t, "")}
	m.site.Env = append(m.site.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8", "PRETALX_TOKEN="+p.tokens["all"])
	m.path, m.key = m.site.Conference()
	return m
}

// bring runs the command and returns its report.
func (m *move) bring() map[string]any {
	m.t.Helper()
	return m.site.Run("import", "pretalx", m.base+"/harbour-there/", "--event", "harbour")
}

// told are counts of a report by their names: "sessions created".
func told(report map[string]any, name string) int {
	kind, field, _ := strings.Cut(name, " ")
	if of, is := report[kind].(map[string]any); is {
		return int(of[field].(float64))
	}
	n, _ := report[kind].(float64)
	return int(n)
}

func (m *move) told(report map[string]any, want map[string]int) {
	m.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if is := told(report, name); is != want[name] {
			m.t.Errorf("%s: %d, want %d", name, is, want[name])
		}
	}
	if skipped := report["skipped"].([]any); len(skipped) > 0 {
		m.t.Errorf("skipped: %v", skipped)
	}
}

func TestAConferenceMovesFromARealPretalx(t *testing.T) {
	t.Parallel()
	m := newMove(t)
	check := m.site.Run("import", "pretalx", m.base, "--from", "harbour-there", "--event", "harbour", "--check")
	if check["submissions"] != 60.0 || check["people"] != 24.0 || check["reviews"] != 90.0 || check["breaks"] != 4.0 {
		t.Errorf("%v", check)
	}
	first := m.bring()
	m.site.Serve("serve")
	m.told(first, map[string]int{"abstracts created": 60, "contacts created": 24, "photos": 8, "people_with_new_answers": 24})
	m.same()

	again := m.bring()
	m.told(again, map[string]int{"abstracts unchanged": 60, "abstracts updated": 0, "sessions updated": 0, "contacts updated": 0,
		"contacts unchanged": 24, "reviews created": 0, "reviews updated": 0, "questions created": 0, "photos": 0,
		"people_with_new_answers": 0, "breaks updated": 0})

	m.fill("change")
	changed := m.bring()
	m.told(changed, map[string]int{"abstracts created": 1, "contacts updated": 1, "photos": 1, "people_with_new_answers": 1,
		"breaks updated": 1, "tracks_created": 0, "reviews created": 0})
	m.same()
}

// killed runs the command and kills it as it asks for the nth time.
func (m *move) killed(nth int64) {
	m.t.Helper()
	cmd := child.EndsWithUs(exec.Command(Binary, "import", "pretalx", m.base+"/harbour-there", "--event", "harbour"))
	cmd.Env = m.site.Env
	spoil := func(_ http.ResponseWriter, n int64) bool {
		if n == nth {
			cmd.Process.Kill()
		}
		return false
	}
	m.spoil.Store(&spoil)
	if err := cmd.Run(); err == nil {
		m.t.Errorf("it came to its end within %d requests", m.requests.Load())
	}
}

// TestAMoveThatIsDisturbed is killed once people came, has the other side fail, ask for patience and break off, and
// goes on.
func TestAMoveThatIsDisturbed(t *testing.T) {
	t.Parallel()
	m := newMove(t)
	m.killed(14) // among the photos
	if n := m.count("event_contacts"); n != 24 {
		t.Errorf("%d people came before", n)
	}
	spoil := func(w http.ResponseWriter, n int64) bool {
		switch n % 7 {
		case 2:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case 4:
			w.WriteHeader(http.StatusBadGateway)
		case 6:
			w.Header().Set("Content-Length", "1000")
			w.Write([]byte(`{"count": 1, "res`))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		default:
			return false
		}
		return true
	}
	m.spoil.Store(&spoil)
	first := m.bring()
	m.spoil.Store(nil)
	second := m.bring() // a photo may have failed too often
	m.site.Serve("serve")
	m.told(second, map[string]int{"abstracts unchanged": 60, "contacts unchanged": 24, "reviews unchanged": 90})
	if photos := told(first, "photos") + told(second, "photos"); photos != 8 || told(first, "abstracts created") != 60 {
		t.Errorf("%d photos; %v", photos, first)
	}
	m.same()
}
