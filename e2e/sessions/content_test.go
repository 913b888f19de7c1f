package sessions

import (
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestTextIsRestoredAndApproved(t *testing.T) {
	OnlyLong(t)
	Journey(t, contentJourney)
}

func contentJourney(t *testing.T, s *Site) {
	w := s.Owner()
	made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	event, key := made["event_id"].(string), made["key"].(string)
	row := s.Ok(key, "POST", "/v1/event/"+event+"/sessions/create",
		`{"title": "Opening", "description": "<p>We begin at the quay.</p><p>Bring a coat.</p>"}`)
	w.Visit("/admin/events/" + event + "/sessions")
	w.Follow("Opening")
	w.Follow("Edit")
	w.Fill("Title", "Opening night")
	w.Press("Save")
	w.Sees("Saved.")
	w.Follow("2 versions")
	w.Sees("changed the title", "wrote it first", "The text now")
	w.Accessible("versions")
	w.Press("Restore this version")
	w.Sees("Title and description are again those of", "3 versions")
	title := func() string {
		return s.Ok(key, "GET", "/v1/event/"+event+"/sessions/"+row["id"].(string), "")["title"].(string)
	}
	modelstest.Want(t, "the API reads", title(), "Opening")

	// Somebody else writes while the versions are looked at.
	w.Follow("3 versions")
	s.Ok(key, "PUT", "/v1/event/"+event+"/sessions/"+row["id"].(string), `{"title": "Grand opening"}`)
	w.Press("Restore this version of")
	w.Sees("You changed some of the same fields", "Grand opening")
	w.Accessible("versions-conflict")
	w.Press("Save")
	if got := title(); !strings.HasPrefix(got, "Opening") {
		t.Errorf("the API reads %q", got)
	}

	w.Follow("Settings")
	w.Tick("Ask for approved content")
	w.Press("Save settings")
	w.Sees("The settings are saved.")
	w.Accessible("settings-approval")
	w.Visit("/admin/events/" + event + "/sessions/" + row["id"].(string))
	w.Accessible("content")
	w.Press("Send to review")
	w.Sees("The content is in review now.")
	w.Press("Approve content")
	w.Sees("The content is approved now.")
	w.Press("Undo")
	w.Sees("The content is in review now.")
	w.Visit("/admin/events/" + event + "/sessions?content=in_review")
	w.Sees("Opening", "In review")
}
