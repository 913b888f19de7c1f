package agenda

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// TestBreaksStandInTheAgendaAndInTheFeeds goes the way of who plans lunch: a break for one room, then for all, put
// right, deleted and brought back; and sees in the feeds what visitors see.
func TestBreaksStandInTheAgendaAndInTheFeeds(t *testing.T) {
	OnlyLong(t)
	Journey(t, breaksJourney)
}

func breaksJourney(t *testing.T, s *Site) {
	w := s.Owner()
	made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key := made["event_id"].(string), made["key"].(string)
	rooms := map[string]string{}
	for _, name := range []string{"Great hall", "Cellar"} {
		rooms[name] = s.Ok(key, "POST", "/v1/event/"+event+"/rooms/create", `{"name": "`+name+`"}`)["id"].(string)
	}
	session := s.Ok(key, "POST", "/v1/event/"+event+"/sessions/create", `{"title": "Tides & <ledgers>", "room_id": "`+
		rooms["Cellar"]+`", "starts_at": "2027-05-20T09:00:00Z", "ends_at": "2027-05-20T10:00:00Z"}`)["id"].(string)
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

	// Nothing is public yet, and nobody sees a break.
	if status, _ := fetch(s, "/events/harbour/schedule.xml"); status != http.StatusNotFound {
		t.Errorf("the feed answers %d", status)
	}
	s.Ok(key, "PUT", "/v1/event/"+event+"/sessions/"+session, `{"is_public": true, "publish_override": true}`)
	for address, parts := range map[string][]string{
		"/events/harbour/schedule.xml": {"Tides &amp; &lt;ledgers&gt;", "Long lunch", ">Lunch<",
			"Europe/Lisbon"},
		"/events/harbour/schedule.json": {`"Tides & <ledgers>"`, "Long lunch", `"break"`},
		"/events/harbour/calendar.ics": {"SUMMARY:Tides & <ledgers>", "SUMMARY:Long lunch",
			"STATUS:CONFIRMED"},
		"/events/" + event + "/rooms/" + rooms["Cellar"] + ".ics": {"SUMMARY:Tides & <ledgers>"},
		"/events/harbour/sessions/" + session + ".ics":            {"UID:" + session + "@lectern", "SEQUENCE:0"},
	} {
		status, body := fetch(s, address)
		for _, part := range parts {
			if status != http.StatusOK || !strings.Contains(body, part) {
				t.Errorf("%s answers %d and lacks %s: %s", address, status, part, body)
			}
		}
		if strings.HasSuffix(address, ".xml") {
			if err := xml.Unmarshal([]byte(body), new(struct{})); err != nil {
				t.Error(err)
			}
		}
	}
	s.Ok(key, "DELETE", "/v1/event/"+event+"/sessions/"+session, "")
	if _, body := fetch(s, "/events/harbour/sessions/"+session+".ics"); !strings.Contains(body, "STATUS:CANCELLED") ||
		!strings.Contains(body, "SEQUENCE:1") {
		t.Errorf("a session that was deleted is told as %s", body)
	}
}

// fetch asks for an address without a key, as an app does.
func fetch(s *Site, path string) (status int, body string) {
	s.T.Helper()
	answer, err := http.Get(s.Base + path)
	if err != nil {
		s.T.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		s.T.Fatal(err)
	}
	return answer.StatusCode, string(read)
}
