package cfp

import (
	"net/url"
	"testing"

	"lectern/models/modelstest"
)

func TestGuessesAtAnAddressKeepOutNobodyWhoseBrowserIsKnown(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		own, _ := s.begun("ingrid")
		link := s.link("ingrid@example.org", 1)
		own.get(link, 200)
		own.post(link, nil, 303)
		own.get("/events/conf/place/profile", 200)
		own.post("/events/conf/place/password", url.Values{"password": {modelstest.SecretPhrase}}, 303)
		leave := func(b *browser) {
			b.get("/events/conf/place", 200)
			b.post("/events/conf/place/leave", nil, 303)
		}
		try := func(b *browser, password string, status int) {
			t.Helper()
			b.get("/events/conf/place/sign-in", 200)
			b.post("/events/conf/place/sign-in", url.Values{"email": {" Ingrid@example.org"}, "password": {password}}, status)
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
