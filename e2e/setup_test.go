package e2e

import (
	"regexp"
	"testing"
)

func TestFirstStart(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	srv := s.serve("serve")
	code := regexp.MustCompile(`code=([a-z0-9]{16})`).FindStringSubmatch(srv.log.String())
	if code == nil {
		t.Fatalf("no set-up code in the log: %s", srv.log)
	}
	w := s.window()
	w.visit("/admin")
	w.path("/setup")
	w.accessible("setup")
	w.fill("Setup code", "nonsense")
	w.fill("Organization", "Tide")
	w.fill("Your name", "Ada Byron")
	w.fill("E-mail address", "ada@example.org")
	w.fill("Password", "correct horse battery")
	w.press("Create the organization")
	w.sees("Code is not the one in the server's log.")
	if got := w.value("Organization"); got != "Tide" {
		t.Errorf("the form forgot %q", got)
	}
	w.fill("Setup code", code[1])
	w.fill("Password", "correct horse battery")
	w.press("Create the organization")
	w.path("/admin/events/new")
	w.fill("Name of the event", "Tideline Übersee 2027")
	if got := w.value("Short name"); got != "tideline-ubersee-2027" {
		t.Errorf("the short name follows as %q", got)
	}
	w.fill("Time zone", "Europe/Lisbon")
	w.accessible("new-event")
	w.press("Create the event")
	w.sees("Tideline Übersee 2027 is there.")
	w.press("Sign out")
	w.path("/sign-in")
	w.accessible("sign-in")
	w.visit("/setup")
	w.sees("There is nothing here")
}
