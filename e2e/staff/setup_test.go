package staff

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestFirstDay goes from an empty server to the first delivered event, as a new
// user does, with scripts and without.
func TestFirstDay(t *testing.T) { Journey(t, firstDay) }

func firstDay(t *testing.T, s *Site) {
	hook := NewReceiver(t)
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	srv := s.Serve("serve")
	code := regexp.MustCompile(`code=([a-z0-9]{16})`).FindStringSubmatch(srv.Log.Has(t, "code="))
	if code == nil {
		t.Fatalf("no set-up code in the log: %s", srv.Log)
	}
	w := s.Window()
	w.Visit("/admin")
	w.Path("/setup")
	w.Sees("Step 1 of 2")
	w.Accessible("setup")
	w.Fill("Setup code", "nonsense")
	w.Fill("Organization", "Tide")
	w.Fill("Your name", "Ada Byron")
	w.Fill("E-mail address", "ada@example.org")
	w.Fill("Password", "correct horse battery")
	w.Press("Create the organization")
	w.Sees("code is not the one in the server's log.")
	w.Accessible("setup-refused")
	modelstest.Want(t, "the form forgot", w.Value("Organization"), "Tide")
	w.Fill("Setup code", code[1])
	w.Fill("Password", "correct horse battery")
	w.Press("Create the organization")
	w.Path("/admin/events/new")
	w.Sees("Step 2 of 2", "Your first event")
	if w.Scripts {
		here, err := JS[string](w, `() => Intl.DateTimeFormat().resolvedOptions().timeZone`)
		w.Check(err, "the browser's zone")
		modelstest.Want(t, "time zone", w.Value("Time zone"), here)
	} else if got := w.Value("Time zone"); got != "" {
		t.Errorf("the time zone is %q", got)
	}
	w.Fill("Name of the event", "Tideline Übersee 2027")
	if w.Scripts {
		modelstest.Want(t, "the short name follows as", w.Value("Short name"), "tideline-ubersee-2027")
	} else {
		w.Fill("Short name", "tideline-ubersee-2027")
	}
	w.Fill("Time zone", "Europe/Lisbon")
	w.Accessible("new-event")
	w.Press("Create the event")
	w.Sees("Tideline Übersee 2027” is created.")
	w.Accessible("dashboard-new")

	w.Follow("API keys")
	w.Follow("Make the first key")
	w.Fill("Name", "Website")
	w.Tick("Choose")
	w.Tick("read:events")
	w.Press("Make the key")
	w.Sees("The key for Website", "lct_")
	command := regexp.MustCompile(`curl (?:[^\n]*\\\n)*[^\n]*`).FindString(w.Text())
	out, err := exec.Command("bash", "-c", command).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Tideline Übersee 2027") {
		t.Errorf("%s: %v %s", command, err, out)
	}
	value := regexp.MustCompile(`lct_[0-9A-Za-z]{38}`).FindString(w.Text())
	w.Follow("API keys")
	w.Sees("Website", "read:events")
	if strings.Contains(w.Text(), value) {
		t.Error("the key is shown again")
	}

	w.Follow("Webhook endpoints")
	w.Follow("Add the first endpoint")
	w.Fill("Address", hook.URL)
	w.Press("Add the endpoint")
	w.Sees("whsec_")
	w.Follow("I have copied it")
	w.Sees(hook.URL)

	w.Visit("/admin")
	w.Follow("Submissions")
	w.Follow("Capture a submission")
	w.Fill("Title", "Harbour logs, digitised")
	w.Choose("Track", "Community")
	w.Press("Create submission")
	w.Sees("A-1 is created.")
	hook.Wait(t, 1)
	w.Follow("Delivery log")
	w.ReloadsUntil("Delivered\nsession.created\n")
	w.Visit("/admin")
	w.Press("Sign out")
	w.Path("/sign-in")
	w.Accessible("sign-in")
	w.Visit("/setup")
	w.Sees("There is nothing here")
	w.Accessible("not-there")
	if strings.Contains(srv.Log.String(), value) || strings.Contains(srv.Log.String(), "correct horse") {
		t.Error("a secret is in the log")
	}
}
