package cfp

import (
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
)

// TestALinkOfAnotherBrowserOffersAFreshOne forwards a mail, opens it on a shared computer, and goes back there after
// signing out.
func TestALinkOfAnotherBrowserOffersAFreshOne(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		modelstest.Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "Ingrid",
			Email: "ingrid@example.org"}))(t)
		asks := func(b *browser, mails int) string {
			t.Helper()
			s.Clock.Move(6 * time.Minute)
			b.get("/events/conf/place/sign-in", 200)
			b.post("/events/conf/place/link", url.Values{"link_email": {"ingrid@example.org"}}, 200)
			return s.link("ingrid@example.org", mails)
		}
		home, thief := s.browser(), s.browser()
		link := asks(home, 1)
		home.get(link, 200)
		home.post(link, nil, 303)
		wants(t, home.get("/events/conf/place", 200), "Ingrid")
		s.Clock.Move(cfp.LinkOpen)
		page := thief.get(link, 403)
		wants(t, page, "Is this you?", "i…@example.org", "Mail me a fresh link")
		lacks(t, page, "ingrid@", "Open my place")
		thief.post(link, nil, 403)
		wants(t, thief.leads("/events/conf/place"), "sign-in")
		fresh := strings.Replace(link, "/link/", "/fresh/", 1)
		thief.get(link, 403)
		wants(t, thief.answer(fresh, nil, 200), "We mailed a fresh link to", "i…@example.org")
		second := s.link("ingrid@example.org", 2)
		delete(home.cookies, "lectern-speaker") // it ended, and the browser is known still
		home.get(link, 200)
		home.post(link, nil, 303)
		// Signing out on a shared computer closes what was opened there, even on the same day.
		library := s.browser()
		library.get(second, 200)
		library.post(second, nil, 303)
		kept := maps.Clone(library.cookies)
		library.get("/events/conf/place", 200)
		library.post("/events/conf/place/leave", nil, 303)
		for _, cookies := range []map[string]string{library.cookies, kept} {
			back := s.browser()
			back.cookies = cookies
			back.get(second, 403)
			back.post(second, nil, 403)
			wants(t, back.leads("/events/conf/place"), "sign-in")
		}
	})
}

func TestAPasswordIsSetByAFreshLinkOnThePage(t *testing.T) {
	s := open(t)
	modelstest.Must(s.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "Ingrid",
		Email: "ingrid@example.org"}))(t)
	b := s.browser()
	b.get("/events/conf/place/sign-in", 200)
	b.post("/events/conf/place/link", url.Values{"link_email": {"ingrid@example.org"}}, 200)
	link := s.link("ingrid@example.org", 1)
	s.Clock.Move(2 * time.Hour) // a mail from before
	b.get(link, 200)
	b.post(link, nil, 303)
	page := b.get("/events/conf/place/profile", 200)
	wants(t, page, "Before you set a password", "i…@example.org", "Forget all other devices")
	lacks(t, page, "Set password")
	b.post("/events/conf/place/password", url.Values{"password": {modelstest.SecretPhrase}}, 422)
	b.get("/events/conf/place/profile", 200)
	b.post("/events/conf/place/fresh", nil, 303)
	link = s.link("ingrid@example.org", 2)
	b.get(link, 200)
	b.post(link, nil, 303)
	b.get("/events/conf/place/profile", 200)
	b.post("/events/conf/place/password", url.Values{"password": {modelstest.SecretPhrase}}, 303)
	s.browser().get(link, 404)
}
