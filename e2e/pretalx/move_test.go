// Package pretalx moves a conference here from a real pretalx, and counts both sides.
package pretalx

import (
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/e2e/child"
	. "lectern/e2e/drive"
	"lectern/models/modelstest"
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
	m.site.Env = append(m.site.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8", "PRETALX_TOKEN="+p.tokens["all"], OneAddress)
	m.path, m.key = m.site.Conference()
	return m
}

// bring runs the command and returns its report.
func (m *move) bring() map[string]any {
	m.t.Helper()
	return m.site.Run("import", "pretalx", m.base+"/harbour-there/", "--event", "harbour")
}

// told returns the counts of a report by their names, such as "sessions created".
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
		modelstest.Want(m.t, name, told(report, name), want[name])
	}
	if skipped := report["skipped"].([]any); len(skipped) > 0 {
		m.t.Errorf("skipped: %v", skipped)
	}
}

func TestAConferenceMovesFromARealPretalx(t *testing.T) {
	t.Parallel()
	m := newMove(t)
	m.mayNotRead()
	check := m.site.Run("import", "pretalx", m.base, "--from", "harbour-there", "--event", "harbour", "--check")
	if check["submissions"] != 60.0 || check["people"] != 24.0 || check["reviews"] != 90.0 || check["breaks"] != 4.0 {
		t.Errorf("%v", check)
	}
	first := m.bring()
	m.site.Serve("serve")
	m.told(first,
		map[string]int{"abstracts created": 60, "contacts created": 24, "photos": 8, "people_with_new_answers": 24})
	m.same()

	again := m.bring()
	m.told(again, map[string]int{"abstracts unchanged": 60, "abstracts updated": 0, "sessions updated": 0, "contacts updated": 0,
		"contacts unchanged": 24, "reviews created": 0, "reviews updated": 0, "questions created": 0, "photos": 0,
		"people_with_new_answers": 0, "breaks updated": 0})

	m.fill("change")
	changed := m.bring()
	m.told(changed, map[string]int{"abstracts created": 1, "contacts updated": 1, "photos": 1,
		"people_with_new_answers": 1, "breaks updated": 1, "tracks_created": 0, "reviews created": 0})
	m.same()
	m.leaves()
	m.comesByTheAdmin()
}

// mayNotRead looks with a token without rights, and is told so.
func (m *move) mayNotRead() {
	m.t.Helper()
	poor := *m.site
	poor.Env = append(slices.Clone(m.site.Env), "PRETALX_TOKEN="+m.tokens["none"])
	_, said, err := poor.Try("", "import", "pretalx", m.base+"/harbour-there/", "--event", "harbour", "--check")
	if err == nil || !strings.Contains(said, "the token may not read this. Give it the event “harbour-there” and all permissions") {
		m.t.Errorf("a token without rights: %v, %s", err, said)
	}
}

// leaves moves what came, as an archive, to an empty Lectern, whose API answers alike.
func (m *move) leaves() {
	m.t.Helper()
	file := filepath.Join(m.dir, "harbour.zip")
	m.site.Run("export", "harbour", file)
	there := NewSite(m.t, "")
	there.Env = append(there.Env, OneAddress)
	there.Run("import", "archive", file)
	there.Serve("serve")
	if n := Alike("harbour", m.site, there); n < 200 {
		m.t.Errorf("%d rows were compared", n)
	}
}

// comesByTheAdmin moves all of it to another Lectern in a browser, and undoes the move.
func (m *move) comesByTheAdmin() {
	m.t.Helper()
	site := NewSite(m.t, "")
	site.Env = append(site.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := site.Owner()
	path, key := site.Key()
	there := &move{pretalx: m.pretalx, site: site, path: path, key: key}
	w.Follow("Bring your conference")
	w.Follow("Choose: pretalx")
	w.Fill("Address", m.base+"/harbour-there/")
	w.Fill("Token", m.tokens["all"])
	w.Press("Look at it")
	comes := func(text string) {
		m.t.Helper()
		if !Within(2*time.Minute, func() bool { w.Reload(); return strings.Contains(w.Text(), text) }) {
			m.t.Fatalf("the page does not come to show %q:\n%s", text, w.Text())
		}
	}
	comes("Sessions and submissions")
	w.Sees("20 sessions have a time", "Sessions and submissions\t61\t0", "People\t24\t0", "Breaks\t4\t0", "Reviews\t90\t0")
	w.Press("Bring it")
	comes("Show the sessions")
	w.Sees("Submissions\t61\t0\t0", "Photos\t8")
	w.DoesNotSee("What did not come")
	there.same()
	w.Follow("Undo…")
	w.Sees("61 submissions", "24 people", "90 reviews", "2 rooms")
	w.Press("Undo the move")
	comes("The move is undone")
	for _, gone := range []string{"sessions", "contacts", "metadata", "reviews", "agenda_breaks", "imported"} {
		if n := there.count(gone); n > 0 {
			m.t.Errorf("%d are left of %s", n, gone)
		}
	}
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
	modelstest.Want(t, "people came before", m.count("event_contacts"), 24)
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
