package chaos

import (
	"net/url"
	"regexp"
	"testing"
)

var heldNumbers = regexp.MustCompile(`name="held_numbers" value="([^"]+)"`)

// TestKilledInTheMiddleOfPublishingAll has two people publish the same held sessions with a reason each, while the
// server is killed again and again: each session is published once, with one session.published and one reason.
func TestKilledInTheMiddleOfPublishingAll(t *testing.T) {
	onlyLong(t)
	onBoth(t, "kill -9 while a programme is published", func(s *site) {
		s.command("seed", "--event", "harbour", "--sessions", "3000", "--contacts", "50")
		const live = "is_abstract = false AND deleted_at IS NULL AND status = 'accepted'"
		held := s.number("SELECT count(*) FROM sessions WHERE " + live + " AND is_public = false")
		was := s.number("SELECT count(*) FROM sessions WHERE is_public")
		serving := s.replicas[0]
		serving.start()
		dana := s.newStaff()
		base := "/admin/events/" + s.event + "/publish"
		for range 2 {
			dana.read(base)
			found := heldNumbers.FindStringSubmatch(dana.page)
			if found == nil {
				s.Fatalf("nothing is held: %s", dana.page)
			}
			dana.send(base+"/anyway", url.Values{"numbers": {found[1]}, "confirm": {"yes"}, "reason": {"Imported"}})
		}
		kills := s.killsUntilDone(serving, 40)
		for what, query := range map[string]string{
			"session.published": "SELECT count(*) FROM emissions WHERE type = 'session.published'",
			"emissions":         "SELECT count(*) FROM emissions",
			"reasons":           "SELECT count(*) FROM activity WHERE action = 'published_anyway'",
			"told of":           "SELECT count(DISTINCT resource_id) FROM emissions WHERE type = 'session.published'",
			"changed":           "SELECT count(*) FROM batch_items WHERE state = 'done' AND after <> '{}'",
		} {
			s.expect(what, s.number(query), held)
		}
		s.expect("public", s.number("SELECT count(*) FROM sessions WHERE is_public"), was+held)
		s.expect("failed", s.number("SELECT count(*) FROM batch_items WHERE state <> 'done'"), 0)
		s.acknowledged += held
		s.note("%d kills", kills)
		s.done = true
	})
}
