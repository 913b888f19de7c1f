package e2e

import (
	"slices"
	"strings"
	"testing"
)

// TestPeopleAreMergedAndErased goes the way of who tidies a directory: three suggested pairs, one by hand, and somebody
// who asked to be erased. The receiver hears of the merges alone.
func TestPeopleAreMergedAndErased(t *testing.T) { journey(t, mergeJourney) }

func mergeJourney(t *testing.T, s *site) {
	s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.owner()
	hook := newReceiver(t)
	s.run("webhook", "create", "--url", hook.URL)
	add := func(first, last, email, company string) {
		w.follow("Speakers")
		w.follow("Add person")
		w.fill("First name", first)
		w.fill("Last name", last)
		w.fill("E-mail", email)
		w.fill("Company", company)
		w.press("Add person")
		w.sees(first + " " + last + " is added.")
	}
	add("Nomvula", "Dlamini", "nomvula@ledger.example", "Ledgerline")
	add("Nomvula", "Dlamini", "n.dlamini@ledger.example", "Ledgerline")
	add("Bruno", "Silva", "bruno.silva@quay.example", "Quay")
	add("B.", "Silva", "brunosilva+talks@quay.example", "")
	add("Li", "Wei", "li@one.example", "")
	add("Wei", "Li", "", "")
	add("Grace", "Mokoena", "grace@example.org", "Estuary")
	add("G.", "Mokoena-Botha", "grace@old.example", "")

	w.follow("Contacts")
	w.follow("Pairs that look alike")
	w.sees("3 pairs.", "Same name and company.", "Same e-mail address")
	w.accessible("pairs")
	w.follow("Compare Nomvula Dlamini and Nomvula Dlamini")
	w.sees("Are these the same person?", "The other stays as an alias")
	w.accessible("compare")
	w.click(byLabel, "n.dlamini@ledger.example")
	w.press("Merge into Nomvula Dlamini")
	w.sees("“Nomvula Dlamini” is merged into “Nomvula Dlamini”.", "n.dlamini@ledger.example")
	w.follow("Who was merged into them")
	w.sees("Merged into Nomvula Dlamini", "Ledgerline")
	w.accessible("merges")

	w.visit("/admin/contacts/pairs")
	w.tick("Merge B. Silva into Bruno Silva")
	w.tick("Merge Wei Li into Li Wei")
	w.press("Merge the ticked pairs…")
	w.sees("Merge 2 pairs?", "Bruno Silva (bruno.silva@quay.example) ← B. Silva (brunosilva+talks@quay.example)")
	w.accessible("merge-pairs")
	w.press("Merge 2 pairs")
	w.sees("2 pairs are merged.", "Nobody looks like somebody else")

	w.follow("All contacts")
	w.follow("Grace Mokoena")
	w.follow("Merge with…")
	w.fill("Search", "mokoena")
	w.press("Search")
	w.accessible("merge-with")
	w.follow("Compare with G. Mokoena-Botha")
	w.press("Merge into Grace Mokoena")
	w.sees("“G. Mokoena-Botha” is merged into “Grace Mokoena”.")
	w.follow("Erase this person…")
	w.sees("Erase Grace Mokoena?", "Sessions stay", "Backups")
	w.accessible("erase")
	w.press("Erase this person")
	w.sees("Erased person", "Their places on sessions stay.")
	w.doesNotSee("grace@example.org", "Estuary")

	// The address of a merged contact opens whoever it became.
	w.follow("Speakers")
	w.follow("Add person")
	w.fill("First name", "Somebody")
	w.fill("Last name", "Else")
	w.fill("E-mail", "NOMVULA@ledger.example")
	w.press("Add person")
	w.sees("Nomvula Dlamini")

	bodies := hook.wait(t, 4)
	if len(bodies) != 4 || slices.ContainsFunc(bodies, func(body string) bool {
		return !strings.Contains(body, `"event":"contact.merged"`) || !strings.Contains(body, `"mergedAwayId":"`)
	}) {
		t.Errorf("the receiver heard %q", bodies)
	}
}
