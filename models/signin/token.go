// Package signin is what staff and speakers share to sign in: passwords, the tokens of logins and links, and how many
// attempts may fail. It does not know who they are, nor what they may open.
package signin

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
)

// TokenLength is the length of a token from NewToken.
const TokenLength = 43

// NewToken returns the secret of a login or a link: 256 random bits. Only its SHA-256 is stored.
func NewToken() string {
	b := make([]byte, 32)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// Clip returns text that a browser sent as valid UTF-8 of at most limit characters, without NUL.
func Clip(s string, limit int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
	for i := range s {
		if limit--; limit < 0 {
			return s[:i]
		}
	}
	return s
}
