package staff

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestSomebodySignsInWithAPasskey has no journey without scripts: there the pages ask for a password and a code.
func TestSomebodySignsInWithAPasskey(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	s.ServeNamed("serve")
	w := s.Owner()
	phone := w.Device()
	w.Visit("/admin/account")
	w.Accessible("account-no-passkeys")
	w.Follow("Add a passkey")
	w.Sees("Your browser asks where to keep it")
	w.Accessible("passkey-new")
	w.Fill("Name", "My phone")
	w.Press("Make the passkey")
	w.Sees("The passkey is added", "Your recovery codes")
	recovery := strings.Fields(w.TextOf("recovery"))
	w.Accessible("passkey-added")
	w.Follow("I have kept them")
	w.Sees("My phone", "by passkey")
	w.Accessible("account-passkeys")
	w.Follow("Change My phone")
	w.Accessible("passkey-one")

	// Its device knows it already.
	w.Visit("/admin/account/passkeys/new")
	w.Touch("Make the passkey")
	w.Sees("This device has a passkey of yours for this site already.")

	// With it alone. Its owner does not answer at once, so the button is pressed.
	phone.Presence(false)
	w.Visit("/admin/account")
	w.Press("Sign out everywhere")
	w.Path("/sign-in")
	w.Sees("Sign in with a passkey")
	w.Accessible("sign-in-passkey")
	isSentOnce(w, phone)
	w.Visit("/sign-in")
	w.Touch("Sign in with a passkey")
	phone.Presence(true)
	w.Path("/admin/events/")
	w.Visit("/admin/account")
	w.Sees("My phone", "just now")

	// Out of the list of the field for the address, where the device takes the first one.
	w.Press("Sign out everywhere")
	w.Path("/admin/events/")

	// As second factor.
	phone.Presence(false)
	w.Visit("/admin/account")
	w.Press("Sign out everywhere")
	w.Path("/sign-in")
	w.Fill("E-mail address", "ada@example.org")
	w.Fill("Password", "correct horse battery")
	w.Press("Sign in")
	w.Path("/second-factor")
	w.Sees("Use a passkey", "One of your recovery codes.")
	w.Accessible("second-factor-passkey")
	phone.Presence(true)
	w.Press("Use a passkey")
	w.Path("/admin/events/")

	// A device that nobody unlocks signs nobody in.
	phone.Verified(false)
	w.Visit("/admin/account")
	w.Press("Sign out everywhere")
	w.Touch("Sign in with a passkey")
	w.Sees("No passkey was chosen.")

	// Without scripts nothing speaks of it, and a recovery code stands in for it.
	plain := s.Window()
	plain.Check(proto.EmulationSetScriptExecutionDisabled{Value: true}.Call(plain.Page), "scripts")
	plain.Scripts = false
	plain.Visit("/sign-in")
	plain.DoesNotSee("passkey")
	plain.Fill("E-mail address", "ada@example.org")
	plain.Fill("Password", "correct horse battery")
	plain.Press("Sign in")
	plain.DoesNotSee("Use a passkey")
	plain.Fill("Code", recovery[0])
	plain.Press("Continue")
	plain.Path("/admin/events/")

	// Removed, it opens nothing. This browser is one that offers no list: the device here takes from it by itself.
	w.NoList()
	w.Visit("/sign-in")
	phone.Verified(true)
	plain.Visit("/admin/account")
	plain.Follow("Change My phone")
	plain.Press("Remove the passkey")
	plain.Sees("no longer signs you in")
	w.Press("Sign in with a passkey")
	w.Sees("opens no account of staff here")
	w.SignIn("ada@example.org")
	w.Visit("/admin/security")
	w.Sees("Ada Byron added a passkey", "Ada Byron signed in with a passkey", "Ada Byron removed a passkey of theirs")
}

// isSentOnce has the button pressed while an answer out of the list is on its way, which a slow server leaves time for.
func isSentOnce(w *Window, phone *Device) {
	w.T.Helper()
	run := func(function string) (sent int) {
		sent, err := JS[int](w, function)
		w.Check(err, "sending once")
		return sent
	}
	asUsual, err := w.Page.EvalOnNewDocument(`window.sent = 0; HTMLFormElement.prototype.submit = () => { window.sent++; }`)
	w.Check(err, "a slow server")
	phone.Presence(true)
	w.Visit("/sign-in")
	if !Within(Patience, func() bool { return run(`() => window.sent`) == 1 }) {
		w.T.Fatal("the device takes nothing from the list")
	}
	w.Touch("Sign in with a passkey")
	modelstest.Want(w.T, "answers are sent",
		run(`() => new Promise((done) => setTimeout(() => done(window.sent), 500))`), 1)
	phone.Presence(false)
	w.Check(asUsual(), "a server as before")
}
