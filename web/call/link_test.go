package call

import (
	"maps"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/tasks"
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
			b.on(placeAt+"/sign-in").post(placeAt+"/link", url.Values{"link_email": {"ingrid@example.org"}}, 200)
			return s.link("ingrid@example.org", mails)
		}
		home, thief := s.browser(), s.browser()
		link := asks(home, 1)
		home.on(link).post(link, nil, 303)
		wants(t, home.get(placeAt, 200), "Ingrid")
		s.Clock.Move(call.LinkOpen)
		wants(t, thief.get(link, 403), "Is this you?", "i…@example.org", "Mail me a fresh link")
		lacks(t, thief.text, "ingrid@", "Open my place")
		thief.post(link, nil, 403)
		wants(t, thief.leads(placeAt), "sign-in")
		fresh := strings.Replace(link, "/link/", "/fresh/", 1)
		thief.get(link, 403)
		wants(t, thief.answer(fresh, nil, 200), "We mailed a fresh link to", "i…@example.org")
		second := s.link("ingrid@example.org", 2)
		delete(home.cookies, "lectern-speaker") // it ended, and the browser is known still
		home.on(link).post(link, nil, 303)
		// Signing out on a shared computer closes what was opened there, even on the same day.
		library := s.browser()
		library.on(second).post(second, nil, 303)
		kept := maps.Clone(library.cookies)
		library.on(placeAt).post(placeAt+"/leave", nil, 303)
		for _, cookies := range []map[string]string{library.cookies, kept} {
			back := s.browser()
			back.cookies = cookies
			back.get(second, 403)
			back.post(second, nil, 403)
			wants(t, back.leads(placeAt), "sign-in")
		}
	})
}

func TestAPasswordIsSetByAFreshLinkOnThePage(t *testing.T) {
	s := open(t)
	modelstest.Must(s.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "Ingrid",
		Email: "ingrid@example.org"}))(t)
	b := s.browser()
	b.on(placeAt+"/sign-in").post(placeAt+"/link", url.Values{"link_email": {"ingrid@example.org"}}, 200)
	link := s.link("ingrid@example.org", 1)
	s.Clock.Move(2 * time.Hour) // a mail from before
	b.on(link).post(link, nil, 303)
	page := b.get(placeAt+"/profile", 200)
	wants(t, page, "Before you set a password", "i…@example.org", "Forget all other devices")
	lacks(t, page, "Set password")
	b.post(placeAt+"/password", url.Values{"password": {modelstest.SecretPhrase}}, 422)
	b.on(placeAt+"/profile").post(placeAt+"/fresh", nil, 303)
	link = s.link("ingrid@example.org", 2)
	b.on(link).post(link, nil, 303)
	b.on(placeAt+"/profile").post(placeAt+"/password", url.Values{"password": {modelstest.SecretPhrase}}, 303)
	s.browser().get(link, 404)
}

func TestGuessesAtAnAddressKeepOutNobodyWhoseBrowserIsKnown(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		own, _ := s.begun("ingrid")
		link := s.link("ingrid@example.org", 1)
		own.on(link).post(link, nil, 303)
		own.on(placeAt+"/profile").post(placeAt+"/password", url.Values{"password": {modelstest.SecretPhrase}}, 303)
		leave := func(b *browser) {
			b.on(placeAt).post(placeAt+"/leave", nil, 303)
		}
		try := func(b *browser, password string, status int) {
			t.Helper()
			b.on(placeAt+"/sign-in").post(placeAt+"/sign-in", url.Values{"email": {" Ingrid@example.org"},
				"password": {password}}, status)
		}
		leave(own)
		typed, _ := s.begun("ingrid") // whoever knows the address
		leave(typed)

		stranger := s.browser()
		for range 5 {
			try(stranger, "a wrong password", 422)
		}
		for _, b := range []*browser{stranger, typed, s.browser()} {
			try(b, modelstest.SecretPhrase, 429)
		}
		forged := s.browser()
		forged.cookies[familiarCookie] = "mine.proof"
		try(forged, modelstest.SecretPhrase, 429)
		try(own, modelstest.SecretPhrase, 303)
		leave(own)
		for range 5 { // its own wrong ones count
			try(own, "a wrong password", 422)
		}
		try(own, modelstest.SecretPhrase, 429)
	})
}

// TestALinkThatStaffCopiedIsAStrangerAtOtherEvents asks for every address of the place at an event that the link is not
// for, with the ids of what is there.
func TestALinkThatStaffCopiedIsAStrangerAtOtherEvents(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := openOn(t, f), t.Context()
		ada := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Ada",
			Email: "ada@example.org"}))(t)
		secret := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Secret", IsAbstract: true}))(t)
		modelstest.Must(people.Of(f.Elsewhere()).PutAtEvent(ctx, ada.ID))(t)
		f.Join(t, f.Other, secret.ID, ada.ID, models.Speaking)
		asked := modelstest.Must(tasks.Of(f.Elsewhere()).Create(ctx, tasks.Change{Title: new("Secret")}))(t)
		token := modelstest.Must(call.Of(f.Programme()).PlaceLink(ctx, ada.ID))(t)
		b := s.browser()
		at := "/events/" + f.Event.Slug + "/place"
		b.on(at+"/link/"+token).post(at+"/link/"+token, nil, 303)
		wants(t, b.get(at, 200), "Open one that we mail to ada@example.org")
		lacks(t, b.text, "Secret", "is confirmed")
		wants(t, b.get(at+"/profile", 200), "Mail me a fresh link")
		lacks(t, b.text, "Forget all other devices", f.Other.Name)
		modelstest.Comes(func() bool { // the language is noted behind the answers
			return modelstest.RowsOf(t, f, "SELECT count(*) FROM speaker_accounts WHERE language = ''") == 0
		})
		before := modelstest.Dump(t, f)
		for _, r := range routes() {
			if r.needs != speaker {
				continue
			}
			path := strings.NewReplacer(":event", f.Other.Slug, ":id", secret.ID, ":key", "slides",
				":task", asked.ID, ":owner", ada.ID).Replace(r.path)
			if r.method == "GET" {
				wants(t, b.leads(path), "/place/sign-in")
				continue
			}
			b.get("/events/"+f.Other.Slug+"/place/sign-in", 200) // for its form token
			lacks(t, b.answer(path, url.Values{"title": {"Changed"}}, 401), "Secret")
		}
		if after := modelstest.Dump(t, f); !reflect.DeepEqual(kept(after), kept(before)) {
			t.Error("something was written")
		}
	})
}

// kept returns the part of a dump that holds people, submissions and files, without last visits and attempts.
func kept(all map[string][]string) map[string][]string {
	some := map[string][]string{}
	for _, table := range []string{"sessions", "proposals", "contacts", "event_contacts", "participations", "co_speakers",
		"files", "letters", "speaker_accounts", "activity", "deliverables"} {
		some[table] = all[table]
	}
	return some
}
