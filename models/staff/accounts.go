// Package staff manages the people who work in the admin: users and their roles, sign-ins, passwords, second factors
// and invitations.
package staff

import (
	"context"

	"lectern/models/signin"
	"lectern/models/store"
)

// Accounts is the handle of all users and how they sign in, whichever organization they belong to.
type Accounts struct {
	*store.Store
	passwords *signin.Passwords
	seen      store.LastSeen // when logins were last used
	tell      Tell
}

// New returns the accounts of a database. It calls tell to mail users about changes of how they sign in.
func New(ground *store.Store, passwords *signin.Passwords, tell Tell) *Accounts {
	return &Accounts{
		Store: ground, passwords: passwords, tell: tell,
		seen: store.LastSeen{Table: "logins", Column: "last_seen_at"},
	}
}

// KeepSeen writes when logins were last seen, as noted since the last call.
func (a *Accounts) KeepSeen(ctx context.Context) error { return a.seen.Keep(ctx, a.Store) }

// hold returns the user with this id, locked until the transaction ends; missing if there is none or they were removed.
func hold(tx *store.Tx, id any, missing error) (*User, error) {
	return store.One[User](tx.Lock().Where("id = (?) AND disabled_at IS NULL", id), missing)
}

// holdProven locks a user whose password was checked; it refuses if the password changed meanwhile.
func holdProven(tx *store.Tx, proven *User) (*User, error) {
	held, err := hold(tx, proven.ID, signin.ErrSignedOut)
	if err == nil && held.PasswordHash != proven.PasswordHash {
		err = signin.ErrSignedOut
	}
	return held, err
}
