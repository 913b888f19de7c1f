package signin

import (
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
