package call

import (
	"testing"
	"time"

	. "lectern/e2e/drive"
)

// TestSomebodyWhoSpeaksComesInWithAPasskey has no journey without scripts: there the pages speak of links and passwords.
func TestSomebodyWhoSpeaksComesInWithAPasskey(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	office := s.OpenPost()
	s.ServeNamed("serve")
	s.Owner()
	s.OpenCall()
	w := s.Window()
	phone := w.Device()
	w.Visit("/events/harbour/call/start")
	w.Fill("Title", "Harbour pilots")
	w.Fill("Your name", "Ingrid Sørlie")
	w.Fill("E-mail address", "ingrid@example.org")
	time.Sleep(2 * time.Second) // as long as a person takes
	w.Press("Start")
	w.Visit(office.Link(t, "ingrid@example.org", "the way back"))
	w.Press("Open my place")
	w.Visit("/events/harbour/place/profile")
	w.Follow("Your passkeys")
	w.Accessible("place-passkeys")
	w.Fill("Name", "My phone")
	w.Press("Make the passkey")
	w.Sees("The passkey is added.", "My phone", "not used yet")
	w.Accessible("place-passkeys-one")
	office.Letter(t, "ingrid@example.org", "A passkey at Harbour")

	phone.Presence(false)
	w.Visit("/events/harbour/place")
	w.Press("Leave this device")
	w.Sees("Come in with a passkey")
	w.Accessible("place-sign-in-passkey")
	w.Touch("Come in with a passkey")
	phone.Presence(true)
	w.Sees("Harbour pilots")
	w.Visit("/events/harbour/place/passkeys")
	w.Follow("Remove the passkey “My phone”?")
	w.Accessible("place-passkey-remove")
	w.Press("Remove")
	w.Sees("The passkey is removed.")
	w.DoesNotSee("My phone")
}
