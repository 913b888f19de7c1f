package agenda

import (
	"testing"

	. "lectern/e2e/drive"
)

// TestBreaksStandInTheAgenda goes the way of who plans lunch: a break for one room, then for all, put right, deleted and
// brought back.
func TestBreaksStandInTheAgenda(t *testing.T) {
	OnlyLong(t)
	Journey(t, breaksJourney)
}

func breaksJourney(t *testing.T, s *Site) {
	w := s.Owner()
	made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key := made["event_id"].(string), made["key"].(string)
	for _, name := range []string{"Great hall", "Cellar"} {
		s.Ok(key, "POST", "/v1/event/"+event+"/rooms/create", `{"name": "`+name+`"}`)
	}
	s.Ok(key, "POST", "/v1/event/"+event+"/sessions/create", `{"title": "Tides", "starts_at": "2027-05-20T09:00:00Z",
		"ends_at": "2027-05-20T10:00:00Z"}`) // which gives the agenda its day
	agenda := "/admin/events/" + event + "/agenda"

	w.Visit(agenda + "/breaks/new?day=2027-05-20&start=12:00")
	w.Sees("New break")
	w.Press("Add to the agenda")
	w.Sees("must not be empty")
	w.Accessible("break-faults")
	w.Fill("Title", "Lunch")
	w.Choose("Room", "Great hall")
	if w.Scripts { // the end follows
		w.Fill("Starts", "2027-05-20T12:30")
	}
	w.Press("Add to the agenda")
	w.Sees("“Lunch” is in the agenda.")
	w.Follow("Lunch")
	w.Accessible("break")
	w.Press("Copy to all rooms")
	w.Sees("“Lunch” is in 1 other room too.")
	w.Follow("Lunch")
	w.Fill("Title", "Long lunch")
	w.Press("Save")
	w.Sees("“Long lunch” is saved.")
	w.Follow("Long lunch")
	w.Press("Delete")
	w.Sees("“Long lunch” is out of the agenda.")
	w.Press("Undo")
	w.Sees("“Long lunch” is back in the agenda.")
}
