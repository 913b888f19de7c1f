package e2e

import (
	"slices"
	"strings"
	"testing"
)

func TestFiltersAreChipsAndTheAddressStaysClean(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		s.run("seed", "--event", "harbour", "--sessions", "200", "--contacts", "40")
		w.visit("/admin")
		w.follow("Submissions")
		w.sees("wait for a decision")
		w.doesNotSee("Clear")
		all := matching(t, w)
		w.press("Filter")
		w.accessible("list-filters")
		w.press("Track")
		// A click on what is no control leaves the pop-up as it is.
		w.poke(w.aim(`((selector) => document.querySelector(selector))`, ".filter-menu .send"))
		w.tick("track 2")
		w.tick("track 3")
		w.press("Show")
		w.sees("track 2", "track 3", "Clear")
		both := matching(t, w)
		if strings.Contains(w.url(), "=&") || strings.HasSuffix(w.url(), "=") || both >= all {
			t.Errorf("%d of %d at %s", both, all, w.url())
		}
		w.narrow("Review", "Not reviewed")
		w.accessible("list-chips")
		// A search keeps the filters; a filter goes by itself.
		w.fill("Search", "a")
		w.press("Search")
		w.sees("Clear", "Not reviewed")
		w.follow("Track track 2; take this filter away")
		w.sees("Not reviewed")
		if left := strings.Count(w.url(), "track="); left != 1 {
			t.Errorf("%d tracks are left at %s", left, w.url())
		}
		w.follow("Track track 3; take this filter away")
		w.sees("Not reviewed")
		if strings.Contains(w.url(), "track=") {
			t.Errorf("the tracks are still in %s", w.url())
		}
		w.follow("Clear")
		if got := matching(t, w); got != all || strings.Contains(w.url(), "?") {
			t.Errorf("%d of %d at %s", got, all, w.url())
		}
		w.press("Order")
		w.follow("By title")
		titles := w.all("tbody .title")
		if !slices.IsSortedFunc(titles, func(a, b string) int {
			return strings.Compare(strings.ToLower(a), strings.ToLower(b))
		}) {
			t.Errorf("%q", titles)
		}
	})
}

func TestRowsAreChangedInTheirPlaceAndBack(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		s.run("seed", "--event", "harbour", "--sessions", "60", "--contacts", "10")
		w.visit("/admin")
		w.follow("Submissions")
		w.follow("Pending")
		n := matching(t, w)
		at := w.url()
		titles := w.all("tbody .title")
		w.tick("Select " + titles[0])
		w.tick("Select " + titles[1])
		w.accessible("list-selected")
		w.press("To accept queue")
		w.sees("2 submissions are in the accept queue.", "Undo")
		if w.scripts { // where the bar stood, however far down one is
			w.holds(`((n) => n && innerHeight - n.getBoundingClientRect().bottom < 40)(document.querySelector("#main > .at-foot"))`)
			w.holds(`!document.activeElement.closest(".notice")`)
		}
		if left := matching(t, w); left != n-2 || w.url() != at {
			t.Errorf("%d of %d wait at %s", left, n, w.url())
		}
		w.press("Undo")
		w.sees("2 submissions are as they were.")
		if left := matching(t, w); left != n {
			t.Errorf("%d of %d wait", left, n)
		}
		// A decision is asked about, whatever the number, and nothing is done by asking.
		w.tick("Select " + titles[0])
		w.press("More…")
		w.choose("New status", "Accepted")
		w.press("Change status")
		w.sees("Accept 1 submission?", titles[0])
		w.follow("Cancel")
		if left := matching(t, w); left != n {
			t.Errorf("%d of %d wait", left, n)
		}
		w.tick("Select " + titles[0])
		w.press("More…")
		w.choose("New status", "Accepted")
		w.press("Change status")
		w.press("Accept 1 submission")
		w.sees("1 of 1 done")
		if w.scripts { // the question answered a form, which a browser does not go back to
			w.back()
			w.sees("Submissions", titles[1])
			w.doesNotSee("Accept 1 submission?")
		}
	})
}

// Of what somebody else was quicker with, the page of the change says why, and what can be done.
func TestAChangeInPlaceThatFailsInPartSaysWhere(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		path, key := s.conference()
		if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name", "Ada",
			"--role", "owner"); err != nil {
			t.Fatal(stderr)
		}
		s.serve("serve")
		ids := map[string]string{}
		for _, title := range []string{"Tides", "Nets", "Ropes"} {
			made := s.ok(key, "POST", path+"/sessions/create", `{"title": "`+title+`", "is_abstract": true}`)
			ids[title] = made["id"].(string)
		}
		w := s.window()
		w.signIn("ada@example.org")
		w.follow("Submissions")
		for title := range ids {
			w.tick("Select " + title)
		}
		s.ok(key, "DELETE", path+"/sessions/"+ids["Nets"], "")
		w.press("To decline queue")
		w.sees("2 of 3 done", "1 record was not changed", "Nets", "Retry the failed ones", "Undo")
		w.press("Undo")
		w.sees("2 submissions are as they were.")
	})
}

func TestTheProgrammeOpensWithItsDays(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		path, key := s.conference()
		if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name", "Ada",
			"--role", "owner"); err != nil {
			t.Fatal(stderr)
		}
		s.serve("serve")
		for title, start := range map[string]string{"Tides": `"2027-05-20T08:00:00Z"`, "Nets": `"2027-05-20T08:00:00Z"`,
			"Ropes": `"2027-05-21T09:00:00Z"`, "Later": "null"} {
			s.ok(key, "POST", path+"/sessions/create", `{"title": "`+title+`", "starts_at": `+start+`}`)
		}
		w := s.window()
		w.signIn("ada@example.org")
		w.follow("Sessions")
		w.sees("All days", "Thursday 20 May 2027", "2 sessions", "Friday 21 May 2027", "1 has no time yet", "Times in")
		w.accessible("sessions-days")
		w.follow("Friday")
		w.sees("Ropes")
		w.doesNotSee("Tides", "Later")
		w.fill("Search", "tides")
		w.press("Search")
		w.sees("Nothing matches")
		w.follow("Clear")
		w.follow("Not placed yet")
		w.sees("Later")
		w.doesNotSee("Ropes")
	})
}
