package people

import (
	"slices"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// TestPeopleAreMergedAndErased goes the way of who tidies a directory: three suggested pairs, one by hand, and somebody
// who asked to be erased. The receiver hears of the merges alone.
func TestPeopleAreMergedAndErased(t *testing.T) {
	OnlyLong(t)
	Journey(t, mergeJourney)
}

func mergeJourney(t *testing.T, s *Site) {
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.Owner()
	hook := NewReceiver(t)
	s.Run("webhook", "create", "--url", hook.URL)
	add := func(first, last, email, company string) {
		w.Follow("Speakers")
		w.Follow("Add person")
		w.Fill("First name", first)
		w.Fill("Last name", last)
		w.Fill("E-mail", email)
		w.Fill("Company", company)
		w.Press("Add person")
		w.Sees(first + " " + last + " is added.")
	}
	add("Nomvula", "Dlamini", "nomvula@ledger.example", "Ledgerline")
	add("Nomvula", "Dlamini", "n.dlamini@ledger.example", "Ledgerline")
	add("Bruno", "Silva", "bruno.silva@quay.example", "Quay")
	add("B.", "Silva", "brunosilva+talks@quay.example", "")
	add("Li", "Wei", "li@one.example", "")
	add("Wei", "Li", "", "")
	add("Grace", "Mokoena", "grace@example.org", "Estuary")
	add("G.", "Mokoena-Botha", "grace@old.example", "")

	w.Follow("Contacts")
	w.Follow("Pairs that look alike")
	w.Sees("3 pairs.", "Same name and company.", "Same e-mail address")
	w.Accessible("pairs")
	w.Follow("Compare Nomvula Dlamini and Nomvula Dlamini")
	w.Sees("Are these the same person?", "The other stays as an alias")
	w.Accessible("compare")
	w.Click(ByLabel, "n.dlamini@ledger.example")
	w.Press("Merge into Nomvula Dlamini")
	w.Sees("“Nomvula Dlamini” is merged into “Nomvula Dlamini”.", "n.dlamini@ledger.example")
	w.Follow("Who was merged into them")
	w.Sees("Merged into Nomvula Dlamini", "Ledgerline")
	w.Accessible("merges")

	w.Visit("/admin/contacts/pairs")
	w.Tick("Merge B. Silva into Bruno Silva")
	w.Tick("Merge Wei Li into Li Wei")
	w.Press("Merge the ticked pairs…")
	w.Sees("Merge 2 pairs?", "Bruno Silva (bruno.silva@quay.example) ← B. Silva (brunosilva+talks@quay.example)")
	w.Accessible("merge-pairs")
	w.Press("Merge 2 pairs")
	w.Sees("2 pairs are merged.", "Nobody looks like somebody else")

	w.Follow("All contacts")
	w.Follow("Grace Mokoena")
	w.Follow("Merge with…")
	w.Fill("Search", "mokoena")
	w.Press("Search")
	w.Accessible("merge-with")
	w.Follow("Compare with G. Mokoena-Botha")
	w.Press("Merge into Grace Mokoena")
	w.Sees("“G. Mokoena-Botha” is merged into “Grace Mokoena”.")
	w.Follow("Erase this person…")
	w.Sees("Erase Grace Mokoena?", "Sessions stay", "Backups")
	w.Accessible("erase")
	w.Press("Erase this person")
	w.Sees("Erased person", "Their places on sessions stay.")
	w.DoesNotSee("grace@example.org", "Estuary")

	// The address of a merged contact opens whoever it became.
	w.Follow("Speakers")
	w.Follow("Add person")
	w.Fill("First name", "Somebody")
	w.Fill("Last name", "Else")
	w.Fill("E-mail", "NOMVULA@ledger.example")
	w.Press("Add person")
	w.Sees("Nomvula Dlamini")

	bodies := hook.Wait(t, 4)
	if len(bodies) != 4 || slices.ContainsFunc(bodies, func(body string) bool {
		return !strings.Contains(body, `"event":"contact.merged"`) || !strings.Contains(body, `"mergedAwayId":"`)
	}) {
		t.Errorf("the receiver heard %q", bodies)
	}
}
