package chaos

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// mirror is a client that keeps a copy of the sessions by following the changes, at whichever replica answers.
type mirror struct {
	*site
	rows   map[string]string
	cursor string
	told   int
	anew   int // how often the database did not know the cursor
}

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
	query := url.Values{"since": {m.cursor}, "kinds": {"session"}, "limit": {"20"}, "wait": {wait}}
	got := m.ask(at, request{method: "GET", path: "/changes?" + query.Encode(), limit: 5 * time.Second})
	if fault := got.fault(at); got.status == http.StatusGone { // after a promotion
		m.rows, m.cursor, m.anew = map[string]string{}, "", m.anew+1
		return true
	} else if fault != "" {
		m.odd("following was answered %s", fault)
	}
	var page struct {
		Results []struct {
			ID      string
			Deleted bool
			Session json.RawMessage
		}
		Cursor string
		More   bool
	}
	if got.status != http.StatusOK || json.Unmarshal(got.body, &page) != nil {
		return false
	}
	for _, c := range page.Results {
		if delete(m.rows, c.ID); !c.Deleted {
			m.rows[c.ID] = string(c.Session)
		}
	}
	m.cursor, m.told = page.Cursor, m.told+len(page.Results)
	return page.More
}

// compare follows to the end, and finds what differs from what the API shows. Nobody may be writing any more.
func (m *mirror) compare() {
	m.Helper()
	for m.next(m.replicas[0], "0") {
	}
	shown := 0
	for number, pages := 1, 1; number <= pages; number++ {
		got := m.ask(m.replicas[0], request{method: "POST", path: "/sessions/search", limit: time.Minute,
			body: map[string]any{"page": number, "pageSize": 100, "sort": map[string]any{"order": "createdAt"}}})
		var page struct {
			Results    []json.RawMessage
			Pagination struct{ TotalPages int }
		}
		if got.status != http.StatusOK || json.Unmarshal(got.body, &page) != nil {
			m.Fatalf("reading back: %s", got)
		}
		for _, session := range page.Results {
			var of row
			m.check(json.Unmarshal(session, &of))
			if shown++; m.rows[of.ID] != string(session) {
				m.odd("the copy of %s is not what the API shows", of.FriendlyID)
			}
		}
		pages = page.Pagination.TotalPages
	}
	if shown != len(m.rows) {
		m.odd("the copy has %d sessions, the API %d", len(m.rows), shown)
	}
	if m.anew > 0 && !m.promoted {
		m.odd("the copy began anew %d times", m.anew)
	}
	m.note("a copy followed %d changes of %d sessions, and began anew %d times", m.told, shown, m.anew)
}
