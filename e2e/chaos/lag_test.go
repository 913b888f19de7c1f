package chaos

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"
)

// A standby that was not waited for lacks the last writes. Nothing can bring them
// back, and nothing may be left of them: what the process had counted and kept of
// the old primary is not what the new one has, though both came through as many
// changes.
func TestStandbyPromotedThatLagged(t *testing.T) {
	onlyLong(t)
	x := begin(t, "standby promoted that lagged", "postgres")
	primary := x.newCluster()
	standby := primary.standby()
	primary.sql("ALTER SYSTEM RESET synchronous_standby_names")
	primary.sql("SELECT pg_reload_conf()")
	s := x.newSite(urlOf(primary, standby))
	s.replicas[0].start()
	s.make("programme session", 3, false)
	for want := 3; standby.countSessions() < want; {
		s.pause(50 * time.Millisecond)
	}
	standby.run("pg_ctl", "stop", "-D", standby.dir, "-m", "fast", "-w")
	s.make("submission that is lost", 5, true)
	if abstracts, sessions := s.counted(true), s.counted(false); abstracts != 5 || sessions != 3 {
		s.odd("%d and %d are counted, want 5 and 3", abstracts, sessions)
	}
	primary.kill()
	standby.start()
	standby.promote()
	promoted := time.Now()
	for status := 0; status != http.StatusOK; s.pause(100 * time.Millisecond) {
		status, _ = s.get(s.replicas[0].base.Load().(string)+"/readyz", 2*time.Second)
	}
	s.note("back after %.1f s", time.Since(promoted).Seconds())
	for more := range 7 {
		if abstracts, sessions := s.counted(true), s.counted(false); abstracts != 0 || sessions != 3+more {
			s.odd("%d and %d are counted after the promotion, want 0 and %d", abstracts, sessions, 3+more)
		}
		s.make("programme session", 1, false)
	}
	s.done = true
}

// make makes sessions.
func (s *site) make(title string, n int, abstract bool) {
	s.Helper()
	for range n {
		r := s.insist(request{method: "POST", path: "/sessions/create",
			body: map[string]any{"title": title, "is_abstract": abstract}})
		if r.status != http.StatusOK {
			s.Fatalf("a create: %s", r)
		}
	}
}

// counted is how many live sessions of a kind a search counts, which says so from
// memory when it can. It complains when another number is shown.
func (s *site) counted(abstract bool) int {
	s.Helper()
	var page struct {
		Results    []*row
		Pagination struct{ TotalResults int }
	}
	for _, size := range []int{1, 100} {
		r := s.insist(request{method: "POST", path: "/sessions/search",
			body: map[string]any{"filters": map[string]any{"is_abstract": abstract}, "pageSize": size}})
		if r.status != http.StatusOK || json.Unmarshal(r.body, &page) != nil {
			s.Fatalf("a search: %s", r)
		}
		if size == 100 && len(page.Results) != page.Pagination.TotalResults {
			s.odd("%d are shown, %d counted", len(page.Results), page.Pagination.TotalResults)
		}
		if size == 1 && page.Pagination.TotalResults == 0 {
			return 0
		}
	}
	return page.Pagination.TotalResults
}

// insist asks again while the database is away: each connection to a server that
// died tells so once.
func (s *site) insist(r request) (answer reply) {
	r.limit = 20 * time.Second
	for range 50 {
		if answer = s.ask(s.replicas[0], r); answer.status != http.StatusServiceUnavailable {
			break
		}
		s.pause(100 * time.Millisecond)
	}
	return answer
}

// countSessions is how many sessions this server has.
func (c *cluster) countSessions() int { return len(c.titles()) }

// A change that waits for a standby which is away is there already, but may be
// lost with the primary: the answer to the same request sent again must wait too.
func TestKeptAnswerWaitsForTheStandby(t *testing.T) {
	onlyLong(t)
	x := begin(t, "answer kept, standby away", "postgres")
	primary := x.newCluster()
	standby := primary.standby()
	s := x.newSite(urlOf(primary, standby))
	s.replicas[0].start()
	create := request{method: "POST", path: "/sessions/create", body: map[string]any{"title": "Once"}, once: "once",
		limit: 20 * time.Second}
	bulk := request{method: "POST", path: "/sessions/bulk", once: "bulk", limit: 20 * time.Second,
		body: map[string]any{"operations": []any{map[string]any{"action": "create",
			"data": map[string]any{"title": "Once"}}}}}
	if r := s.ask(s.replicas[0], bulk); r.status != http.StatusOK {
		t.Fatalf("a bulk request: %s", r)
	}
	standby.kill()
	for _, r := range []request{create, create, bulk} {
		if got := s.ask(s.replicas[0], r); got.status == http.StatusOK {
			s.odd("%s is acknowledged while the standby is away", r.path)
		}
	}
	standby.start()
	for _, r := range []request{create, bulk} {
		if got := s.insist(r); got.status != http.StatusOK {
			s.odd("%s is answered %s when the standby is back", r.path, got)
		}
	}
	if n := primary.countSessions(); n != 2 {
		s.odd("there are %d sessions, want 2", n)
	}
	s.done = true
}
