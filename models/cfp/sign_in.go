package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// Attempt is an attempt to sign in with a password.
type Attempt struct {
	Email, Password string
	Browser
	// Known names a browser that has signed in before to the account that has proven this address, if the caller can
	// prove that. Its failures are counted separately.
	Known string
}

// ofAccount returns the counter of attempts at an address, whether or not it has an account. A browser that has signed
// in to it before is counted separately.
func ofAccount(organizationID, email, known string) signin.Throttle {
	return signin.OfAccount("speaker "+organizationID, email, known)
}

// ofNetwork returns the counters of attempts from a network address.
func ofNetwork(address string) []signin.Throttle {
	return signin.OfAddress("speaker address", address, signin.FailuresOfAddress)
}

// SignIn creates a login and returns it with its token, which is not stored. Besides the account that has proven an
// address, it tries the latest unconfirmed account with it, which has its own password and opens only what its own
// contact has. It answers Unauthorized, for an unknown address as for a wrong password and after as much work, and
// TooMany.
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

// accountsToSignIn returns the account that has proven an address and the latest unconfirmed one: always two, empty if
// there is none, so that all attempts take as much work.
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
