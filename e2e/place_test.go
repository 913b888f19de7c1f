package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestSomebodyWhoSpeaksHasAPlace goes from a draft to the decision letter and the answer to it, with the mails of a real
// server, and to the profile.
func TestSomebodyWhoSpeaksHasAPlace(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		office := s.openPost()
		staff := s.owner()
		s.openCall()
		ingrid := s.window()
		ingrid.visit("/events/harbour/call/start")
		ingrid.fill("Title", "Harbour pilots")
		ingrid.fill("Your name", "Ingrid Sørlie")
		ingrid.fill("E-mail address", "ingrid@example.org")
		time.Sleep(2 * time.Second) // as long as a person takes
		ingrid.press("Start")
		ingrid.sees("Your draft is kept")
		ingrid.follow("My proposals")
		ingrid.sees("Confirm your address", "Harbour pilots", "Draft", "to finish before you can submit it")
		ingrid.accessible("place-unconfirmed")

		// The link opens by a button, also in another browser.
		phone := s.window()
		phone.visit(office.link(t, "ingrid@example.org", "the way back"))
		phone.sees("This link is for you alone")
		phone.accessible("place-link")
		phone.press("Open my place")
		phone.sees("Your address is confirmed.", "Harbour pilots")
		phone.doesNotSee("Confirm your address")
		ingrid.reload()
		ingrid.sees("Come to your place") // it was not proven where she began
		ingrid.accessible("place-sign-in")
		ingrid.fill("E-mail address", "ingrid@example.org")
		ingrid.press("Send me a link")
		ingrid.sees("Look into your mail")

		phone.follow("Continue")
		phone.fill("Abstract", "Every ship is handed over from a captain to a pilot.")
		phone.tick("Systems")
		phone.tick("Talk")
		phone.press("Check my answers")
		phone.tick("I can be in Lisbon")
		phone.press("Submit proposal")
		phone.sees("Thank you, we have it.")
		phone.follow("My proposals")
		phone.sees("Pending", "It is being read")

		staff.visit("/admin")
		staff.follow("Submissions")
		staff.follow("Harbour pilots")
		staff.press("To accept queue")
		phone.reload()
		phone.sees("Pending") // the committee's queues are its own
		phone.doesNotSee("Accepted")
		staff.press("Accept…")
		staff.press("Accept A-1")
		phone.reload()
		phone.sees("Accepted", "We would like to have it.")
		staff.follow("Letters")
		staff.follow("Send 1 letter…")
		staff.press("Send 1 letter")
		staff.press("Send now")
		office.letter(t, "ingrid@example.org", "Harbour pilots")
		if !within(patience, func() bool { phone.reload(); return strings.Contains(phone.text(), "Read and answer") }) {
			t.Fatal("the place does not show the letter")
		}
		phone.accessible("place")
		phone.follow("Read and answer")
		phone.sees("Will you come?", "Letter sent to you", "What you submitted")
		phone.accessible("place-proposal")
		phone.press("Yes, I am coming")
		phone.sees("You said yes.")

		phone.follow("Profile and availability")
		phone.fill("Sorted under", "Sørlie")
		phone.fill("Biography", "Harbour pilot for fourteen years.")
		phone.press("Save")
		phone.sees("Saved.")
		phone.accessible("place-profile")
		phone.press("Leave this device")
		phone.sees("This device is forgotten.")
		phone.visit("/events/harbour/place")
		phone.sees("Come to your place")
	})
}
