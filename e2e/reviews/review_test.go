package reviews

import (
	"fmt"
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestTenReviewsInARow has one reviewer review ten submissions on a phone, and another one at a desk: by keys alone
// where scripts run.
func TestTenReviewsInARow(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		path, key := s.Conference()
		s.Hire("Grace", "reviewer")
		s.Hire("Li", "reviewer")
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
		modelstest.Want(t, "5 is ticked", On[bool](desk, ByLabel, []any{"5 Excellent"}, `(e) => e.checked`), true)
	})
}

// reviews gives a score and saves it: by one of two ways with keys where scripts run.
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
