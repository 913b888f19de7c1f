package staff

import (
	"context"

	"lectern/models/signin"
	"lectern/models/store"
)

// prove checks the user's password, for changes that a login alone does not allow, and returns the user as they are
// now. It answers Invalid for the field, and TooMany.
func (a *Accounts) prove(ctx context.Context, u *User, field, password string) (*User, error) {
	now, err := a.proven(ctx, u, field, password)
	if err != nil {
		a.NoteRefusal(err, store.Incident{Event: store.PasswordCheckFailed, By: u.InPerson(ctx),
			OrganizationID: u.OrganizationID})
		return nil, err
	}
	return now, nil
}

func (a *Accounts) proven(ctx context.Context, u *User, field, password string) (*User, error) {
	now, err := store.Make(ctx, a.Write, func(tx *store.Tx) (*User, error) {
		now, err := store.One[User](tx.Where("id = ? AND disabled_at IS NULL", u.ID), signin.ErrSignedOut)
		if err != nil {
			return nil, err
		}
		return now, signin.Attempt(tx, ofAccount(now.Email, whoIsSignedIn))
	})
	if err != nil {
		return nil, err
	}
	right, err := a.passwords.Is(ctx, now.PasswordHash, password)
	if err != nil {
		return nil, err
	}
	if !right {
		return nil, store.Invalidf(field, "is not your password")
	}
	return now, a.Write(ctx, func(tx *store.Tx) error { return signin.Forgive(tx, ofAccount(now.Email, whoIsSignedIn)) })
}
