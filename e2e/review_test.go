package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

func TestReviewersScoreAndTheOrganizerPicksByScore(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		path, key := s.conference()
		for name, role := range map[string]string{"Grace": "reviewer", "Ada": "organizer"} {
			if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", name+"@example.org", "--name",
				name, "--role", role); err != nil {
				t.Fatal(stderr)
			}
		}
		s.serve("serve")
		for _, title := range []string{"Tides", "Nets", "Ropes"} {
			s.ok(key, "POST", path+"/sessions/create", `{"title": "`+title+`", "is_abstract": true}`)
		}
		grace := s.window()
		grace.signIn("grace@example.org")
		grace.sees("submissions wait for your review")
		grace.accessible("dashboard-reviewer")
		grace.follow("Reviews")
		grace.accessible("reviews-reviewer")
		grace.follow("Tides")
		grace.accessible("submission-reviewer")
		grace.press("Save") // the browser asks for the score first
		grace.tick("5 Excellent")
		grace.fill("Comment", "Exactly right for us")
		grace.press("Save")
		grace.sees("Your review is saved. 2 submissions wait for it still.")
		// The next one that waits, though this one waits no more.
		grace.follow("Next")
		grace.sees("Nets")
		grace.tick("2 Weak")
		grace.press("Save")
		grace.sees("Your review is saved. 1 submission waits for it still.")
		grace.visit("/admin")
		grace.sees("2 of 3 reviewed", "submission waits for your review", "What you gave lately")
		grace.follow("Submissions")
		grace.narrow("Review", "Waits for my review")
		grace.sees("1 to 1 of 1", "Ropes")
		grace.doesNotSee("Tides", "Nets", "5.00")
		grace.narrow("Review", "Reviewed by me")
		grace.sees("1 to 2 of 2", "Tides", "Nets")

		ada := s.window()
		ada.signIn("ada@example.org")
		ada.follow("Submissions")
		ada.sees("5.00", "2.00", "No review yet", "1 of them for a first review")
		ada.follow("Score")
		if got := ada.all("a.title"); !slices.Equal(got, []string{"Tides", "Nets", "Ropes"}) {
			t.Errorf("by score: %q", got)
		}
		ada.narrow("Review", "4 and more")
		ada.sees("1 to 1 of 1")
		ada.doesNotSee("Nets")
		ada.follow("Tides")
		ada.sees("5.00, the mean of 1", "Grace", "Exactly right for us")
		ada.press("Review it yourself")
		ada.tick("3 Fair")
		ada.press("Save")
		ada.sees("4.00, the mean of 2")
		ada.accessible("submission-reviews")
		ada.follow("Take back")
		ada.press("Take it back")
		ada.sees("Your review is taken back.", "5.00, the mean of 1")
	})
}

// TestTenReviewsInARow has a reviewer go through what waits by hand, on a phone, and, with scripts, by keys alone.
func TestTenReviewsInARow(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		path, key := s.conference()
		for _, name := range []string{"Grace", "Li"} {
			if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", name+"@example.org", "--name",
				name, "--role", "reviewer"); err != nil {
				t.Fatal(stderr)
			}
		}
		s.serve("serve")
		for i := range 10 {
			s.ok(key, "POST", path+"/sessions/create", fmt.Sprintf(`{"title": "Knot %d", "is_abstract": true}`, i+1))
		}
		s.ok(key, "POST", path+"/sessions/create", `{"title": "Unsent", "is_abstract": true, "status": "draft"}`)

		phone := s.window()
		phone.signIn("li@example.org")
		phone.resize(390, 844)
		phone.visit("/admin")
		phone.follow("Review the next one")
		for i := range 10 {
			phone.sees(fmt.Sprintf("Knot %d", i+1), "Not given yet", fmt.Sprintf("%d of 10 reviewed", i))
			phone.touch("Review it")
			if i == 0 && phone.scripts {
				phone.judge("scorecard-phone")
			}
			phone.tick([]string{"1 Poor", "5 Excellent"}[i%2])
			phone.press("Save and next")
		}
		phone.sees("Nothing waits for you.", "10 of 10 reviewed", "Your review of A-10 is saved.")
		phone.doesNotSee("Unsent")
		phone.follow("Knot 10")
		phone.sees("You gave 5")
		phone.follow("Submissions")

		desk := s.window()
		desk.signIn("grace@example.org")
		desk.follow("Review the next one")
		for i := range 10 {
			desk.sees(fmt.Sprintf("Knot %d", i+1), fmt.Sprintf("%d of 10 reviewed", i))
			desk.reviews(i)
		}
		desk.sees("Nothing waits for you.", "10 of 10 reviewed")
		desk.doesNotSee("Unsent", "Knot 11")
		desk.follow("Knot 10")
		if score := on[bool](desk, byLabel, []any{"5 Excellent"}, `(e) => e.checked`); !score {
			t.Error("the score of the last is not what was given")
		}
	})
}

// reviews gives a score and goes on: by keys where there are scripts, in two ways.
func (w *window) reviews(i int) {
	w.t.Helper()
	score := i%5 + 1
	switch {
	case !w.scripts:
		w.tick(fmt.Sprint(score))
		w.press("Save and next")
	case i%2 == 0:
		w.keys(input.Digit1 + input.Key(score-1))
		w.holds(fmt.Sprintf(`document.querySelector("[name=score]:checked")?.value === "%d"`, score))
		w.leaves("Enter", func() { w.keys(input.Enter) })
	default:
		// A digit in the comment is a digit.
		w.keys(input.Digit1 + input.Key(score-1))
		w.focus(byLabel, "Comment")
		w.keys(input.Digit1)
		w.holds(fmt.Sprintf(`document.querySelector("[name=score]:checked")?.value === "%d" &&
			document.querySelector("[name=comment]").value === "1"`, score))
		w.leaves("Ctrl+Enter", func() { w.keys(input.ControlLeft, input.Enter) })
	}
}
