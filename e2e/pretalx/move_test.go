// Package pretalx moves a conference here from a real pretalx, and counts both sides.
package pretalx

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	. "lectern/e2e/drive"
)

// row is a submission as both sides tell of it.
type row struct {
	Title, State, Track, Format string
	Tags, People, Slots         []string
	Answers, Reviews            int
}

// there is what fill.py counts.
type there struct {
	Submissions    []row
	People         int
	Photos         int
	Away           int
	SpeakerAnswers int `json:"speaker_answers"`
	Reviews        int
	Sessions       int
	Breaks         []string
}

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

// theirs is what the pretalx has.
func (m *move) theirs() (t there) {
	m.t.Helper()
	said := strings.TrimSpace(m.fill("count"))
	m.check(json.Unmarshal([]byte(said[strings.LastIndex(said, "\n")+1:]), &t)) // below a warning to root
	tidy(t.Submissions)
	return t
}

func tidy(rows []row) {
	for i := range rows {
		for _, list := range []*[]string{&rows[i].Tags, &rows[i].People, &rows[i].Slots} {
			slices.Sort(*list)
			*list = append([]string{}, *list...)
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

// count is a number of the event's rows.
func (m *move) count(what string) (n int) {
	m.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(m.site.Data, "lectern.db"))
	m.check(err)
	defer db.Close()
	m.check(db.QueryRow("SELECT count(*) FROM " + what).Scan(&n))
	return n
}

// ours is what the event has. It is asked of the API, but for what no API tells.
func (m *move) ours() (t there) {
	m.t.Helper()
	for _, s := range m.search(false) {
		if s["starts_at"] != nil && s["room"] != nil {
			t.Sessions++
		}
	}
	for _, s := range m.search(true) {
		r := row{Title: s["title"].(string), State: s["status"].(string), Track: name(s["track"]), Format: name(s["format"])}
		for _, tag := range s["tags"].([]any) {
			r.Tags = append(r.Tags, name(tag))
		}
		for _, x := range s["participants"].([]any) {
			r.People = append(r.People, x.(map[string]any)["full_name"].(string))
		}
		for _, a := range s["custom_fields"].([]any) {
			if !slices.Contains(facts, a.(map[string]any)["key"].(string)) {
				r.Answers++
			}
		}
		id := s["id"].(string)
		r.Reviews, r.Slots = m.count("reviews WHERE session_id = '"+id+"'"), m.slotsOf(id)
		t.Submissions = append(t.Submissions, r)
	}
	tidy(t.Submissions)
	t.People, t.Photos = m.count("event_contacts"), m.count("contacts WHERE photo_key <> ''")
	t.Away, t.SpeakerAnswers = m.count("event_contacts WHERE away <> ''"), m.count("speaker_answers")
	t.Reviews = m.count("reviews")
	return t
}

// facts are the keys of answers that hold what pretalx has a field for.
var facts = []string{"notes", "internal_notes", "language", "minutes", "not_recorded", "featured"}

func name(of any) string {
	if of == nil {
		return ""
	}
	return of.(map[string]any)["name"].(string)
}

// search are all sessions of a kind.
func (m *move) search(abstract bool) (rows []map[string]any) {
	m.t.Helper()
	for page := 1; ; page++ {
		found := m.site.Ok(m.key, "POST", m.path+"/sessions/search",
			fmt.Sprintf(`{"filters": {"is_abstract": %t}, "pageSize": 100, "page": %d}`, abstract, page))
		for _, r := range found["results"].([]any) {
			rows = append(rows, r.(map[string]any))
		}
		if len(rows) >= Total(found) {
			return rows
		}
	}
}

// slotsOf are the times of the sessions that came of a submission.
func (m *move) slotsOf(id string) []string {
	m.t.Helper()
	return m.times(`SELECT substr(s.starts_at, 1, 16) || ' ' || r.name FROM imported a
		JOIN imported i ON i.kind = 'session' AND (i.key = a.key OR i.key LIKE a.key || '#%')
		JOIN sessions s ON s.id = i.record_id JOIN metadata r ON r.id = s.room_id
		WHERE a.kind = 'abstract' AND a.record_id = $1 AND s.starts_at IS NOT NULL`, id)
}

// breaks are those of the event.
func (m *move) breaks() []string {
	m.t.Helper()
	return m.times(`SELECT substr(b.starts_at, 1, 16) || ' ' || r.name FROM agenda_breaks b
		JOIN metadata r ON r.id = b.room_id`)
}

// times are what a query finds, as in "2027-05-20T09:00 Great Hall".
func (m *move) times(query string, values ...any) (all []string) {
	m.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(m.site.Data, "lectern.db"))
	m.check(err)
	defer db.Close()
	rows, err := db.Query(query, values...)
	m.check(err)
	defer rows.Close()
	for rows.Next() {
		var one string
		m.check(rows.Scan(&one))
		all = append(all, one)
	}
	m.check(rows.Err())
	slices.Sort(all)
	return all
}

// same finds both sides equal.
func (m *move) same() {
	m.t.Helper()
	m.site.Run("verify")
	theirs, ours := m.theirs(), m.ours()
	ours.Breaks = m.breaks()
	for i := range max(len(theirs.Submissions), len(ours.Submissions)) {
		if i >= len(theirs.Submissions) || i >= len(ours.Submissions) ||
			fmt.Sprint(theirs.Submissions[i]) != fmt.Sprint(ours.Submissions[i]) {
			m.t.Fatalf("%d and %d submissions; there\n%+v\nhere\n%+v", len(theirs.Submissions), len(ours.Submissions),
				theirs.Submissions[min(i, len(theirs.Submissions)-1)], ours.Submissions[min(i, len(ours.Submissions)-1)])
		}
	}
	theirs.Submissions, ours.Submissions = nil, nil
	if fmt.Sprintf("%+v", theirs) != fmt.Sprintf("%+v", ours) {
		m.t.Errorf("there\n%+v\nhere\n%+v", theirs, ours)
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

// TestAMoveThatIsDisturbed has the other side fail, ask for patience and break off, and goes on.
func TestAMoveThatIsDisturbed(t *testing.T) {
	t.Parallel()
	m := newMove(t)
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
