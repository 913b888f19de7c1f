package call

import (
	"html"
	"net/url"
	"regexp"
	"testing"

	"lectern/models/call"
	"lectern/models/modelstest"
)

var dataOptions = regexp.MustCompile(`data-options="([^"]+)"`)

func TestAPasskeyOfAPlaceIsAddedUsedAndRemoved(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		const public, place = "http://localhost:8080", placeAt
		s := openAt(t, f, public)
		own, _ := s.begun("ingrid")
		wants(t, own.get(place+"/passkeys", 200), "A passkey needs a proven address")
		link := s.link("ingrid@example.org", 1)
		own.on(link).post(link, nil, 303)
		wants(t, own.get(place+"/profile", 200), `href="`+place+`/passkeys"`)
		var account string
		modelstest.Fine(t, f.SQL.QueryRow("SELECT id FROM speaker_accounts WHERE email_key = 'ingrid@example.org' "+
			"AND confirmed_at IS NOT NULL").Scan(&account))
		phone := modelstest.NewDevice(t, public, account)
		options := func(page string) string {
			t.Helper()
			found := dataOptions.FindStringSubmatch(page)
			if found == nil {
				t.Fatalf("the page has no options: %s", page)
			}
			return html.UnescapeString(found[1])
		}
		wants(t, own.on(place+"/passkeys").answer(place+"/passkeys/keep", url.Values{"answer": {"{}"},
			"name": {"Phone"}}, 422), "The passkey was not taken")
		own.post(place+"/passkeys/keep", url.Values{"answer": {string(phone.Makes(options(own.page)))},
			"name": {"Phone"}}, 303)
		wants(t, own.get(place+"/passkeys", 200), "Phone", "not used yet")
		own.post(place+"/leave", nil, 303)

		other := s.browser()
		form := other.get(place+"/sign-in", 200)
		asked := other.get(place+"/sign-in/passkey", 200)
		other.page = form
		wants(t, other.answer(place+"/sign-in/passkey", url.Values{"answer": {"{}"}}, 422), "This passkey was not accepted")
		to, _ := other.post(place+"/sign-in/passkey", url.Values{"answer": {string(phone.Uses(asked))},
			"next": {place + "/profile"}}, 303)
		modelstest.Want(t, "leads to", to, place+"/profile")
		f.Clock.Move(call.LinkFresh)
		toRemove := regexp.MustCompile(`href="(` + place + `/passkeys/[0-9a-f-]+)"`)
		found := toRemove.FindStringSubmatch(other.get(place+"/passkeys", 200))
		if found == nil {
			t.Fatal("no passkey can be removed")
		}
		wants(t, other.on(found[1]).answer(found[1], nil, 422), "needs a fresh link first")
		other.post(place+"/leave", nil, 303)
		form = other.get(place+"/sign-in", 200)
		asked = other.get(place+"/sign-in/passkey", 200)
		other.page = form
		other.post(place+"/sign-in/passkey", url.Values{"answer": {string(phone.Uses(asked))}}, 303)
		other.on(found[1]).post(found[1], nil, 303)
		lacks(t, other.get(place+"/passkeys", 200), "Phone")
		other.get(found[1], 404)
		numbered := openOn(t, modelstest.Open(t, "sqlite")).browser()
		lacks(t, numbered.get(place+"/sign-in", 200), "data-passkey")
	})
}
