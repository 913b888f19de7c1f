package admin

import (
	"crypto/hmac"
	"crypto/rand"
	"strings"
)

// A browser that signed in to an account before is known again by a cookie, and its
// failed attempts are counted by themselves: strangers who guess at the account
// cannot keep its owner out. The idea is OWASP's "device cookies".

const familiarCookie = "lectern-familiar"

// familiar is the name of a browser that signed in to the account before; "" of
// any other.
func (v *visit) familiar(email string) string {
	name, proof, _ := strings.Cut(v.cookie(familiarCookie), ".")
	if name == "" || !hmac.Equal([]byte(proof), []byte(v.familiarProof(name, email))) {
		return ""
	}
	return name
}

// befriend gives the browser that just signed in its name.
func (v *visit) befriend(email string) {
	if v.familiar(email) == "" {
		name := rand.Text()
		v.setCookie(familiarCookie, name+"."+v.familiarProof(name, email), aYear)
	}
}

func (v *visit) familiarProof(name, email string) string {
	return v.w.sign("familiar", name+" "+strings.ToLower(email))
}
