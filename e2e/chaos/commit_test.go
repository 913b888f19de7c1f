package chaos

import (
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// number reads one number from the database.
func (s *site) number(query string) (n int) {
	s.Helper()
	s.query(func(rows *sql.Rows) error { return rows.Scan(&n) }, query)
	return n
}

// TestKilledInTheMiddleOfACommit has two people commit the same queues while the server is killed again and again: each
// submission is decided once, with its letters and one decision.committed, and none is left in a queue.
func TestKilledInTheMiddleOfACommit(t *testing.T) {
	onlyLong(t)
	onBoth(t, "kill -9 while decisions are committed", func(s *site) {
		s.command("seed", "--event", "harbour", "--sessions", fmt.Sprint(sized(3000, 300)), "--contacts", "200")
		queued := s.number("SELECT count(*) FROM sessions WHERE is_abstract AND status IN ('accept_queue', 'decline_queue')")
		letters := s.number(`SELECT count(*) FROM sessions s JOIN participants x ON x.session_id = s.id
			JOIN contacts c ON c.id = x.contact_id
			WHERE s.is_abstract AND s.status IN ('accept_queue', 'decline_queue') AND c.email <> ''`)
		serving := s.replicas[0]
		serving.start()
		dana := s.newStaff()
		decisions := "/admin/events/" + s.event + "/decisions"
		var opened []string
		for range 2 {
			dana.read(decisions)
			opened = append(opened, dana.send(decisions, url.Values{"queue": {"both"}}))
		}
		for _, at := range opened {
			dana.read(at)
			dana.send(at, url.Values{})
		}
		kills := s.killsUntilDone(serving, sized(40, 5))
		for what, query := range map[string]string{
			"decisions":          "SELECT count(*) FROM decisions",
			"decided":            "SELECT count(DISTINCT session_id) FROM decisions WHERE number = 1",
			"decision.committed": "SELECT count(*) FROM emissions WHERE type = 'decision.committed'",
			"updated":            "SELECT count(*) FROM emissions WHERE type = 'session.updated'",
			"lines":              "SELECT count(*) FROM activity WHERE subject = 'session' AND action = 'updated'",
		} {
			s.expect(what, s.number(query), queued)
		}
		s.expect("letters", s.number("SELECT count(*) FROM letters WHERE state = 'draft' AND is_current"), letters)
		s.expect("left in a queue", s.number("SELECT count(*) FROM sessions WHERE is_abstract AND status LIKE '%_queue'"), 0)
		dana.read(opened[0])
		if !strings.Contains(dana.page, "Undo these decisions") && !strings.Contains(dana.page, "0 decisions committed") {
			s.other.add("the page of the commit does not say that it is done")
		}
		s.acknowledged += queued
		s.note("%d kills, %d letters", kills, letters)
		s.done = true
	})
}

// expect counts what is missing as lost, and what is too many as doubled.
func (s *site) expect(what string, is, want int) {
	for range want - is {
		s.lost.add("%s: %d of %d", what, is, want)
	}
	for range is - want {
		s.doubled.add("%s: %d in place of %d", what, is, want)
	}
}
