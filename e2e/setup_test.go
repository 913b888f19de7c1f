package e2e

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestFirstDay goes from an empty server to the first delivered event, as a new
// user does, with scripts and without.
func TestFirstDay(t *testing.T) { journey(t, firstDay) }

func firstDay(t *testing.T, s *site) {
	hook := newReceiver(t)
	s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	srv := s.serve("serve")
	code := regexp.MustCompile(`code=([a-z0-9]{16})`).FindStringSubmatch(srv.log.String())
	if code == nil {
		t.Fatalf("no set-up code in the log: %s", srv.log)
	}
	w := s.window()
	w.visit("/admin")
	w.path("/setup")
	w.sees("Step 1 of 2")
	w.accessible("setup")
	w.fill("Setup code", "nonsense")
	w.fill("Organization", "Tide")
	w.fill("Your name", "Ada Byron")
	w.fill("E-mail address", "ada@example.org")
	w.fill("Password", "correct horse battery")
	w.press("Create the organization")
	w.sees("code is not the one in the server's log.")
	w.accessible("setup-refused")
	if got := w.value("Organization"); got != "Tide" {
		t.Errorf("the form forgot %q", got)
	}
	w.fill("Setup code", code[1])
	w.fill("Password", "correct horse battery")
	w.press("Create the organization")
	w.path("/admin/events/new")
	w.sees("Step 2 of 2", "Your first event")
	if w.scripts {
		here, err := js[string](w, `() => Intl.DateTimeFormat().resolvedOptions().timeZone`)
		w.check(err, "the browser's zone")
		if got := w.value("Time zone"); got != here {
			t.Errorf("the time zone is %q, the browser's %q", got, here)
		}
	} else if got := w.value("Time zone"); got != "" {
		t.Errorf("the time zone is %q", got)
	}
	w.fill("Name of the event", "Tideline Übersee 2027")
	if w.scripts {
		if got := w.value("Short name"); got != "tideline-ubersee-2027" {
			t.Errorf("the short name follows as %q", got)
		}
	} else {
		w.fill("Short name", "tideline-ubersee-2027")
	}
	w.fill("Time zone", "Europe/Lisbon")
	w.accessible("new-event")
	w.press("Create the event")
	w.sees("Tideline Übersee 2027” is created.")
	w.accessible("dashboard-new")

	w.follow("API keys")
	w.follow("Make the first key")
	w.fill("Name", "Website")
	w.tick("Choose")
	w.tick("read:events")
	w.press("Make the key")
	w.sees("The key for Website", "lct_")
	command := regexp.MustCompile(`curl (?:[^\n]*\\\n)*[^\n]*`).FindString(w.text())
	out, err := exec.Command("bash", "-c", command).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Tideline Übersee 2027") {
		t.Errorf("%s: %v %s", command, err, out)
	}
	value := regexp.MustCompile(`lct_[0-9A-Za-z]{38}`).FindString(w.text())
	w.follow("API keys")
	w.sees("Website", "read:events")
	if strings.Contains(w.text(), value) {
		t.Error("the key is shown again")
	}

	w.follow("Webhook endpoints")
	w.follow("Add the first endpoint")
	w.fill("Address", hook.URL)
	w.press("Add the endpoint")
	w.sees("whsec_")
	w.follow("I have copied it")
	w.sees(hook.URL)

	w.visit("/admin")
	w.follow("Submissions")
	w.follow("Capture a submission")
	w.fill("Title", "Harbour logs, digitised")
	w.choose("Track", "Community")
	w.press("Create submission")
	w.sees("A-1 is created.")
	hook.wait(t, 1)
	w.follow("Delivery log")
	w.reloadsUntil("Delivered\nsession.created\n")
	w.visit("/admin")
	w.press("Sign out")
	w.path("/sign-in")
	w.accessible("sign-in")
	w.visit("/setup")
	w.sees("There is nothing here")
	w.accessible("not-there")
	if strings.Contains(srv.log.String(), value) || strings.Contains(srv.log.String(), "correct horse") {
		t.Error("a secret is in the log")
	}
}
