package chaos

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// mirror is a client that keeps a copy of what the API shows by following the changes, at whichever replica answers.
type mirror struct {
	*site
	rows   map[string]string // by kind and id
	cursor string
	told   int
	anew   int // how often the database did not know the cursor
}

// lists are where the API shows the rows of each kind.
var lists = map[string]string{"track": "/tracks", "room": "/rooms", "tag": "/tags", "format": "/formats",
	"level": "/levels", "break": "/breaks", "speaker": "/speakers/search", "session": "/sessions/search"}

// follow follows the changes until ctx ends.
func (m *mirror) follow(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if !m.next(m.replicas[n%len(m.replicas)], "1") {
			sleep(ctx, breath)
		}
	}
}

// next takes over the next page, and tells whether there may be more at once.
func (m *mirror) next(at *replica, wait string) bool {
	query := url.Values{"since": {m.cursor}, "kinds": {strings.Join(slices.Sorted(maps.Keys(lists)), ",")},
		"limit": {"20"}, "wait": {wait}}
	got := m.ask(at, request{method: "GET", path: "/changes?" + query.Encode(), limit: 5 * time.Second})
	if fault := got.fault(at); got.status == http.StatusGone { // after a promotion
		m.rows, m.cursor, m.anew = map[string]string{}, "", m.anew+1
		return true
	} else if fault != "" {
		m.odd("following was answered %s", fault)
	}
	var page struct {
		Results []map[string]json.RawMessage
		Cursor  string
		More    bool
	}
	if got.status != http.StatusOK || json.Unmarshal(got.body, &page) != nil {
		return false
	}
	for _, c := range page.Results {
		kind, id := unquoted(c["kind"]), unquoted(c["id"])
		if delete(m.rows, kind+" "+id); string(c["deleted"]) != "true" {
			m.rows[kind+" "+id] = string(c[kind])
		}
	}
	m.cursor, m.told = page.Cursor, m.told+len(page.Results)
	return page.More
}

// unquoted is a text of JSON that needs no escapes.
func unquoted(text json.RawMessage) string { return strings.Trim(string(text), `"`) }

// compare follows to the end, and finds what differs from what the API shows. Nobody may be writing any more.
func (m *mirror) compare() {
	m.Helper()
	for m.next(m.replicas[0], "0") {
	}
	shown := 0
	for _, kind := range slices.Sorted(maps.Keys(lists)) {
		method, body := "GET", any(nil)
		if strings.HasSuffix(lists[kind], "/search") {
			method, body = "POST", map[string]any{}
		}
		for _, row := range m.all(method, lists[kind], body) {
			var of struct{ ID string }
			m.check(json.Unmarshal(row, &of))
			if kind == "speaker" { // whose list tells less
				row = m.shows("GET", "/speakers/"+of.ID, nil)
			}
			if shown++; m.rows[kind+" "+of.ID] != string(row) {
				m.odd("the copy of a %s is not what the API shows", kind)
			}
		}
	}
	if shown != len(m.rows) {
		m.odd("the copy has %d rows, the API %d", len(m.rows), shown)
	}
	if m.anew > 0 && !m.promoted {
		m.odd("the copy began anew %d times", m.anew)
	}
	m.note("a copy followed %d changes of %d rows, and began anew %d times", m.told, shown, m.anew)
}
