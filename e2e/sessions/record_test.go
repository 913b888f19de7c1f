package sessions

import (
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// A record is read, moved to the accept queue and back, and a room that is given twice is warned of and mended.
func TestARecordIsReadMovedAndPlaced(t *testing.T) { Journey(t, recordJourney) }

func recordJourney(t *testing.T, s *Site) {
	path, key := s.Conference()
	s.Hire("Ada", "owner")
	s.Serve("serve")
	room := s.Ok(key, "POST", path+"/rooms/create", `{"name": "Great hall"}`)["id"].(string)
	s.Ok(key, "POST", path+"/sessions/create",
		`{"title": "Tides", "is_abstract": true, "description": "<p>4,000 evenings</p>"}`)
	s.Ok(key, "POST", path+"/sessions/create", `{"title": "Queues that forget nothing", "is_abstract": false, "room_id": "`+
		room+`", "starts_at": "2027-05-20T09:40:00Z", "ends_at": "2027-05-20T10:10:00Z"}`)
	s.Ok(key, "POST", path+"/sessions/create", `{"title": "Ropes", "is_abstract": false}`)
	w := s.Window()
	w.SignIn("ada@example.org")
	w.Follow("Submissions")
	w.Follow("Tides")
	w.Sees("4,000 evenings", "Waits for a decision.", "Nobody is on it yet.", "1 entry. Last:")
	w.Accessible("record-submission")
	if w.Scripts {
		w.Leaves("a", func() { w.Keys(input.KeyA) })
	} else {
		w.Press("To accept queue")
	}
	w.Sees("It is in the accept queue now.", "Will be accepted.")
	w.Press("Undo")
	w.Sees("Undone.", "Waits for a decision.")
	w.Press("To accept queue")
	w.Press("Accept…")
	w.Sees("Accept A-1?", "No letter goes out yet", "Their place shows the decision at once.")
	w.Follow("Cancel")
	w.Press("Back to pending")
	w.Sees("It is pending now.")
	w.Press("5 entries. Last: Ada changed status")
	w.Sees("created it")

	w.Follow("Sessions")
	w.Follow("Ropes")
	w.Sees("Not placed yet. Not published yet.")
	w.Follow("Give it a room and a time")
	w.Choose("Room", "Great hall")
	w.Fill("Starts", "2027-05-20T10:50")
	w.Fill("Ends", "2027-05-20T11:20")
	w.Press("Save room and time")
	w.Sees("Room and time are saved.",
		"Great hall also has S-1 “Queues that forget nothing”, 10:40 to 11:10, while this is 10:50 to 11:20.")
	w.Accessible("record-collides")
	w.Follow("Dashboard")
	w.Sees("sessions share their room with another at one time")
	w.Follow("Part them")
	w.Sees("1 to 2 of 2", "also has S-1 “Queues", "also has S-2 “Ropes”")
	w.Accessible("list-collides")
	w.Follow("Ropes")
	w.Press("Change room or time")
	w.Fill("Starts", "2027-05-20T11:10")
	if !w.Scripts { // a script lets the end follow the start
		w.Fill("Ends", "2027-05-20T11:40")
	}
	modelstest.Want(t, "it ends", w.Value("Ends"), "2027-05-20T11:40")
	w.Press("Save room and time")
	w.Sees("Room and time are saved.", "Placed. Not published yet.", "11:10 to 11:40")
	w.DoesNotSee("also has")
}
