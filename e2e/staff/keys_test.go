package staff

import (
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestAKeyIsMintedShownOnceUsedAndRevoked(t *testing.T) {
	OnlyLong(t)
	Journey(t, keyJourney)
}

func keyJourney(t *testing.T, s *Site) {
	w := s.Owner()
	event := w.URL()
	w.Visit(event + "/keys")
	w.Sees("No keys yet")
	w.Accessible("keys-empty")
	w.Follow("New key")
	w.Fill("Name", "Agenda on the website")
	w.Tick("Read only, with contacts")
	w.Sees("the records of people with their phone numbers")
	w.Accessible("keys-new")
	w.Press("Make the key")
	w.Sees("Copy the key now", "claude mcp add")
	value := w.TextOf("key-value")
	if !regexp.MustCompile(`^lct_[0-9A-Za-z]{38}$`).MatchString(value) {
		t.Fatalf("the key is %q", value)
	}
	if curl := w.TextOf("key-curl"); !strings.Contains(curl, "/sessions/search") || !strings.Contains(curl, value) {
		t.Errorf("the command is %q", curl)
	}
	w.Accessible("keys-made")
	if w.Scripts {
		copies(w, "Copy", value)
	}
	id := strings.TrimPrefix(event, "/admin/events/")
	modelstest.Want(t, "sessions", Total(s.Ok(value, "POST", "/v1/event/"+id+"/sessions/search", "{}")), 0)
	gone := func(after string) {
		t.Helper()
		if strings.Contains(w.HTML(), value) {
			t.Errorf("%s shows the key again", after)
		}
	}
	w.Reload()
	w.Sees("Its value was shown then", "lct_…"+value[len(value)-4:])
	gone("a reload")
	w.Back()
	gone("Back")
	w.Visit(event + "/keys")
	modelstest.Want(t, "keys after a reload", strings.Count(w.HTML(), `id="key-`), 1)
	w.Sees("Active", "read:contacts")
	w.Accessible("keys")
	w.Follow("Revoke Agenda on the website")
	w.Sees("What stops working", "Read the speakers")
	w.Accessible("keys-revoke")
	w.Press("Revoke the key")
	w.Sees("is revoked")
	if status, _ := s.Call(value, "GET", "/v1/events", ""); status != 401 {
		t.Errorf("a revoked key: %d", status)
	}
}

func TestBackFromTheListDoesNotShowTheKeyAgain(t *testing.T) {
	OnlyLong(t)
	Journey(t, backToKeyJourney)
}

func backToKeyJourney(t *testing.T, s *Site) {
	w := s.Owner()
	event := w.URL()
	w.Visit(event + "/keys/new")
	w.Fill("Name", "Form")
	w.Tick("Choose")
	w.Tick("write:sessions")
	w.Press("Make the key")
	w.Sees("This key reads nothing")
	value := w.TextOf("key-value")
	w.Follow("I have copied it")
	w.Sees("Active")
	w.Back()
	if strings.Contains(w.HTML(), value) {
		t.Error("Back shows the key again")
	}
}

// copies presses a button that copies this text, and hears that it did.
func copies(w *Window, button, text string) {
	w.T.Helper()
	w.Check(proto.BrowserGrantPermissions{BrowserContextID: w.Page.Browser().BrowserContextID,
		Permissions: []proto.BrowserPermissionType{
			proto.BrowserPermissionTypeClipboardReadWrite, proto.BrowserPermissionTypeClipboardSanitizedWrite,
		}}.Call(w.Page.Browser()), "clipboard")
	w.Press(button)
	if !Within(Patience, func() bool { return w.TextOf("announcements") == "Copied" }) {
		w.T.Fatalf("copying announces %q", w.TextOf("announcements"))
	}
	if got, err := JS[string](w, `() => navigator.clipboard.readText()`); err != nil || got != text {
		w.T.Errorf("the clipboard has %q (%v), want %q", got, err, text)
	}
}
