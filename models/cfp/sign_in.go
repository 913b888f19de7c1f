package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// Attempt is one to sign in with a password.
type Attempt struct {
	Email, Password string
	Browser
	// Known names a browser that signed in before to the account that has proven this address, if the caller can prove
	// it. Its failures are counted by themselves.
	Known string
}

// ofAccount counts the attempts at an address, whether somebody has an account by it or not, of a browser that
// signed in
// to it before apart from the rest.
func ofAccount(organizationID, email, known string) signin.Throttle {
	return signin.OfAccount("speaker "+organizationID, email, known)
}

// ofNetwork counts the attempts of a network address.
func ofNetwork(address string) []signin.Throttle {
	return signin.OfAddress("speaker address", address, signin.FailuresOfAddress)
}

// SignIn makes a login and returns it with its token, which is kept nowhere. Beside the account that has proven an
// address, the last one opens that was made with it and is not confirmed yet: by its own password alone, and only what
// its own contact has. It answers Unauthorized, for an unknown address as for a wrong password and after as much work,
// and TooMany.
func SignIn(ctx context.Context, s *models.Store, organizationID string, in Attempt) (token string, login *Login,
	err error) {
	accounts, err := accountsToSignIn(ctx, s, organizationID, in.Email)
	if err != nil {
		return "", nil, err
	}
	account, network := ofAccount(organizationID, in.Email, in.Known), ofNetwork(in.Address)
	err = s.Write(ctx, func(tx *store.Tx) error {
		return signin.Attempt(tx, append([]signin.Throttle{account}, network...)...)
	})
	if err != nil {
		return "", nil, err
	}
	var found *Account
	for _, a := range accounts {
		right, err := s.Passwords.Is(ctx, a.PasswordHash, in.Password)
		if err != nil {
			return "", nil, err
		}
		if right && found == nil {
			found = &a
		}
	}
	if found == nil {
		return "", nil, signin.ErrWrong
	}
	err = s.Write(ctx, func(tx *store.Tx) (err error) {
		// The password may have changed while it was checked.
		same := tx.Lock().Where("id = ? AND password_hash = ?", found.ID, found.PasswordHash)
		a, err := store.One[Account](same, signin.ErrWrong)
		if err != nil {
			return err
		}
		if err := signin.Forgive(tx, account); err != nil {
			return err
		}
		if err := signin.GiveBack(tx, network); err != nil {
			return err
		}
		token, login, err = MakeLogin(tx, a, in.Browser)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	return token, login, nil
}

// accountsToSignIn are the one that has proven an address and the last one that was made with it since: always two,
// without a password where there is none, so that all attempts are as much work.
func accountsToSignIn(ctx context.Context, s *models.Store, organizationID, email string) (both [2]Account,
	err error) {
	email, err = store.CleanEmail(email)
	if err != nil {
		return both, nil
	}
	of := func(condition string, a *Account) error {
		return s.Read(ctx).Where("organization_id = ? AND email_key = ? AND password_hash <> ''", organizationID,
			store.Fold(email)).
			Where(condition).Order("created_at DESC, id DESC").Limit(1).Find(a).Error
	}
	if err := of("confirmed_at IS NOT NULL", &both[0]); err != nil {
		return both, err
	}
	return both, of("confirmed_at IS NULL", &both[1])
}
