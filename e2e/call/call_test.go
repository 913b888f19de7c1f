package call

import (
	"testing"
	"time"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestAProposalIsWrittenAndSubmitted(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		s.Owner()
		s.OpenCall()
		ada := s.Window()
		ada.Visit("/events/harbour/call")
		ada.Sees("7 days left", "Workshop", "How it goes")
		ada.Accessible("call")
		ada.Follow("Start a proposal")
		ada.Sees("A title is enough to begin")
		ada.Accessible("call-start")
		ada.Fill("Title", "Harbour pilots and other distributed systems")
		ada.Fill("Your name", "Ingrid Sørlie")
		ada.Fill("E-mail address", "ingrid@example.org")
		time.Sleep(2 * time.Second) // as long as a person takes
		ada.Press("Start")
		ada.Sees("Your proposal", "Your draft is kept")
		ada.Accessible("proposal")
		ada.Press("Check my answers")
		ada.Sees("before you can submit", "has no answer yet")
		ada.Accessible("proposal-unfinished")
		ada.Fill("Abstract", "Every ship that enters a Norwegian harbour is handed over: from a captain who knows the ship "+
			"to a pilot who knows the water.")
		ada.Tick("Systems")
		ada.Tick("Workshop")
		if ada.Scripts {
			ada.Sees("Asked because you chose Workshop", "Saved ")
		}
		ada.Fill("What do people need to bring?", "A pencil. We draw on sea charts.")
		ada.Fill("Name", "نور الدين منصور")
		ada.Fill("E-mail address", "nour@example.org")
		ada.Press("Invite")
		ada.Sees("An invitation goes to nour@example.org once you have opened the link in our mail to you.", "Not invited yet")
		modelstest.Want(t, "the invitation lost what was typed",
			ada.Value("What do people need to bring?"), "A pencil. We draw on sea charts.")
		ada.Accessible("proposal-people")
		ada.Press("Check my answers")
		ada.Sees("Check your answers", "A pencil.", "Not invited yet", "I can be in Lisbon")
		ada.Accessible("proposal-check")
		ada.Press("Submit proposal")
		ada.Sees("Tick that you agree")
		ada.Tick("I can be in Lisbon")
		ada.Press("Submit proposal")
		ada.Sees("Thank you, we have it.", "A-1", "has not confirmed yet", "1 of 3 used")
		ada.Accessible("proposal-done")
	})
}
