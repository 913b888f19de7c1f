package agenda

import (
	"testing"

	. "lectern/e2e/drive"
)

// TestPlacesAreSuggestedAppliedAndUndone has places suggested for what has none, looks at them, applies them while
// somebody else changes one of the sessions, and takes it back.
func TestPlacesAreSuggestedAppliedAndUndone(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := planners(s, "Ada")[0]
		made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
		event, key := "/v1/event/"+made["event_id"].(string), made["key"].(string)
		walk := s.Ok(key, "POST", event+"/sessions/create", `{"title": "Harbour walk", "status": "accepted"}`)
		w.Reload()
		w.Follow("Suggest places for 2")
		w.Sees("2 accepted sessions have no room or no start.")
		w.Accessible("suggest")
		w.Fill("A day begins at", "09:00")
		w.Fill("And ends at", "09:20")
		w.Press("Suggest places")
		w.Sees("No places were found", "It takes 30 minutes, longer than a day from 09:00 to 09:20.")
		w.Follow("Choose other days or times")
		w.Fill("And ends at", "12:00")
		w.Tick("Friday 21 May")
		w.Press("Suggest places")
		w.Sees("Places for 2 of 2", "Thursday 20 May", "09:00 to 09:30", "Place 2 sessions", "session.updated")
		w.DoesNotSee("Friday 21 May 2", "Without a place")
		w.Accessible("suggested places")
		w.Fits("suggested places")
		w.Press("Discard")
		w.Sees("The suggestions were discarded. Nothing has moved.", "Not placed yet 2")

		w.Follow("Suggest places for 2")
		w.Press("Suggest places")
		w.Press("Place 2 sessions")
		w.Sees("2 sessions have their places.")
		w.DoesNotSee("Suggest places for")
		w.Press("Undo")
		w.Sees("2 sessions are as they were.", "Not placed yet 2")

		w.Follow("Suggest places for 2")
		w.Press("Suggest places")
		w.Sees("Places for 2 of 2")
		s.Ok(key, "PUT", event+"/sessions/"+walk["id"].(string), `{"title": "Harbour tour"}`)
		w.Press("Place 2 sessions")
		w.Sees("1 of 2 done", "Harbour tour", "Session was changed after places were suggested, so it stays as it is.")
		w.Accessible("places applied in part")
		w.Follow("Back to the agenda")
		w.Sees("Not placed yet 1", "Suggest places for 1")
	})
}
