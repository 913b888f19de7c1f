package e2e

import (
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// A record is read, moved to the accept queue and back, and a room that is given twice is warned of and mended.
func TestARecordIsReadMovedAndPlaced(t *testing.T) { journey(t, recordJourney) }

func recordJourney(t *testing.T, s *site) {
	path, key := s.conference()
	if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name", "Ada",
		"--role", "owner"); err != nil {
		t.Fatal(stderr)
	}
	s.serve("serve")
	room := s.ok(key, "POST", path+"/rooms/create", `{"name": "Great hall"}`)["id"].(string)
	s.ok(key, "POST", path+"/sessions/create",
		`{"title": "Tides", "is_abstract": true, "description": "<p>4,000 evenings</p>"}`)
	s.ok(key, "POST", path+"/sessions/create", `{"title": "Queues that forget nothing", "is_abstract": false, "room_id": "`+
		room+`", "starts_at": "2027-05-20T09:40:00Z", "ends_at": "2027-05-20T10:10:00Z"}`)
	s.ok(key, "POST", path+"/sessions/create", `{"title": "Ropes", "is_abstract": false}`)
	w := s.window()
	w.signIn("ada@example.org")
	w.follow("Submissions")
	w.follow("Tides")
	w.sees("4,000 evenings", "Waits for a decision.", "Nobody is on it yet.", "1 entry. Last:")
	w.accessible("record-submission")
	if w.scripts {
		w.leaves("a", func() { w.keys(input.KeyA) })
	} else {
		w.press("To accept queue")
	}
	w.sees("It is in the accept queue now.", "Will be accepted.")
	w.press("Undo")
	w.sees("Undone.", "Waits for a decision.")
	w.press("To accept queue")
	w.press("Accept…")
	w.sees("Accept A-1?", "No letter goes out yet", "Their place shows the decision at once.")
	w.follow("Cancel")
	w.press("Back to pending")
	w.sees("It is pending now.")
	w.press("5 entries. Last: Ada changed status")
	w.sees("created it")

	w.follow("Sessions")
	w.follow("Ropes")
	w.sees("Not placed yet. Not published yet.")
	w.follow("Give it a room and a time")
	w.choose("Room", "Great hall")
	w.fill("Starts", "2027-05-20T10:50")
	w.fill("Ends", "2027-05-20T11:20")
	w.press("Save room and time")
	w.sees("Room and time are saved.", "Great hall also has S-1 “Queues that forget nothing”, 10:40 to 11:10, while this is 10:50 to 11:20.")
	w.accessible("record-collides")
	w.follow("Dashboard")
	w.sees("sessions share their room with another at one time")
	w.follow("Part them")
	w.sees("1 to 2 of 2", "also has S-1 “Queues", "also has S-2 “Ropes”")
	w.accessible("list-collides")
	w.follow("Ropes")
	w.press("Change room or time")
	w.fill("Starts", "2027-05-20T11:10")
	if !w.scripts { // a script lets the end follow the start
		w.fill("Ends", "2027-05-20T11:40")
	}
	if got := w.value("Ends"); got != "2027-05-20T11:40" {
		t.Errorf("it ends %s", got)
	}
	w.press("Save room and time")
	w.sees("Room and time are saved.", "Placed. Not published yet.", "11:10 to 11:40")
	w.doesNotSee("also has")
}
