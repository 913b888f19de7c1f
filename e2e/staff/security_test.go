package staff

import (
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

func TestAnOwnerRequiresTheSecondFactorOfAll(t *testing.T) {
	OnlyLong(t)
	Journey(t, requiredFactorJourney)
}

func requiredFactorJourney(t *testing.T, s *Site) {
	ada := s.Owner()
	if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", "li@example.org", "--name",
		"Li Wei", "--role", "organizer"); err != nil || !strings.Contains(stderr, "event=staff_joined door=cli") {
		t.Fatalf("%v %s", err, stderr)
	}
	li, elsewhere := s.Window(), s.Window()
	li.SignIn("li@example.org")
	elsewhere.SignIn("li@example.org")
	submissions := li.URL() + "/submissions"

	ada.Follow("Security")
	ada.Sees("Not required", "0 of 2 members of staff have one", "You have none yourself yet")
	ada.DoesNotSee("Require it of all staff")
	ada.Accessible("security-own-first")
	ada.Follow("Turn on yours")
	turnOn(ada)
	ada.Follow("Security")
	ada.Sees("1 of 2 members of staff has one", "Li Wei")
	ada.Accessible("security-not-required")
	ada.Press("Require it of all staff")
	ada.Sees("All staff need a second factor now.", "Required", "Ada Byron required a second factor of all staff",
		"The command line made Li Wei a member of staff")
	ada.Accessible("security-required")

	li.Visit(submissions) // signed in before it was required
	li.Path("/admin/account/second-factor")
	li.Sees("Your organization requires a second factor of all staff.")
	li.DoesNotSee("Harbour")
	li.Accessible("second-factor-owed")
	li.Fill("Your password", "correct horse battery")
	li.Press("Set it up")
	li.Sees("Sign out everywhere else", "You are signed in on 1 other browser")
	li.Accessible("second-factor-owed-secret")
	secret := li.TextOf("secret")
	li.Visit(submissions)
	li.Path("/admin/account/second-factor")
	li.Fill("Your password", "correct horse battery")
	li.Press("Set it up")
	if again := li.TextOf("secret"); again == secret {
		t.Error("a new set-up has the secret of the one before")
	}
	li.Fill("Code of the app", totp(t, li.TextOf("secret"), 0))
	li.Press("Turn on")
	li.Sees("you are signed out everywhere else", "Your recovery codes")
	li.Accessible("second-factor-owed-codes")
	li.Follow("I have kept them")
	li.Path(submissions)
	elsewhere.Visit("/admin/account")
	elsewhere.Path("/sign-in")
	li.Visit("/admin/account/second-factor")
	li.Sees("Your organization requires one of all staff, so it stays on.")
	li.Accessible("second-factor-stays")

	// Who lost it all is let in by whoever runs the server, and sets it up anew.
	if _, stderr, err := s.Try("", "user", "end-second-factor", "--email", "li@example.org"); err != nil {
		t.Fatal(stderr)
	}
	elsewhere.Fill("E-mail address", "li@example.org")
	elsewhere.Fill("Password", "correct horse battery")
	elsewhere.Press("Sign in")
	elsewhere.Path("/admin/account/second-factor")
	elsewhere.Visit(submissions)
	elsewhere.Path("/admin/account/second-factor")
	elsewhere.Press("Sign out")
	elsewhere.Path("/sign-in")
	elsewhere.Fill("E-mail address", "li@example.org")
	elsewhere.Fill("Password", "a wrong one")
	elsewhere.Press("Sign in")
	elsewhere.Sees("The address or the password is wrong.")
	ada.ReloadsUntil("Somebody gave a wrong password for Li Wei")
	ada.Sees("from 127.0.0.1", "The command line ended the second factor of Li Wei",
		"Li Wei turned their second factor on")
	ada.Visit("/admin/security?kind=sign-ins")
	ada.Sees("Li Wei signed in")
	ada.DoesNotSee("gave a wrong password")
	ada.Accessible("security-sign-ins")
}

// turnOn sets the second factor up on its page.
func turnOn(w *Window) {
	w.T.Helper()
	w.Fill("Your password", "correct horse battery")
	w.Press("Set it up")
	w.Fill("Code of the app", totp(w.T, w.TextOf("secret"), 0))
	w.Press("Turn on")
	w.Follow("I have kept them")
}
