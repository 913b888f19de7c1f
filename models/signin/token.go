// Package signin is what all share who sign in, staff and speakers: passwords, the tokens of logins and links, and
// how many attempts may fail. Whom they open what to, it does not know.
package signin

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
)

// TokenLength is that of what NewToken returns.
const TokenLength = 43

// NewToken is the secret of a login or a link: 256 random bits, of which the SHA-256 is kept.
func NewToken() string {
	b := make([]byte, 32)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// Clip makes what a browser says of itself fit to be kept, in so many characters.
func Clip(s string, limit int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
	for i := range s {
		if limit--; limit < 0 {
			return s[:i]
		}
	}
	return s
}
