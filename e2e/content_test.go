package e2e

import (
	"strings"
	"testing"
)

func TestTextIsRestoredAndApproved(t *testing.T) { journey(t, contentJourney) }

func contentJourney(t *testing.T, s *site) {
	w := s.owner()
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key := made["event_id"].(string), made["key"].(string)
	row := s.ok(key, "POST", "/v1/event/"+event+"/sessions/create",
		`{"title": "Opening", "description": "<p>We begin at the quay.</p><p>Bring a coat.</p>"}`)
	w.visit("/admin/events/" + event + "/sessions")
	w.follow("Opening")
	w.follow("Edit")
	w.fill("Title", "Opening night")
	w.press("Save")
	w.sees("Saved.")
	w.follow("2 versions")
	w.sees("changed the title", "wrote it first", "The text now")
	w.accessible("versions")
	w.press("Restore this version")
	w.sees("Title and description are again those of", "3 versions")
	title := func() string {
		return s.ok(key, "GET", "/v1/event/"+event+"/sessions/"+row["id"].(string), "")["title"].(string)
	}
	if got := title(); got != "Opening" {
		t.Errorf("the API reads %q", got)
	}

	// Somebody else writes while the versions are looked at.
	w.follow("3 versions")
	s.ok(key, "PUT", "/v1/event/"+event+"/sessions/"+row["id"].(string), `{"title": "Grand opening"}`)
	w.press("Restore this version of")
	w.sees("You changed some of the same fields", "Grand opening")
	w.accessible("versions-conflict")
	w.press("Save")
	if got := title(); !strings.HasPrefix(got, "Opening") {
		t.Errorf("the API reads %q", got)
	}

	w.follow("Settings")
	w.tick("Ask for approved content")
	w.press("Save settings")
	w.sees("The settings are saved.")
	w.accessible("settings-approval")
	w.visit("/admin/events/" + event + "/sessions/" + row["id"].(string))
	w.accessible("content")
	w.press("Send to review")
	w.sees("The content is in review now.")
	w.press("Approve content")
	w.sees("The content is approved now.")
	w.press("Undo")
	w.sees("The content is in review now.")
	w.visit("/admin/events/" + event + "/sessions?content=in_review")
	w.sees("Opening", "In review")
}
