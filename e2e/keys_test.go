package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// textOf is what the element with this id holds.
func (w *window) textOf(id string) string {
	w.t.Helper()
	element, err := w.page.Timeout(patience).Element("#" + id)
	w.check(err, id)
	text, err := element.Property("textContent")
	w.check(err, id)
	return text.String()
}

// html is all of the page, also what it does not show.
func (w *window) html() string {
	w.t.Helper()
	html, err := w.page.Timeout(patience).HTML()
	w.check(err, "html")
	return html
}

func TestAKeyIsMintedShownOnceUsedAndRevoked(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	event := w.url()
	w.visit(event + "/keys")
	w.sees("No keys yet")
	w.accessible("keys-empty")
	w.follow("New key")
	w.press("Read only")
	w.sees("Ticked below: all that reads")
	w.fill("Name", "Agenda on the website")
	w.accessible("keys-new")
	w.press("Make the key")
	w.sees("Copy the key now")
	value := w.textOf("key-value")
	if !regexp.MustCompile(`^lct_[0-9A-Za-z]{38}$`).MatchString(value) {
		t.Fatalf("the key is %q", value)
	}
	if curl := w.textOf("key-curl"); !strings.Contains(curl, "/sessions/search") || !strings.Contains(curl, value) {
		t.Errorf("the command is %q", curl)
	}
	w.accessible("keys-made")
	(proto.BrowserGrantPermissions{Permissions: []proto.BrowserPermissionType{proto.BrowserPermissionTypeClipboardReadWrite, proto.BrowserPermissionTypeClipboardSanitizedWrite}}).Call(w.page.Browser())
	w.press("Copy")
	for end := time.Now().Add(patience); w.textOf("announcements") != "Copied"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("copying announces %q", w.textOf("announcements"))
		}
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
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	event := w.url()
	w.visit(event + "/keys/new")
	w.fill("Name", "Form")
	w.tick("write:sessions")
	w.press("Make the key")
	w.sees("This key reads nothing")
	value := w.textOf("key-value")
	w.follow("I have copied it")
	w.sees("Active")
	w.back()
	time.Sleep(300 * time.Millisecond)
	if strings.Contains(w.html(), value) {
		t.Error("Back shows the key again")
	}
}

func TestAKeyIsMintedWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	s.owner()
	w := s.plainWindow()
	w.signIn("ada@example.org")
	w.visit(w.url() + "/keys/new?preset=cfp")
	w.fill("Name", "Form")
	w.press("Make the key")
	w.sees("/v1/events", "claude mcp add")
}
