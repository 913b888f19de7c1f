package e2e

import (
	"slices"
	"testing"
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
		grace.follow("Review them")
		grace.sees("1 to 3 of 3")
		grace.accessible("submissions-reviewer")
		grace.follow("Tides")
		grace.accessible("submission-reviewer")
		grace.press("Save review") // the browser asks for the score first
		grace.tick("5 Excellent")
		grace.fill("Comment", "Exactly right for us")
		grace.press("Save review")
		grace.sees("Your review is saved. 2 submissions wait for it still.")
		// The next one that waits, though this one waits no more.
		grace.follow("Previous")
		grace.sees("Nets")
		grace.tick("2 Weak")
		grace.press("Save review")
		grace.sees("Your review is saved. 1 submission waits for it still.")
		grace.follow("Submissions")
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
		ada.press("Save review")
		ada.sees("4.00, the mean of 2")
		ada.accessible("submission-reviews")
		ada.follow("Take back")
		ada.press("Take it back")
		ada.sees("Your review is taken back.", "5.00, the mean of 1")
	})
}
