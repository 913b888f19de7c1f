// Package staff is who works in the admin: users and their roles, sign-ins, passwords,
// second factors and invitations.
package staff

import (
	"context"

	"lectern/models/signin"
	"lectern/models/store"
)

// Accounts are all users and how they sign in, whichever organization they are of.
type Accounts struct {
	*store.Store
	passwords *signin.Passwords
	seen      store.LastSeen // when logins were
	tell      Tell
}

// New returns the accounts of a database, whose changes of sign-ins tell tells.
func New(ground *store.Store, passwords *signin.Passwords, tell Tell) *Accounts {
	return &Accounts{
		Store: ground, passwords: passwords, tell: tell,
		seen: store.LastSeen{Table: "logins", Column: "last_seen_at"},
	}
}

// KeepSeen writes down when logins were last seen, as noted since the last time.
func (a *Accounts) KeepSeen(ctx context.Context) error { return a.seen.Keep(ctx, a.Store) }

// hold is the user whose id it is, held until the operation ends, or missing for one who is not on the team.
func hold(tx *store.Tx, id any, missing error) (*User, error) {
	return store.One[User](tx.Lock().Where("id = (?) AND disabled_at IS NULL", id), missing)
}

// holdProven is a user who is held after their password was checked, unless it was changed meanwhile.
func holdProven(tx *store.Tx, proven *User) (*User, error) {
	held, err := hold(tx, proven.ID, signin.ErrSignedOut)
	if err == nil && held.PasswordHash != proven.PasswordHash {
		err = signin.ErrSignedOut
	}
	return held, err
}
