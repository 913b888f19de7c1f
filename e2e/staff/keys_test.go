package staff

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestAKeyIsShownOnce makes a key and copies it; neither a reload nor a step back shows it again.
func TestAKeyIsShownOnce(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		event := w.URL()
		w.Visit(event + "/keys")
		w.Follow("New key")
		w.Fill("Name", "Agenda on the website")
		w.Tick("Read only, with contacts")
		w.Press("Make the key")
		w.Sees("Copy the key now", "claude mcp add")
		value := w.TextOf("key-value")
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
		w.Follow("I have copied it")
		w.Sees("Active")
		w.Back()
		gone("Back from the list")
		w.Reload()
		w.Sees("Its value was shown then", "lct_…"+value[len(value)-4:])
		gone("a reload")
		w.Back()
		gone("Back")
	})
}

// copies presses a button that copies this text, and checks the clipboard and the announcement.
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
