package models

import "context"

// Accounts are all users and how they sign in, whichever organization they are of.
type Accounts struct {
	*Ground
	hashing chan struct{} // bounds the memory that passwords take
	seen    lastSeen      // when logins were
}

// NewAccounts returns the accounts of a database.
func NewAccounts(ground *Ground) *Accounts {
	return &Accounts{
		Ground: ground, hashing: make(chan struct{}, hashesAtOnce), seen: lastSeen{table: "logins", column: "last_seen_at"},
	}
}

// KeepSeen writes down when logins were last seen, as noted since the last time.
func (a *Accounts) KeepSeen(ctx context.Context) error { return a.seen.keep(ctx, a.Ground) }
