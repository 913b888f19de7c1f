package call

import (
	"strings"
	"testing"
	"time"

	. "lectern/e2e/drive"
)

// TestSomebodyWhoSpeaksHasAPlace goes from a draft to the decision letter and the answer to it, with the mails of a
// real
// server, and to the profile.
func TestSomebodyWhoSpeaksHasAPlace(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		office := s.OpenPost()
		staff := s.Owner()
		s.OpenCall()
		ingrid := s.Window()
		ingrid.Visit("/events/harbour/call/start")
		ingrid.Fill("Title", "Harbour pilots")
		ingrid.Fill("Your name", "Ingrid Sørlie")
		ingrid.Fill("E-mail address", "ingrid@example.org")
		time.Sleep(2 * time.Second) // as long as a person takes
		ingrid.Press("Start")
		ingrid.Sees("Your draft is kept")
		ingrid.Follow("My proposals")
		ingrid.Sees("Confirm your address", "Harbour pilots", "Draft", "to finish before you can submit it")
		ingrid.Accessible("place-unconfirmed")

		// The link opens by a button, also in another browser.
		phone := s.Window()
		phone.Visit(office.Link(t, "ingrid@example.org", "the way back"))
		phone.Sees("This link is for you alone")
		phone.Accessible("place-link")
		phone.Press("Open my place")
		phone.Sees("Your address is confirmed.", "Harbour pilots")
		phone.DoesNotSee("Confirm your address")
		ingrid.Reload()
		ingrid.Sees("Come to your place") // it was not proven where she began
		ingrid.Accessible("place-sign-in")
		ingrid.Fill("E-mail address", "ingrid@example.org")
		ingrid.Press("Send me a link")
		ingrid.Sees("Look into your mail")

		phone.Follow("Continue")
		phone.Fill("Abstract", "Every ship is handed over from a captain to a pilot.")
		phone.Tick("Systems")
		phone.Tick("Talk")
		phone.Press("Check my answers")
		phone.Tick("I can be in Lisbon")
		phone.Press("Submit proposal")
		phone.Sees("Thank you, we have it.")
		phone.Follow("My proposals")
		phone.Sees("Pending", "It is being read")

		staff.Visit("/admin")
		staff.Follow("Submissions")
		staff.Follow("Harbour pilots")
		staff.Press("To accept queue")
		phone.Reload()
		phone.Sees("Pending") // the committee's queues are its own
		phone.DoesNotSee("Accepted")
		staff.Press("Accept…")
		staff.Press("Accept A-1")
		phone.Reload()
		phone.Sees("Accepted", "We would like to have it.")
		staff.Follow("Letters")
		staff.Follow("Send 1 letter…")
		staff.Press("Send 1 letter")
		staff.Press("Send now")
		office.Letter(t, "ingrid@example.org", "Harbour pilots")
		if !Within(Patience, func() bool { phone.Reload(); return strings.Contains(phone.Text(), "Read and answer") }) {
			t.Fatal("the place does not show the letter")
		}
		phone.Accessible("place")
		phone.Follow("Read and answer")
		phone.Sees("Will you come?", "Letter sent to you", "What you submitted")
		phone.Accessible("place-proposal")
		phone.Press("Yes, I am coming")
		phone.Sees("You said yes.")

		phone.Follow("Profile and availability")
		phone.Fill("Sorted under", "Sørlie")
		phone.Fill("Biography", "Harbour pilot for fourteen years.")
		phone.Press("Save")
		phone.Sees("Saved.")
		phone.Accessible("place-profile")
		phone.Press("Leave this device")
		phone.Sees("This device is forgotten, and no mail that was opened on it opens your place here.")
		phone.Visit("/events/harbour/place")
		phone.Sees("Come to your place")
	})
}
