package staff

import (
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestTimesFollowTheTimeZone(t *testing.T) {
	OnlyLong(t)
	Journey(t, zoneJourney)
}

func zoneJourney(t *testing.T, s *Site) {
	w := s.Owner()
	made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key := made["event_id"].(string), made["key"].(string)
	s.Ok(key, "POST", "/v1/event/"+event+"/sessions/create",
		`{"title": "Opening", "starts_at": "2027-05-20T08:30:00Z", "ends_at": "2027-05-20T09:00:00Z"}`)
	w.Visit("/admin/events/" + event + "/sessions")
	w.Sees("Opening", "9:30")
	w.Follow("Settings")
	w.Accessible("settings")
	w.Fill("Name of the event", "Harbour 2027")
	w.Fill("First day", "2027-05-20")
	w.Press("Save settings")
	w.Sees("The settings are saved.", "Not open yet.")
	w.Visit("/admin/events/" + event + "/call")
	w.Press("Start a call")
	w.Follow("When it is open")
	w.Press("Open now")
	w.Sees("The call is open.", "Open, without an end.", "Close now")
	w.Fill("Opens", "2037-01-10T09:00")  // which is to come for long
	w.Fill("Closes", "2037-03-29T01:30") // the clocks of Lisbon skip it
	w.Press("Save when it is open")
	w.Sees("where the clocks go forward that day", "29 Mar 2037, 02:00")
	w.Accessible("call-window-fault")
	modelstest.Want(t, "the form forgot", w.Value("Opens"), "2037-01-10T09:00")
	w.Fill("Closes", "2037-10-25T01:30") // and show this one twice
	w.Press("Save when it is open")
	w.Sees("comes twice that night")
	w.Choose("Closes: which of the two", "The second, 01:30 WET")
	w.Press("Save when it is open")
	w.Sees("When it is open is saved.", "Opens 10 January 2037, 09:00 Lisbon.")
	w.Follow("Settings")
	w.Fill("Time zone", "Asia/Tokyo")
	w.Press("Save settings")
	w.Sees("All times are shown in Asia/Tokyo now.")
	w.Sees("Opens 10 January 2037, 18:00 Tokyo.")
	w.Follow("When it is open")
	modelstest.Want(t, "the call for papers closes at", w.Value("Closes"), "2037-10-25T10:30")
	w.Follow("Sessions")
	w.Sees("Opening", "17:30")
	w.Follow("Activity")
	w.Sees("changed the settings of Harbour 2027", "Europe/Lisbon", "Asia/Tokyo")
}
