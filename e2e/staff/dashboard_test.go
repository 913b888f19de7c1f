package staff

import (
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// byStep finds the link of a step of the year on the dashboard.
const byStep = `((name) => [...document.querySelectorAll("ol[aria-label='The year'] a")].find(e => e.textContent.includes(name)))`

func TestTheDashboardFromTheFirstDayOn(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		w.Visit("/admin")
		w.Sees("The way to the first proposal", "What the call asks")
		w.Accessible("before-launch")
		w.Follow("Do it: Tracks")
		w.Path("/admin/events/")
		s.Run("event", "create", "--name", "Another", "--slug", "another", "--timezone", "Asia/Tokyo")
		s.Run("seed", "--event", "harbour", "--sessions", "300", "--contacts", "40")
		w.Visit("/admin")
		// The other event comes first by name, but was not worked on last.
		modelstest.WantAll(t, "/admin leads to", w.All("h1"), []string{"Harbour"})
		w.Sees("Next", "submissions wait in the accept queue", "accepted submissions are in no session", "Tracks", "Days",
			"How they came in")
		w.Accessible("dashboard")
		w.Press("158 in 60 days")
		w.Follow("See which: accepted submissions whose people have no letter yet")
		w.Sees("Accepted, no letter sent")
		w.Follow("Accepted, no letter sent")
		w.DoesNotSee("Accepted, no letter sent")
		w.Visit("/admin")
		for _, step := range []string{"Deciding", "Placing", "Public"} {
			w.Click(byStep, step)
			w.Path("/admin/events/")
			w.Sees(map[string]string{"Deciding": "Pending", "Placing": "Not placed yet",
				"Public": "Publish the programme"}[step])
			w.Visit("/admin")
		}
		w.Follow("Say when it is")
		w.Path("/admin/events/")
		w.Sees("Settings")
	})
}

func TestThePaletteGoesToARecordAndASpeaker(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	w := s.Owner()
	s.Run("seed", "--event", "harbour", "--sessions", "300", "--contacts", "40")
	w.Visit("/admin")
	w.Keys(input.ControlLeft, input.KeyK)
	w.Fill("Page, submission or speaker", "quokka")
	w.Sees("quokka")
	w.Accessible("palette")
	w.Keys(input.ControlLeft, input.KeyK)
	w.Fill("Page, submission or speaker", "person1@")
	if !Within(Patience, func() bool { return len(w.All(`#found a[href*="/speakers/"]`)) == 1 }) {
		t.Fatalf("the palette found %q", w.All("#found a"))
	}
	w.Leaves("Enter", func() { w.Keys(input.Enter) })
	w.Path("/admin/events/")
	w.Sees("person1@", "Submission")
}
