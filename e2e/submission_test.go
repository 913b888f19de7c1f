package e2e

import "testing"

func TestTwoBrowsersEditOneSubmission(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		ada := s.owner()
		if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "li@example.org", "--name",
			"Li Wei", "--role", "organizer"); err != nil {
			t.Fatal(stderr)
		}
		ada.follow("Submissions")
		ada.sees("No submissions yet")
		ada.accessible("submissions-empty")
		ada.follow("New submission")
		ada.press("Create submission") // the browser asks for the title first
		ada.fill("Title", "Harbour logs")
		ada.fill("Description", "4,000 evenings")
		ada.press("Create submission")
		ada.sees("A-1 is created.", "4,000 evenings")
		record := ada.url()
		ada.accessible("submission")

		li := s.window()
		li.signIn("li@example.org")
		li.visit(record)
		li.follow("Edit")
		ada.follow("Edit")
		ada.accessible("submission-edit")
		li.fill("Title", "Harbour logs, digitised")
		li.choose("Status", "Accept queue")
		li.press("Save")
		li.sees("Saved.")
		ada.fill("Title", "Harbour logs by volunteers")
		ada.fill("Description", "4,000 evenings, one rule")
		ada.press("Save")
		ada.sees("Li Wei changed Title and Status just now", "Choose which to keep")
		ada.accessible("conflict")
		ada.tick("Theirs")
		if got := ada.value("Status"); got != "accept_queue" {
			t.Errorf("Li's status was not taken over: %s", got)
		}
		ada.press("Save")
		ada.sees("Saved.", "Harbour logs, digitised", "one rule", "Accept queue")
		li.reload()
		li.sees("Harbour logs, digitised", "one rule", "Ada Byron")

		li.press("More")
		li.follow("Delete")
		li.accessible("delete")
		li.press("Delete A-1")
		li.sees("A-1 is in the Trash.")
		li.follow("Trash")
		li.follow("Harbour logs, digitised")
		li.press("Restore")
		li.sees("A-1 is back.")
	})
}

func TestTheListIsSearchedAndARecordChanged(t *testing.T) { journey(t, listJourney) }

func listJourney(t *testing.T, s *site) {
	path, key := s.conference()
	if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name", "Ada",
		"--role", "owner"); err != nil {
		t.Fatal(stderr)
	}
	s.serve("serve")
	for _, title := range []string{"Tides", "Nets", "Ropes"} {
		s.ok(key, "POST", path+"/sessions/create", `{"title": "`+title+`", "is_abstract": true}`)
	}
	w := s.window()
	w.signIn("ada@example.org")
	w.follow("Submissions")
	w.sees("Tides", "Nets", "Ropes", "1 to 3 of 3")
	w.fill("Search", "nets")
	w.press("Search")
	w.sees("Nets", "Clear")
	w.doesNotSee("Tides")
	w.follow("Nets")
	w.sees("1 of 1")
	w.follow("Edit")
	w.fill("Title", "Nets and knots")
	w.press("Save")
	w.sees("Saved.", "Nets and knots")
	w.press("More")
	w.choose("Status", "Declined")
	w.press("Change status")
	w.sees("Decline A-2?", "Other services hear of it")
	w.press("Decline A-2")
	w.sees("It is declined now.")
}
