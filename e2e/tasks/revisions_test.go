package tasks

import (
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// TestAnApprovedTextStaysUntilItsChangeIsAccepted has a speaker change what staff approved: everybody reads what was
// approved until they accept the change, and after they refused one.
func TestAnApprovedTextStaysUntilItsChangeIsAccepted(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		office := s.OpenPost()
		staff := s.Owner()
		s.Speaks("Harbour pilots", "Ingrid", "Sørlie", "ingrid@example.org")
		staff.Follow("Settings")
		staff.Tick("Ask for approved content")
		staff.Press("Save settings")
		staff.Follow("Sessions")
		staff.Follow("Harbour pilots")
		staff.Press("Approve content")
		staff.Sees("The content is approved now.")

		ingrid := s.Window()
		ingrid.Visit("/events/harbour/place")
		ingrid.Fill("E-mail address", "ingrid@example.org")
		ingrid.Press("Send me a link")
		ingrid.Visit(office.Link(t, "ingrid@example.org", "Your place"))
		ingrid.Press("Open my place")
		ingrid.Follow("Harbour pilots")
		ingrid.Follow("Change title or description")
		ingrid.Accessible("revision-text")
		ingrid.Fill("Title", "Harbour pilots at night")
		ingrid.Press("Save")
		ingrid.Sees("Your change waits for the organizers.")
		ingrid.Accessible("revision-waits")

		everybody := s.Window()
		reads := func(title string) {
			t.Helper()
			everybody.Visit("/events/harbour/sessions/s-1")
			everybody.Sees(title)
		}
		reads("Harbour pilots")
		everybody.DoesNotSee("at night")
		staff.Follow("Revisions")
		staff.Sees("Harbour pilots", "Ingrid Sørlie", "at night")
		staff.Accessible("revisions")
		staff.Follow("Harbour pilots")
		staff.Accessible("revision")
		staff.Fill("Words to the author", "What a title!")
		staff.Press("Accept")
		staff.Sees("is accepted. Ingrid Sørlie gets a mail.", "Nothing waits")
		reads("Harbour pilots at night")
		if text := office.Letter(t, "ingrid@example.org", "your change is shown now"); !strings.Contains(text, "What a title!") {
			t.Errorf("%s", text)
		}

		ingrid.Reload()
		ingrid.Fill("Title", "Pilots")
		ingrid.Press("Save")
		staff.Follow("Revisions")
		staff.Follow("Harbour pilots at night")
		staff.Press("Refuse")
		staff.Sees("is refused")
		office.Letter(t, "ingrid@example.org", "your change is not shown")
		reads("Harbour pilots at night")
	})
}
