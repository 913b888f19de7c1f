package reviews

import (
	"testing"

	. "lectern/e2e/drive"
)

// TestABlindRoundFromItsSettingsToItsResults has an organizer make a round and assign by a preview, a reviewer who sees
// no names go through it, and the organizer read what it came to.
func TestABlindRoundFromItsSettingsToItsResults(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		path, key := s.Conference()
		s.Hire("Grace", "reviewer")
		s.Hire("Ada", "organizer")
		s.Serve("serve")
		for _, title := range []string{"Tides", "Nets", "Ropes"} {
			s.Ok(key, "POST", path+"/sessions/create", `{"title": "`+title+`", "is_abstract": true}`)
		}
		ada := s.Window()
		ada.SignIn("ada@example.org")
		ada.Follow("Reviews")
		ada.Follow("Review rounds")
		ada.Sees("All submissions", "A new round")
		ada.Accessible("rounds")
		ada.Fill("Name", "First look")
		ada.Press("Make the round")
		ada.Sees("The round is there.", "Nobody reviews in this round yet")
		ada.Tick("Grace")
		ada.Press("Add those ticked")
		ada.Sees("1 reviewer is on the round now.")
		ada.Accessible("round")
		ada.Follow("Change the scorecard")
		// A criterion asks for what its kind has, and for nothing else.
		ada.Sees("Lowest", "Highest", "Weight")
		ada.DoesNotSee("Choices")
		ada.Choose("Asks for", "A choice")
		ada.Sees("Choices")
		ada.Choose("Asks for", "A number")
		ada.DoesNotSee("Choices")
		ada.Press("Add another criterion")
		ada.Accessible("scorecard-of-a-round")
		ada.Press("Save the scorecard")
		ada.Sees("The scorecard is saved.")
		ada.Follow("Assign submissions")
		ada.Fill("Reviewers for each submission", "1")
		ada.Fill("At most for each reviewer", "2")
		ada.Press("Preview")
		ada.Sees("2 new assignments of 3 submissions", "1 reviewer is missing")
		ada.Accessible("assignment")
		ada.Press("Assign 2")
		ada.Sees("2 new assignments of 2 submissions.")

		grace := s.Window()
		grace.SignIn("grace@example.org")
		grace.Sees("0 of 2 reviewed", "First look")
		grace.DoesNotSee("Submissions", "Speakers", "Activity", "Contacts")
		grace.Accessible("rounds-of-a-reviewer")
		grace.Follow("First look")
		grace.Accessible("queue-of-a-round")
		grace.Follow("Review the next one")
		grace.Sees("No names are shown in this round")
		grace.Accessible("submission-of-a-round")
		grace.Tick("4")
		grace.Fill("Comment", "Exactly right for us")
		grace.Press("Save and next")
		grace.Sees("Your review is saved.", "1 of 2 reviewed")
		grace.Press("I cannot review it")
		grace.Press("I have a conflict of interest")
		grace.Sees("Nothing else waits for you in this round.", "You gave 4.00", "You have a conflict of interest")

		ada.Reload()
		ada.Sees("2 of 2 reviewed", "1 set aside")
		ada.Follow("Results")
		ada.Sees("4.00", "1 to 2 of 2 submissions")
		ada.Accessible("results-of-a-round")
	})
}
