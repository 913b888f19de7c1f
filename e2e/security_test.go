package e2e

import (
	"strings"
	"testing"
)

func TestAnOwnerRequiresTheSecondFactorOfAll(t *testing.T) {
	journey(t, requiredFactorJourney)
}

func requiredFactorJourney(t *testing.T, s *site) {
	ada := s.owner()
	if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "li@example.org", "--name",
		"Li Wei", "--role", "organizer"); err != nil || !strings.Contains(stderr, "event=staff_joined door=cli") {
		t.Fatalf("%v %s", err, stderr)
	}
	li, elsewhere := s.window(), s.window()
	li.signIn("li@example.org")
	elsewhere.signIn("li@example.org")
	submissions := li.url() + "/submissions"

	ada.follow("Security")
	ada.sees("Not required", "0 of 2 members of staff have one", "You have none yourself yet")
	ada.doesNotSee("Require it of all staff")
	ada.accessible("security-own-first")
	ada.follow("Turn on yours")
	turnOn(ada)
	ada.follow("Security")
	ada.sees("1 of 2 members of staff has one", "Li Wei")
	ada.accessible("security-not-required")
	ada.press("Require it of all staff")
	ada.sees("All staff need a second factor now.", "Required", "Ada Byron required a second factor of all staff",
		"The command line made Li Wei a member of staff")
	ada.accessible("security-required")

	li.visit(submissions) // signed in before it was required
	li.path("/admin/account/second-factor")
	li.sees("Your organization requires a second factor of all staff.")
	li.doesNotSee("Harbour")
	li.accessible("second-factor-owed")
	li.fill("Your password", "correct horse battery")
	li.press("Set it up")
	li.sees("Sign out everywhere else", "You are signed in on 1 other browser")
	li.accessible("second-factor-owed-secret")
	secret := li.textOf("secret")
	li.visit(submissions)
	li.path("/admin/account/second-factor")
	li.fill("Your password", "correct horse battery")
	li.press("Set it up")
	if again := li.textOf("secret"); again == secret {
		t.Error("a new set-up has the secret of the one before")
	}
	li.fill("Code of the app", totp(t, li.textOf("secret"), 0))
	li.press("Turn on")
	li.sees("you are signed out everywhere else", "Your recovery codes")
	li.accessible("second-factor-owed-codes")
	li.follow("I have kept them")
	li.path(submissions)
	elsewhere.visit("/admin/account")
	elsewhere.path("/sign-in")
	li.visit("/admin/account/second-factor")
	li.sees("Your organization requires one of all staff, so it stays on.")
	li.accessible("second-factor-stays")

	// Who lost it all is let in by whoever runs the server, and sets it up anew.
	if _, stderr, err := s.try("", "user", "end-second-factor", "--email", "li@example.org"); err != nil {
		t.Fatal(stderr)
	}
	elsewhere.fill("E-mail address", "li@example.org")
	elsewhere.fill("Password", "correct horse battery")
	elsewhere.press("Sign in")
	elsewhere.path("/admin/account/second-factor")
	elsewhere.visit(submissions)
	elsewhere.path("/admin/account/second-factor")
	elsewhere.press("Sign out")
	elsewhere.path("/sign-in")
	elsewhere.fill("E-mail address", "li@example.org")
	elsewhere.fill("Password", "a wrong one")
	elsewhere.press("Sign in")
	elsewhere.sees("The address or the password is wrong.")
	ada.reloadsUntil("Somebody gave a wrong password for Li Wei")
	ada.sees("from 127.0.0.1", "The command line ended the second factor of Li Wei",
		"Li Wei turned their second factor on")
	ada.visit("/admin/security?kind=sign-ins")
	ada.sees("Li Wei signed in")
	ada.doesNotSee("gave a wrong password")
	ada.accessible("security-sign-ins")
}

// turnOn sets the second factor up on its page.
func turnOn(w *window) {
	w.t.Helper()
	w.fill("Your password", "correct horse battery")
	w.press("Set it up")
	w.fill("Code of the app", totp(w.t, w.textOf("secret"), 0))
	w.press("Turn on")
	w.follow("I have kept them")
}
