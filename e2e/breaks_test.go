package e2e

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestBreaksStandInTheAgendaAndInTheFeeds goes the way of who plans lunch: a break for one room, then for all, put
// right, deleted and brought back; and sees in the feeds what visitors see.
func TestBreaksStandInTheAgendaAndInTheFeeds(t *testing.T) { journey(t, breaksJourney) }

func breaksJourney(t *testing.T, s *site) {
	w := s.owner()
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key := made["event_id"].(string), made["key"].(string)
	rooms := map[string]string{}
	for _, name := range []string{"Great hall", "Cellar"} {
		rooms[name] = s.ok(key, "POST", "/v1/event/"+event+"/rooms/create", `{"name": "`+name+`"}`)["id"].(string)
	}
	session := s.ok(key, "POST", "/v1/event/"+event+"/sessions/create", `{"title": "Tides & <ledgers>", "room_id": "`+
		rooms["Cellar"]+`", "starts_at": "2027-05-20T09:00:00Z", "ends_at": "2027-05-20T10:00:00Z"}`)["id"].(string)
	agenda := "/admin/events/" + event + "/agenda"

	w.visit(agenda + "/breaks/new?day=2027-05-20&start=12:00")
	w.sees("New break")
	w.press("Add to the agenda")
	w.sees("must not be empty")
	w.accessible("break-faults")
	w.fill("Title", "Lunch")
	w.choose("Room", "Great hall")
	if w.scripts { // the end follows
		w.fill("Starts", "2027-05-20T12:30")
	}
	w.press("Add to the agenda")
	w.sees("“Lunch” is in the agenda.")
	w.follow("Lunch")
	w.accessible("break")
	w.press("Copy to all rooms")
	w.sees("“Lunch” is in 1 other room too.")
	w.follow("Lunch")
	w.fill("Title", "Long lunch")
	w.press("Save")
	w.sees("“Long lunch” is saved.")
	w.follow("Long lunch")
	w.press("Delete")
	w.sees("“Long lunch” is out of the agenda.")
	w.press("Undo")
	w.sees("“Long lunch” is back in the agenda.")

	// Nothing is public yet, and nobody sees a break.
	if status, _ := s.fetch("/events/harbour/schedule.xml"); status != http.StatusNotFound {
		t.Errorf("the feed answers %d", status)
	}
	s.ok(key, "PUT", "/v1/event/"+event+"/sessions/"+session, `{"is_public": true, "publish_override": true}`)
	for address, parts := range map[string][]string{
		"/events/harbour/schedule.xml": {"Tides &amp; &lt;ledgers&gt;", "Long lunch", ">Lunch<",
			"Europe/Lisbon"},
		"/events/harbour/schedule.json": {`"Tides & <ledgers>"`, "Long lunch", `"break"`},
		"/events/harbour/calendar.ics": {"SUMMARY:Tides & <ledgers>", "SUMMARY:Long lunch",
			"STATUS:CONFIRMED"},
		"/events/" + event + "/rooms/" + rooms["Cellar"] + ".ics": {"SUMMARY:Tides & <ledgers>"},
		"/events/harbour/sessions/" + session + ".ics":            {"UID:" + session + "@lectern", "SEQUENCE:0"},
	} {
		status, body := s.fetch(address)
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
	s.ok(key, "DELETE", "/v1/event/"+event+"/sessions/"+session, "")
	if _, body := s.fetch("/events/harbour/sessions/" + session + ".ics"); !strings.Contains(body, "STATUS:CANCELLED") ||
		!strings.Contains(body, "SEQUENCE:1") {
		t.Errorf("a session that was deleted is told as %s", body)
	}
}

// fetch asks for an address without a key, as an app does.
func (s *site) fetch(path string) (status int, body string) {
	s.t.Helper()
	answer, err := http.Get(s.base + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(read)
}
