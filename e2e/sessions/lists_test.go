package sessions

import (
	"slices"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

func TestFiltersAreChipsAndTheAddressStaysClean(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		s.Run("seed", "--event", "harbour", "--sessions", "200", "--contacts", "40")
		w.Visit("/admin")
		w.Follow("Submissions")
		w.Sees("wait for a decision")
		w.DoesNotSee("Clear")
		all := matching(t, w)
		w.Press("Filter")
		w.Accessible("list-filters")
		w.Press("Track")
		// A click on what is no control leaves the pop-up as it is.
		w.Poke(w.Aim(`((selector) => document.querySelector(selector))`, ".filter-menu .send"))
		w.Tick("track 2")
		w.Tick("track 3")
		w.Press("Show")
		w.Sees("track 2", "track 3", "Clear")
		both := matching(t, w)
		if strings.Contains(w.URL(), "=&") || strings.HasSuffix(w.URL(), "=") || both >= all {
			t.Errorf("%d of %d at %s", both, all, w.URL())
		}
		w.Narrow("Review", "Not reviewed")
		w.Accessible("list-chips")
		// A search keeps the filters; a filter goes by itself.
		w.Fill("Search", "a")
		w.Press("Search")
		w.Sees("Clear", "Not reviewed")
		w.Follow("Track track 2; take this filter away")
		w.Sees("Not reviewed")
		if left := strings.Count(w.URL(), "track="); left != 1 {
			t.Errorf("%d tracks are left at %s", left, w.URL())
		}
		w.Follow("Track track 3; take this filter away")
		w.Sees("Not reviewed")
		if strings.Contains(w.URL(), "track=") {
			t.Errorf("the tracks are still in %s", w.URL())
		}
		w.Follow("Clear")
		if got := matching(t, w); got != all || strings.Contains(w.URL(), "?") {
			t.Errorf("%d of %d at %s", got, all, w.URL())
		}
		w.Press("Order")
		w.Follow("By title")
		titles := w.All("tbody .title")
		if !slices.IsSortedFunc(titles, func(a, b string) int {
			return strings.Compare(strings.ToLower(a), strings.ToLower(b))
		}) {
			t.Errorf("%q", titles)
		}
	})
}

func TestRowsAreChangedInTheirPlaceAndBack(t *testing.T) {
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		s.Run("seed", "--event", "harbour", "--sessions", "60", "--contacts", "10")
		w.Visit("/admin")
		w.Follow("Submissions")
		w.Follow("Pending")
		n := matching(t, w)
		at := w.URL()
		titles := w.All("tbody .title")
		w.Tick("Select " + titles[0])
		w.Tick("Select " + titles[1])
		w.Accessible("list-selected")
		w.Press("To accept queue")
		w.Sees("2 submissions are in the accept queue.", "Undo")
		if w.Scripts { // where the bar stood, however far down one is
			w.WaitFor(`((n) => n && innerHeight - n.getBoundingClientRect().bottom < 40)(document.querySelector("#main > .at-foot"))`)
			w.WaitFor(`!document.activeElement.closest(".notice")`)
		}
		if left := matching(t, w); left != n-2 || w.URL() != at {
			t.Errorf("%d of %d wait at %s", left, n, w.URL())
		}
		w.Press("Undo")
		w.Sees("2 submissions are as they were.")
		if left := matching(t, w); left != n {
			t.Errorf("%d of %d wait", left, n)
		}
		// A decision is asked about, whatever the number, and nothing is done by asking.
		w.Tick("Select " + titles[0])
		w.Press("More…")
		w.Choose("New status", "Accepted")
		w.Press("Change status")
		w.Sees("Accept 1 submission?", titles[0])
		w.Follow("Cancel")
		if left := matching(t, w); left != n {
			t.Errorf("%d of %d wait", left, n)
		}
		w.Tick("Select " + titles[0])
		w.Press("More…")
		w.Choose("New status", "Accepted")
		w.Press("Change status")
		w.Press("Accept 1 submission")
		w.Sees("1 of 1 done")
		if w.Scripts { // the question answered a form, which a browser does not go back to
			w.Back()
			w.Sees("Submissions", titles[1])
			w.DoesNotSee("Accept 1 submission?")
		}
	})
}

// Of what somebody else was quicker with, the page of the change says why, and what can be done.
func TestAChangeInPlaceThatFailsInPartSaysWhere(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		path, key := s.Conference()
		if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name", "Ada",
			"--role", "owner"); err != nil {
			t.Fatal(stderr)
		}
		s.Serve("serve")
		ids := map[string]string{}
		for _, title := range []string{"Tides", "Nets", "Ropes"} {
			made := s.Ok(key, "POST", path+"/sessions/create", `{"title": "`+title+`", "is_abstract": true}`)
			ids[title] = made["id"].(string)
		}
		w := s.Window()
		w.SignIn("ada@example.org")
		w.Follow("Submissions")
		for title := range ids {
			w.Tick("Select " + title)
		}
		s.Ok(key, "DELETE", path+"/sessions/"+ids["Nets"], "")
		w.Press("To decline queue")
		w.Sees("2 of 3 done", "1 record was not changed", "Nets", "Retry the failed ones", "Undo")
		w.Press("Undo")
		w.Sees("2 submissions are as they were.")
	})
}

func TestTheProgrammeOpensWithItsDays(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		path, key := s.Conference()
		if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name", "Ada",
			"--role", "owner"); err != nil {
			t.Fatal(stderr)
		}
		s.Serve("serve")
		for title, start := range map[string]string{"Tides": `"2027-05-20T08:00:00Z"`, "Nets": `"2027-05-20T08:00:00Z"`,
			"Ropes": `"2027-05-21T09:00:00Z"`, "Later": "null"} {
			s.Ok(key, "POST", path+"/sessions/create", `{"title": "`+title+`", "starts_at": `+start+`}`)
		}
		w := s.Window()
		w.SignIn("ada@example.org")
		w.Follow("Sessions")
		w.Sees("All days", "Thursday 20 May 2027", "2 sessions", "Friday 21 May 2027", "1 has no time yet", "Times in")
		w.Accessible("sessions-days")
		w.Follow("Friday")
		w.Sees("Ropes")
		w.DoesNotSee("Tides", "Later")
		w.Fill("Search", "tides")
		w.Press("Search")
		w.Sees("Nothing matches")
		w.Follow("Clear")
		w.Follow("Not placed yet")
		w.Sees("Later")
		w.DoesNotSee("Ropes")
	})
}
