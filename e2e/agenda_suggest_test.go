package e2e

import "testing"

// TestPlacesAreSuggestedAppliedAndUndone has places suggested for what has none, looks at them, applies them while
// somebody else changes one of the sessions, and takes it back.
func TestPlacesAreSuggestedAppliedAndUndone(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.planners("Ada")[0]
		made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
		event, key := "/v1/event/"+made["event_id"].(string), made["key"].(string)
		walk := s.ok(key, "POST", event+"/sessions/create", `{"title": "Harbour walk", "status": "accepted"}`)
		w.reload()
		w.follow("Suggest places for 2")
		w.sees("2 accepted sessions have no room or no start.")
		w.accessible("suggest")
		w.fill("A day begins at", "09:00")
		w.fill("And ends at", "09:20")
		w.press("Suggest places")
		w.sees("No places were found", "It takes 30 minutes, longer than a day from 09:00 to 09:20.")
		w.follow("Choose other days or times")
		w.fill("And ends at", "12:00")
		w.tick("Friday 21 May")
		w.press("Suggest places")
		w.sees("Places for 2 of 2", "Thursday 20 May", "09:00 to 09:30", "Place 2 sessions", "session.updated")
		w.doesNotSee("Friday 21 May 2", "Without a place")
		w.accessible("suggested places")
		w.fits("suggested places")
		w.press("Discard")
		w.sees("The suggestions were discarded. Nothing has moved.", "Not placed yet 2")

		w.follow("Suggest places for 2")
		w.press("Suggest places")
		w.press("Place 2 sessions")
		w.sees("2 sessions have their places.")
		w.doesNotSee("Suggest places for")
		w.press("Undo")
		w.sees("2 sessions are as they were.", "Not placed yet 2")

		w.follow("Suggest places for 2")
		w.press("Suggest places")
		w.sees("Places for 2 of 2")
		s.ok(key, "PUT", event+"/sessions/"+walk["id"].(string), `{"title": "Harbour tour"}`)
		w.press("Place 2 sessions")
		w.sees("1 of 2 done", "Harbour tour", "Session was changed after places were suggested, so it stays as it is.")
		w.accessible("places applied in part")
		w.follow("Back to the agenda")
		w.sees("Not placed yet 1", "Suggest places for 1")
	})
}
