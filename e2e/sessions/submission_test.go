package sessions

import (
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestTwoBrowsersEditOneSubmission(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		ada := s.Owner()
		if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", "li@example.org", "--name",
			"Li Wei", "--role", "organizer"); err != nil {
			t.Fatal(stderr)
		}
		ada.Follow("Submissions")
		ada.Sees("No submissions yet")
		ada.Accessible("submissions-empty")
		ada.Follow("New submission")
		ada.Press("Create submission") // the browser asks for the title first
		ada.Fill("Title", "Harbour logs")
		ada.Fill("Description", "4,000 evenings")
		ada.Press("Create submission")
		ada.Sees("A-1 is created.", "4,000 evenings")
		record := ada.URL()
		ada.Accessible("submission")

		li := s.Window()
		li.SignIn("li@example.org")
		li.Visit(record)
		li.Follow("Edit")
		ada.Follow("Edit")
		ada.Accessible("submission-edit")
		li.Fill("Title", "Harbour logs, digitised")
		li.Choose("Status", "Accept queue")
		li.Press("Save")
		li.Sees("Saved.")
		ada.Fill("Title", "Harbour logs by volunteers")
		ada.Fill("Description", "4,000 evenings, one rule")
		ada.Press("Save")
		ada.Sees("Li Wei changed Title and Status just now", "Choose which to keep")
		ada.Accessible("conflict")
		ada.Tick("Theirs")
		modelstest.Want(t, "Li's status was not taken over", ada.Value("Status"), "accept_queue")
		ada.Press("Save")
		ada.Sees("Saved.", "Harbour logs, digitised", "one rule", "Accept queue")
		li.Reload()
		li.Sees("Harbour logs, digitised", "one rule", "Ada Byron")

		li.Press("More")
		li.Follow("Delete")
		li.Accessible("delete")
		li.Press("Delete A-1")
		li.Sees("A-1 is in the Trash.")
		li.Follow("Trash")
		li.Follow("Harbour logs, digitised")
		li.Press("Restore")
		li.Sees("A-1 is back.")
	})
}
