package e2e

import (
	"slices"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// byStep finds the link of a step of the year on the dashboard.
const byStep = `((name) => [...document.querySelectorAll("ol[aria-label='The year'] a")].find(e => e.textContent.includes(name)))`

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
		w.sees("Next", "submissions wait in the accept queue", "accepted submissions are in no session", "Tracks", "Days",
			"How they came in")
		w.accessible("dashboard")
		w.press("158 in 60 days")
		w.follow("See which: accepted submissions whose people have no letter yet")
		w.sees("Accepted, no letter sent")
		w.follow("Accepted, no letter sent")
		w.doesNotSee("Accepted, no letter sent")
		w.visit("/admin")
		for _, step := range []string{"Deciding", "Placing", "Public"} {
			w.click(byStep, step)
			w.path("/admin/events/")
			w.sees(map[string]string{"Deciding": "Pending", "Placing": "Not placed yet",
				"Public": "Publish the programme"}[step])
			w.visit("/admin")
		}
		w.follow("Say when it is")
		w.path("/admin/events/")
		w.sees("Settings")
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
