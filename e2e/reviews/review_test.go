package reviews

import (
	"fmt"
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestReviewersScoreAndTheOrganizerPicksByScore(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		path, key := s.Conference()
		for name, role := range map[string]string{"Grace": "reviewer", "Ada": "organizer"} {
			if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", name+"@example.org", "--name",
				name, "--role", role); err != nil {
				t.Fatal(stderr)
			}
		}
		s.Serve("serve")
		for _, title := range []string{"Tides", "Nets", "Ropes"} {
			s.Ok(key, "POST", path+"/sessions/create", `{"title": "`+title+`", "is_abstract": true}`)
		}
		grace := s.Window()
		grace.SignIn("grace@example.org")
		grace.Sees("submissions wait for your review")
		grace.Accessible("dashboard-reviewer")
		grace.Follow("Reviews")
		grace.Accessible("reviews-reviewer")
		grace.Follow("Tides")
		grace.Accessible("submission-reviewer")
		grace.Press("Save") // the browser asks for the score first
		grace.Tick("5 Excellent")
		grace.Fill("Comment", "Exactly right for us")
		grace.Press("Save")
		grace.Sees("Your review is saved. 2 submissions wait for it still.")
		// The next one that waits, though this one waits no more.
		grace.Follow("Next")
		grace.Sees("Nets")
		grace.Tick("2 Weak")
		grace.Press("Save")
		grace.Sees("Your review is saved. 1 submission waits for it still.")
		grace.Visit("/admin")
		grace.Sees("2 of 3 reviewed", "submission waits for your review", "What you gave lately")
		grace.Follow("Submissions")
		grace.Narrow("Review", "Waits for my review")
		grace.Sees("1 to 1 of 1", "Ropes")
		grace.DoesNotSee("Tides", "Nets", "5.00")
		grace.Narrow("Review", "Reviewed by me")
		grace.Sees("1 to 2 of 2", "Tides", "Nets")

		ada := s.Window()
		ada.SignIn("ada@example.org")
		ada.Follow("Submissions")
		ada.Sees("5.00", "2.00", "No review yet", "1 of them for a first review")
		ada.Follow("Score")
		modelstest.WantAll(t, "by score", ada.All("a.title"), []string{"Tides", "Nets", "Ropes"})
		ada.Narrow("Review", "4 and more")
		ada.Sees("1 to 1 of 1")
		ada.DoesNotSee("Nets")
		ada.Follow("Tides")
		ada.Sees("5.00, the mean of 1", "Grace", "Exactly right for us")
		ada.Press("Review it yourself")
		ada.Tick("3 Fair")
		ada.Press("Save")
		ada.Sees("4.00, the mean of 2")
		ada.Accessible("submission-reviews")
		ada.Follow("Take back")
		ada.Press("Take it back")
		ada.Sees("Your review is taken back.", "5.00, the mean of 1")
	})
}

// TestTenReviewsInARow has a reviewer go through what waits by hand, on a phone, and, with scripts, by keys alone.
func TestTenReviewsInARow(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		path, key := s.Conference()
		for _, name := range []string{"Grace", "Li"} {
			if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", name+"@example.org", "--name",
				name, "--role", "reviewer"); err != nil {
				t.Fatal(stderr)
			}
		}
		s.Serve("serve")
		for i := range 10 {
			s.Ok(key, "POST", path+"/sessions/create", fmt.Sprintf(`{"title": "Knot %d", "is_abstract": true}`, i+1))
		}
		s.Ok(key, "POST", path+"/sessions/create", `{"title": "Unsent", "is_abstract": true, "status": "draft"}`)

		phone := s.Window()
		phone.SignIn("li@example.org")
		phone.Resize(390, 844)
		phone.Visit("/admin")
		phone.Follow("Review the next one")
		for i := range 10 {
			phone.Sees(fmt.Sprintf("Knot %d", i+1), "Not given yet", fmt.Sprintf("%d of 10 reviewed", i))
			phone.Touch("Review it")
			if i == 0 && phone.Scripts {
				phone.Judge("scorecard-phone")
			}
			phone.Tick([]string{"1 Poor", "5 Excellent"}[i%2])
			phone.Press("Save and next")
		}
		phone.Sees("Nothing waits for you.", "10 of 10 reviewed", "Your review of A-10 is saved.")
		phone.DoesNotSee("Unsent")
		phone.Follow("Knot 10")
		phone.Sees("You gave 5")
		phone.Follow("Submissions")

		desk := s.Window()
		desk.SignIn("grace@example.org")
		desk.Follow("Review the next one")
		for i := range 10 {
			desk.Sees(fmt.Sprintf("Knot %d", i+1), fmt.Sprintf("%d of 10 reviewed", i))
			reviews(desk, i)
		}
		desk.Sees("Nothing waits for you.", "10 of 10 reviewed")
		desk.DoesNotSee("Unsent", "Knot 11")
		desk.Follow("Knot 10")
		if score := On[bool](desk, ByLabel, []any{"5 Excellent"}, `(e) => e.checked`); !score {
			t.Error("the score of the last is not what was given")
		}
	})
}

// reviews gives a score and goes on: by keys where there are scripts, in two ways.
func reviews(w *Window, i int) {
	w.T.Helper()
	score := i%5 + 1
	switch {
	case !w.Scripts:
		w.Tick(fmt.Sprint(score))
		w.Press("Save and next")
	case i%2 == 0:
		w.Keys(input.Digit1 + input.Key(score-1))
		w.WaitFor(fmt.Sprintf(`document.querySelector("[name=score]:checked")?.value === "%d"`, score))
		w.Leaves("Enter", func() { w.Keys(input.Enter) })
	default:
		// A digit in the comment is a digit.
		w.Keys(input.Digit1 + input.Key(score-1))
		w.Focus(ByLabel, "Comment")
		w.Keys(input.Digit1)
		w.WaitFor(fmt.Sprintf(`document.querySelector("[name=score]:checked")?.value === "%d" &&
			document.querySelector("[name=comment]").value === "1"`, score))
		w.Leaves("Ctrl+Enter", func() { w.Keys(input.ControlLeft, input.Enter) })
	}
}
