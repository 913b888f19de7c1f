package e2e

import (
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

func TestAKeyIsMintedShownOnceUsedAndRevoked(t *testing.T) {
	journey(t, keyJourney)
}

func keyJourney(t *testing.T, s *site) {
	w := s.owner()
	event := w.url()
	w.visit(event + "/keys")
	w.sees("No keys yet")
	w.accessible("keys-empty")
	w.follow("New key")
	w.fill("Name", "Agenda on the website")
	w.tick("Read only, with contacts")
	w.sees("the speakers' records with their phone numbers")
	w.accessible("keys-new")
	w.press("Make the key")
	w.sees("Copy the key now", "claude mcp add")
	value := w.textOf("key-value")
	if !regexp.MustCompile(`^lct_[0-9A-Za-z]{38}$`).MatchString(value) {
		t.Fatalf("the key is %q", value)
	}
	if curl := w.textOf("key-curl"); !strings.Contains(curl, "/sessions/search") || !strings.Contains(curl, value) {
		t.Errorf("the command is %q", curl)
	}
	w.accessible("keys-made")
	if w.scripts {
		w.copies("Copy", value)
	}
	id := strings.TrimPrefix(event, "/admin/events/")
	if total := total(s.ok(value, "POST", "/v1/event/"+id+"/sessions/search", "{}")); total != 0 {
		t.Errorf("%d sessions", total)
	}
	gone := func(after string) {
		t.Helper()
		if strings.Contains(w.html(), value) {
			t.Errorf("%s shows the key again", after)
		}
	}
	w.reload()
	w.sees("Its value was shown then", "lct_…"+value[len(value)-4:])
	gone("a reload")
	w.back()
	gone("Back")
	w.visit(event + "/keys")
	if n := strings.Count(w.html(), `id="key-`); n != 1 {
		t.Errorf("%d keys after a reload", n)
	}
	w.sees("Active", "read:contacts")
	w.accessible("keys")
	w.follow("Revoke Agenda on the website")
	w.sees("What stops working", "Read the speakers")
	w.accessible("keys-revoke")
	w.press("Revoke the key")
	w.sees("is revoked")
	if status, _ := s.call(value, "GET", "/v1/events", ""); status != 401 {
		t.Errorf("a revoked key: %d", status)
	}
}

func TestBackFromTheListDoesNotShowTheKeyAgain(t *testing.T) {
	journey(t, backToKeyJourney)
}

func backToKeyJourney(t *testing.T, s *site) {
	w := s.owner()
	event := w.url()
	w.visit(event + "/keys/new")
	w.fill("Name", "Form")
	w.tick("Choose")
	w.tick("write:sessions")
	w.press("Make the key")
	w.sees("This key reads nothing")
	value := w.textOf("key-value")
	w.follow("I have copied it")
	w.sees("Active")
	w.back()
	if strings.Contains(w.html(), value) {
		t.Error("Back shows the key again")
	}
}

// copies presses a button that copies this text, and hears that it did.
func (w *window) copies(button, text string) {
	w.t.Helper()
	w.check(proto.BrowserGrantPermissions{BrowserContextID: w.page.Browser().BrowserContextID,
		Permissions: []proto.BrowserPermissionType{
			proto.BrowserPermissionTypeClipboardReadWrite, proto.BrowserPermissionTypeClipboardSanitizedWrite,
		}}.Call(w.page.Browser()), "clipboard")
	w.press(button)
	if !within(patience, func() bool { return w.textOf("announcements") == "Copied" }) {
		w.t.Fatalf("copying announces %q", w.textOf("announcements"))
	}
	if got, err := js[string](w, `() => navigator.clipboard.readText()`); err != nil || got != text {
		w.t.Errorf("the clipboard has %q (%v), want %q", got, err, text)
	}
}
