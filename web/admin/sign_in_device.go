package admin

import (
	"crypto/hmac"
	"crypto/rand"
	"strings"
)

// A browser that signed in to an account before is known again by a cookie, and its
// failed attempts are counted by themselves: strangers who guess at the account
// cannot keep its owner out. The idea is OWASP's "device cookies".

const deviceCookie = "lectern-familiar"

// knownDevice is the name of a browser that signed in to the account before; "" of any other.
func (v *visit) knownDevice(email string) string {
	name, proof, _ := strings.Cut(v.CookieValue(deviceCookie), ".")
	if name == "" || !hmac.Equal([]byte(proof), []byte(v.deviceProof(name, email))) {
		return ""
	}
	return name
}

// rememberDevice gives the browser that just signed in its name.
func (v *visit) rememberDevice(email string) {
	if v.knownDevice(email) == "" {
		name := rand.Text()
		v.SetCookie(deviceCookie, name+"."+v.deviceProof(name, email), aYear)
	}
}

func (v *visit) deviceProof(name, email string) string {
	return v.w.site.Sign("familiar", name+" "+strings.ToLower(email))
}
