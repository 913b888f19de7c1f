package page

import (
	"crypto/hmac"
	"crypto/rand"
	"strings"
)

// A cookie marks a browser that signed in to an account before, and its failed attempts are counted apart:
// strangers who guess passwords cannot lock the account's owner out. OWASP calls it a "device cookie".

const aYear = 365 * 24 * 60 * 60

// KnownBrowser returns the name of a browser that signed in to an account before, "" where its cookie does not
// prove that.
func (v *Visit) KnownBrowser(cookie, account string) string {
	name, proof, _ := strings.Cut(v.CookieValue(cookie), ".")
	if name == "" || !hmac.Equal([]byte(proof), []byte(v.familiarProof(name, account))) {
		return ""
	}
	return name
}

// RememberBrowser names a browser that just signed in to an account. Call it only after a full sign-in: each name
// gives its holder further guesses.
func (v *Visit) RememberBrowser(cookie, account string) {
	if v.KnownBrowser(cookie, account) == "" {
		name := rand.Text()
		v.SetCookie(cookie, name+"."+v.familiarProof(name, account), aYear)
	}
}

func (v *Visit) familiarProof(name, account string) string {
	return v.site.Sign("familiar", name+" "+strings.ToLower(account))
}
