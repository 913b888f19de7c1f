// Package signin is what staff and speakers share to sign in: passwords, the tokens of logins and links, and how many
// attempts may fail. It does not know who they are, nor what they may open.
package signin

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
	"time"

	"lectern/models/store"
)

var (
	// ErrSignedOut answers a request without a valid login.
	ErrSignedOut = &store.Error{Kind: store.Unauthorized, Message: "Sign in to go on."}
	// ErrWrong answers a wrong password and an unknown address alike.
	ErrWrong = &store.Error{Kind: store.Unauthorized, Message: "The address or the password is wrong."}
)

// Browser is what a browser says of itself when somebody signs in.
type Browser struct {
	Address, Agent string
	// Device is a secret name that we gave the browser, "" if it has none.
	Device string
}

// Login is the record of a browser that somebody is signed in with.
type Login struct {
	ID         string // the SHA-256 of its token
	Address    string
	Agent      string
	CreatedAt  store.Time
	LastSeenAt store.Time // to the minute
	ExpiresAt  store.Time
}

// NewLogin returns a login that lasts for most, and its token, which is stored nowhere.
func NewLogin(now store.Time, b Browser, most time.Duration) (token string, l Login) {
	token = NewToken()
	return token, Login{ID: store.HashKey(token), Address: Clip(b.Address, 100), Agent: Clip(b.Agent, 300), CreatedAt: now,
		LastSeenAt: store.At(now.Truncate(time.Minute)), ExpiresAt: store.At(now.Add(most))}
}

// IsOver reports whether the login is too old, or was unused for idle.
func (l *Login) IsOver(now store.Time, idle time.Duration) bool {
	return !now.Before(l.ExpiresAt.Time) || now.Sub(l.LastSeenAt.Time) >= idle
}

// SeenNow notes in seen that the login was used, to the minute.
func (l *Login) SeenNow(seen *store.LastSeen, now store.Time) {
	seen.Note(l.ID, &l.LastSeenAt, now)
	l.LastSeenAt = store.At(now.Truncate(time.Minute))
}

// ExpiredLogins returns which rows of a table of logins are over, for Sweep.
func ExpiredLogins(tx *store.Tx, table any, idle time.Duration) []Expired {
	return []Expired{{table, "id", "expires_at", tx.Now}, {table, "id", "last_seen_at", store.At(tx.Now.Add(-idle))}}
}

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
