package reviews

import (
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
)

// TestTheKeysOfAScorecardWithCriteria has a reviewer look up the keys and answer two criteria, one after the other.
func TestTheKeysOfAScorecardWithCriteria(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	ada := s.Owner()
	s.Hire("Grace", "reviewer")
	s.Run("seed", "--event", "harbour", "--sessions", "10", "--contacts", "4")
	ada.Visit("/admin")
	ada.Follow("Reviews")
	ada.Follow("Review rounds")
	ada.Fill("Name", "First look")
	ada.Press("Make the round")
	ada.Tick("Grace")
	ada.Press("Add those ticked")
	ada.Follow("Change the scorecard")
	ada.Press("Add another criterion")
	ada.WaitFor(`Object.entries({name_1: "New", low_1: 1, high_1: 5, weight_1: 1, name_2: "Clear", low_2: 1, high_2: 5, weight_2: 1})
		.every(([id, value]) => (document.getElementById(id).value = value, true))`)
	ada.Press("Save the scorecard")
	ada.Sees("The scorecard is saved.")
	ada.Follow("Assign submissions")
	ada.Fill("Reviewers for each submission", "1")
	ada.Press("Preview")
	ada.Click(ByRole, "button", "Assign")

	grace := s.Window()
	grace.SignIn("grace@example.org")
	grace.Keys(input.Key('?'))
	grace.WaitFor(`document.getElementById("keys").open`)
	grace.Sees("On a scorecard: give the score, or answer one criterion after the other")
	grace.DoesNotSee("Select the row, or not")
	grace.Keys(input.Escape)
	grace.Follow("First look")
	grace.Follow("Review the next one")
	answered := func(want string) {
		t.Helper()
		grace.WaitFor(`[...document.querySelectorAll("form[data-scorecard] .scores")].map(s => s.querySelector(":checked")?.value ?? "-")
			.join() === "` + want + `"`)
	}
	answered("-,-")
	grace.Keys(input.Digit4)
	answered("4,-")
	grace.Keys(input.Digit2)
	answered("4,2")
	grace.Keys(input.Digit5) // one is at the second still, and says better
	answered("4,5")
	grace.Leaves("Enter", func() { grace.Keys(input.Enter) })
	grace.Sees("Your review is saved.")
	answered("-,-")
}
