package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// byNumber finds the link of a number on the dashboard.
const byNumber = `((name) => [...document.querySelectorAll("[aria-labelledby=numbers] a")].find(e => e.textContent.includes(name)))`

func TestTheDashboardFromTheFirstDayOn(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		w.visit("/admin")
		w.sees("Before launch", "First submission")
		w.accessible("before-launch")
		w.follow("Set up")
		w.path("/admin/events/")
		s.run("event", "create", "--name", "Another", "--slug", "another", "--timezone", "Asia/Tokyo")
		s.run("seed", "--event", "harbour", "--sessions", "300", "--contacts", "40")
		w.visit("/admin")
		// The other event comes first by name, but was not worked on last.
		if got := w.all("h1"); !slices.Equal(got, []string{"Harbour"}) {
			t.Errorf("/admin leads to %q", got)
		}
		w.sees("Needs attention", "submissions wait in the accept queue", "accepted submissions are in no session")
		w.accessible("dashboard")
		w.press("Submissions by day as a table")
		w.follow("Show them: accepted submissions whose people have no letter yet")
		w.sees("Accepted, no letter sent")
		w.follow("Accepted, no letter sent")
		w.doesNotSee("Accepted, no letter sent")
		w.visit("/admin")
		for _, tile := range []string{"Scheduled", "Published", "Speakers"} {
			w.click(byNumber, tile)
			w.path("/admin/events/")
			w.sees(map[string]string{"Scheduled": "With a start", "Published": "No record passes these filters",
				"Speakers": "people on submissions and sessions"}[tile])
			w.accessible("tile-" + strings.ToLower(tile))
			w.visit("/admin")
		}
	})
}

func TestThePaletteGoesToARecordAndASpeaker(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	s.run("seed", "--event", "harbour", "--sessions", "300", "--contacts", "40")
	w.visit("/admin")
	w.keys(input.ControlLeft, input.KeyK)
	w.fill("Page, submission or speaker", "quokka")
	w.sees("quokka")
	w.accessible("palette")
	w.keys(input.ControlLeft, input.KeyK)
	w.fill("Page, submission or speaker", "person1@")
	if !within(patience, func() bool { return len(w.all(`#found a[href*="/speakers/"]`)) == 1 }) {
		t.Fatalf("the palette found %q", w.all("#found a"))
	}
	w.leaves("Enter", func() { w.keys(input.Enter) })
	w.path("/admin/events/")
	w.sees("person1@", "Submission")
}
