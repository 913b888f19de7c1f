package staff

import (
	"testing"

	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestWhatFailsIsSaidInThePageAndCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	w := s.Owner()
	w.Check(proto.NetworkEnable{}.Call(w.Page), "the network")
	offline := func(off bool) {
		w.Check(proto.NetworkEmulateNetworkConditions{Offline: off, DownloadThroughput: -1,
			UploadThroughput: -1}.Call(w.Page), "the network")
	}
	w.Follow("Tracks, rooms and tags")
	w.Fill("Name of the new track", "Archives")
	offline(true)
	w.Touch("Add track")
	w.Sees("The server cannot be reached", "Try again")
	w.Accessible("failure")
	modelstest.Want(t, "the form has", w.Value("Name of the new track"), "Archives")
	offline(false)
	w.Press("Try again")
	w.Sees("“Archives” is added.")
	w.Forgive() // htmx tells the console as well

	// A sign-in that ended does not take along what was typed.
	w.Fill("Name of the new track", "Community")
	w.Check(proto.NetworkClearBrowserCookies{}.Call(w.Page), "the cookies")
	w.Touch("Add track")
	w.Sees("You are signed out", "Sign in in another tab")
	w.Forgive()
	w.Accessible("signed-out")
	opened := w.Page.WaitOpen()
	w.Touch("Sign in in another tab")
	page, err := opened()
	w.Check(err, "another tab")
	tab := &Window{T: t, Page: page, Base: s.Base, Scripts: true}
	tab.Fill("E-mail address", "ada@example.org")
	tab.Fill("Password", "correct horse battery")
	tab.Press("Sign in")
	tab.Path("/admin/")
	page.Close()
	w.Sees("What you typed")
	modelstest.Want(t, "the page shows", w.Value("Name"), "Community")
	w.Press("Send it again")
	w.Sees("Send it once more?")
	w.Press("Send it again")
	w.Sees("“Community” is added.")
}
