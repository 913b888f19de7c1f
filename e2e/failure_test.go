package e2e

import (
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

func TestWhatFailsIsSaidInThePageAndCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	w.check(proto.NetworkEnable{}.Call(w.page), "the network")
	offline := func(off bool) {
		w.check(proto.NetworkEmulateNetworkConditions{Offline: off, DownloadThroughput: -1,
			UploadThroughput: -1}.Call(w.page), "the network")
	}
	w.follow("Tracks, rooms and tags")
	w.fill("Name of the new track", "Archives")
	offline(true)
	w.touch("Add track")
	w.sees("The server cannot be reached", "Try again")
	w.accessible("failure")
	if got := w.value("Name of the new track"); got != "Archives" {
		t.Errorf("the form has %q", got)
	}
	offline(false)
	w.press("Try again")
	w.sees("“Archives” is added.")
	w.forgive() // htmx tells the console as well

	// A sign-in that ended does not take along what was typed.
	w.fill("Name of the new track", "Community")
	w.check(proto.NetworkClearBrowserCookies{}.Call(w.page), "the cookies")
	w.touch("Add track")
	w.sees("You are signed out", "Sign in in another tab")
	w.forgive()
	w.accessible("signed-out")
	opened := w.page.WaitOpen()
	w.touch("Sign in in another tab")
	page, err := opened()
	w.check(err, "another tab")
	tab := &window{t: t, page: page, base: s.base, scripts: true}
	tab.fill("E-mail address", "ada@example.org")
	tab.fill("Password", "correct horse battery")
	tab.press("Sign in")
	tab.path("/admin/")
	page.Close()
	w.sees("What you typed")
	if got := w.value("Name"); got != "Community" {
		t.Errorf("the page shows %q", got)
	}
	w.press("Send it again")
	w.sees("Send it once more?")
	w.press("Send it again")
	w.sees("“Community” is added.")
}

// forgive forgets what the browser complained of so far, which had to happen.
func (w *window) forgive() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bad = nil
}
