package page

import (
	"crypto/hmac"
	"crypto/rand"
	"strings"
)

// A browser that signed in to an account before is known again by a cookie, and its
// failed attempts are counted by themselves: strangers who guess at the account
// cannot keep its owner out. The idea is OWASP's "device cookies".

const aYear = 365 * 24 * 60 * 60

// KnownBrowser is the name of a browser that signed in to an account before, as the cookie proves; "" of any other.
func (v *Visit) KnownBrowser(cookie, account string) string {
	name, proof, _ := strings.Cut(v.CookieValue(cookie), ".")
	if name == "" || !hmac.Equal([]byte(proof), []byte(v.familiarProof(name, account))) {
		return ""
	}
	return name
}

// RememberBrowser gives the browser that just signed in to an account its name. Nobody but its owner may have come that
// far: each name is as many guesses more.
func (v *Visit) RememberBrowser(cookie, account string) {
	if v.KnownBrowser(cookie, account) == "" {
		name := rand.Text()
		v.SetCookie(cookie, name+"."+v.familiarProof(name, account), aYear)
	}
}

func (v *Visit) familiarProof(name, account string) string {
	return v.site.Sign("familiar", name+" "+strings.ToLower(account))
}
