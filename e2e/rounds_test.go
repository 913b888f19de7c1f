package e2e

import "testing"

// TestABlindRoundFromItsSettingsToItsResults has an organizer make a round and assign by a preview, a reviewer who sees
// no names go through it, and the organizer read what it came to.
func TestABlindRoundFromItsSettingsToItsResults(t *testing.T) {
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
		ada := s.window()
		ada.signIn("ada@example.org")
		ada.follow("Reviews")
		ada.follow("Review rounds")
		ada.sees("All submissions", "A new round")
		ada.accessible("rounds")
		ada.fill("Name", "First look")
		ada.press("Make the round")
		ada.sees("The round is there.", "Nobody reviews in this round yet")
		ada.tick("Grace")
		ada.press("Add those ticked")
		ada.sees("1 reviewer is on the round now.")
		ada.accessible("round")
		ada.follow("Change the scorecard")
		ada.press("Add another criterion")
		ada.accessible("scorecard-of-a-round")
		ada.press("Save the scorecard")
		ada.sees("The scorecard is saved.")
		ada.follow("Assign submissions")
		ada.fill("Reviewers for each submission", "1")
		ada.fill("At most for each reviewer", "2")
		ada.press("Preview")
		ada.sees("2 new assignments of 3 submissions", "1 reviewer is missing")
		ada.accessible("assignment")
		ada.press("Assign 2")
		ada.sees("2 new assignments of 2 submissions.")

		grace := s.window()
		grace.signIn("grace@example.org")
		grace.sees("0 of 2 reviewed", "First look")
		grace.doesNotSee("Submissions", "Speakers", "Activity", "Contacts")
		grace.accessible("rounds-of-a-reviewer")
		grace.follow("First look")
		grace.accessible("queue-of-a-round")
		grace.follow("Review the next one")
		grace.sees("No names are shown in this round")
		grace.accessible("submission-of-a-round")
		grace.tick("4")
		grace.fill("Comment", "Exactly right for us")
		grace.press("Save and next")
		grace.sees("Your review is saved.", "1 of 2 reviewed")
		grace.press("I cannot review it")
		grace.press("I have a conflict of interest")
		grace.sees("Nothing else waits for you in this round.", "You gave 4.00", "You have a conflict of interest")

		ada.reload()
		ada.sees("2 of 2 reviewed", "1 set aside")
		ada.follow("Results")
		ada.sees("4.00", "1 to 2 of 2 submissions")
		ada.accessible("results-of-a-round")
	})
}
