package e2e

import "testing"

func TestTimesFollowTheTimeZone(t *testing.T) { journey(t, zoneJourney) }

func zoneJourney(t *testing.T, s *site) {
	w := s.owner()
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key := made["event_id"].(string), made["key"].(string)
	s.ok(key, "POST", "/v1/event/"+event+"/sessions/create",
		`{"title": "Opening", "starts_at": "2027-05-20T08:30:00Z", "ends_at": "2027-05-20T09:00:00Z"}`)
	w.visit("/admin/events/" + event + "/sessions")
	w.sees("Opening", "9:30")
	w.follow("Settings")
	w.accessible("settings")
	w.fill("Name of the event", "Harbour 2027")
	w.fill("First day", "2027-05-20")
	w.fill("Opens", "2027-01-10T09:00")
	w.fill("Closes", "2027-03-28T01:30") // the clocks of Lisbon skip it
	w.press("Save settings")
	w.sees("where the clocks go forward that day", "28 Mar 2027, 02:00")
	w.accessible("settings-fault")
	if got := w.value("Name of the event"); got != "Harbour 2027" {
		t.Errorf("the form forgot %q", got)
	}
	w.fill("Closes", "2027-10-31T01:30") // and show this one twice
	w.press("Save settings")
	w.sees("comes twice that night")
	w.choose("Closes: which of the two", "The second, 01:30 WET")
	w.press("Save settings")
	w.sees("The settings are saved.")
	w.follow("Sessions") // which ask in the same way
	w.follow("Opening")
	w.follow("Edit")
	w.fill("Starts", "2027-03-28T01:30")
	w.fill("Ends", "2027-10-31T01:30")
	w.press("Save")
	w.sees("The start does not exist in Europe/Lisbon", "The end comes twice that night")
	w.fill("Starts", "2027-10-31T01:15")
	w.choose("Ends: which of the two", "The second, 01:30 WET")
	w.press("Save")
	w.sees("The start comes twice that night")
	w.choose("Starts: which of the two", "The first, 01:15 WEST")
	w.accessible("session-clock")
	w.press("Save")
	w.sees("Sun 31 Oct 2027, 01:15 WEST", "Sun 31 Oct 2027, 01:30 WET")
	w.follow("Edit")
	w.fill("Starts", "2027-05-20T09:30")
	w.fill("Ends", "2027-05-20T10:00")
	w.press("Save")
	w.sees("Thu 20 May 2027, 09:30 to 10:00 WEST")
	w.follow("Settings")
	w.fill("Time zone", "Asia/Tokyo")
	w.press("Save settings")
	w.sees("All times are shown in Asia/Tokyo now.")
	if got := w.value("Closes"); got != "2027-10-31T10:30" {
		t.Errorf("the call for papers closes at %s", got)
	}
	w.follow("Sessions")
	w.sees("Opening", "17:30")
	w.follow("Activity")
	w.sees("changed the settings of Harbour 2027", "Europe/Lisbon", "Asia/Tokyo")
}
