package signin

import (
	"time"

	"lectern/models/store"
)

var (
	// ErrSignedOut answers who has no login that is good.
	ErrSignedOut = &store.Error{Kind: store.Unauthorized, Message: "Sign in to go on."}
	// ErrWrong answers an unknown address as a wrong password.
	ErrWrong = &store.Error{Kind: store.Unauthorized, Message: "The address or the password is wrong."}
)

// Browser is where somebody signs in.
type Browser struct {
	Address, Agent string
	// Device is a secret name that the browser was given, "" of one without.
	Device string
}

// Login is what is kept of a browser that somebody signed in with.
type Login struct {
	ID         string // the SHA-256 of its token
	Address    string
	Agent      string
	CreatedAt  store.Time
	LastSeenAt store.Time // to the minute
	ExpiresAt  store.Time
}

// NewLogin is one that lasts for so long at most, with its token, which is kept nowhere.
func NewLogin(now store.Time, b Browser, most time.Duration) (token string, l Login) {
	token = NewToken()
	return token, Login{ID: store.HashKey(token), Address: Clip(b.Address, 100), Agent: Clip(b.Agent, 300), CreatedAt: now,
		LastSeenAt: store.At(now.Truncate(time.Minute)), ExpiresAt: store.At(now.Add(most))}
}

// IsOver tells of one that is too old, or was not used for idle.
func (l *Login) IsOver(now store.Time, idle time.Duration) bool {
	return !now.Before(l.ExpiresAt.Time) || now.Sub(l.LastSeenAt.Time) >= idle
}

// SeenNow notes in seen that the login is used, to the minute.
func (l *Login) SeenNow(seen *store.LastSeen, now store.Time) {
	seen.Note(l.ID, &l.LastSeenAt, now)
	l.LastSeenAt = store.At(now.Truncate(time.Minute))
}

// OldLogins are those of a table that are over.
func OldLogins(tx *store.Tx, table any, idle time.Duration) []Old {
	return []Old{{table, "id", "expires_at", tx.Now}, {table, "id", "last_seen_at", store.At(tx.Now.Add(-idle))}}
}
