package staff

import (
	"cmp"
	"context"
	"errors"

	"lectern/models/passkey"
	"lectern/models/signin"
	"lectern/models/store"
)

// failuresOfPasskeys is how many sign-ins by passkey alone may fail for one user.
const failuresOfPasskeys = 5

// passkeysOf returns the count of a user's failed passkeys. Passwords are counted apart, so that whoever knows a
// passkey's id cannot lock its owner out.
func passkeysOf(userID string) signin.Throttle {
	return signin.By("passkeys", userID, failuresOfPasskeys)
}

// PasskeyToEnter returns the options by which the browser with this token signs in by a passkey alone. It writes
// nothing.
func (a *Accounts) PasskeyToEnter(site passkey.Site, token string) (string, error) {
	challenge, err := passkey.NewChallenge(a.Store, toEnter, token)
	if err != nil {
		return "", err
	}
	return site.SignInOptions(challenge)
}

// SignInByPasskey makes a login from an answer to PasskeyToEnter, and returns it with its token, which is stored
// nowhere. The passkey's device verifies the person, so no second factor is asked for. It answers Unauthorized and
// TooMany.
func (a *Accounts) SignInByPasskey(ctx context.Context, in passkey.Answer, from signin.Browser) (
	token string, login *Login, err error,
) {
	tried := triedAs(ctx, store.PasskeyFailed, "", "", from.Address)
	var refused error
	err = a.Write(ctx, func(tx *store.Tx) error {
		token, login, refused = "", nil, nil
		u, err := holdByPasskey(tx, in)
		if err != nil && refusalOf(err) == nil {
			return err
		}
		address := signin.OfAddress("passkey address", from.Address, signin.FailuresOfAddress)
		if err != nil {
			refused = refusedAs(err, errPasskeyUnknown)
			return signin.Attempt(tx, address...)
		}
		tried.SubjectID, tried.Whose = u.ID, u.ID
		account := passkeysOf(u.ID)
		if err := signin.Attempt(tx, append([]signin.Throttle{account}, address...)...); err != nil {
			return err
		}
		if err := a.usePasskey(ctx, tx, u, in, toEnter); err != nil {
			refused = refusedAs(err, errPasskey) // no error, so that the counts are committed
			return faultOf(refused)
		}
		login = &Login{UserID: u.ID, User: u}
		token, login.Login = signin.NewLogin(tx.Now, from, LoginLifetime)
		return errors.Join(signin.Forgive(tx, account), signin.GiveBack(tx, address), loadRoles(tx.DB, u),
			tx.Create(login).Error, signedIn(tx, ctx, login, byPasskey))
	})
	if err = cmp.Or(err, refused); err != nil {
		tried.Facts = whyNot(err)
		a.NoteRefusal(err, tried)
		return "", nil, err
	}
	return token, login, nil
}

// holdByPasskey returns the user whose passkey gave an answer, and locks their row. It answers a Refusal.
func holdByPasskey(tx *store.Tx, in passkey.Answer) (*User, error) {
	said, err := passkey.Read(in.JSON)
	if err != nil {
		return nil, err
	}
	mine := tx.Model(&Passkey{}).Select("user_id").Where("credential_id = ?", said.CredentialID)
	unknown := &passkey.Refusal{Why: "no member of staff signs in with this passkey"}
	u, err := hold(tx, tx.Model(&User{}).Select("id").Where("id IN (?) AND "+byThemselves, mine), unknown)
	if err != nil {
		return nil, err
	}
	return u, stillByThemselves(tx, u, unknown)
}

// usePasskey accepts an answer of a user's passkey, once. The caller holds the user's row lock. It answers a Refusal,
// or errPasskeyCloned after telling the user.
func (a *Accounts) usePasskey(ctx context.Context, tx *store.Tx, u *User, in passkey.Answer, to passkey.Purpose) error {
	said, err := passkey.Read(in.JSON)
	if err != nil {
		return err
	}
	key, err := store.One[Passkey](tx.Where("user_id = ? AND credential_id = ?", u.ID, said.CredentialID),
		&passkey.Refusal{Why: "they have no such passkey"})
	if err != nil {
		return err
	}
	use, err := in.Proves(tx, to, key.Key, u.ID, to == toEnter)
	if err != nil {
		return err
	}
	if use.IsCloned {
		return a.tellCloned(ctx, tx, u, key)
	}
	return tx.Model(&Passkey{}).Where("id = ?", key.ID).UpdateColumns(use.Facts(tx)).Error
}

// tellCloned tells the user that a passkey may have been copied, and refuses it.
func (a *Accounts) tellCloned(ctx context.Context, tx *store.Tx, u *User, key *Passkey) error {
	if err := a.tellOf(tx, u, passkeyCloned, key.Name); err != nil {
		return err
	}
	told := store.Change{ID: u.ID, After: map[string]any{"name": key.Name}}
	if err := tx.Secure(u.OrganizationID, nil, u.InPerson(ctx), store.PasskeyCloned, told); err != nil {
		return err
	}
	return errPasskeyCloned
}

// notTaken is a Refusal with the error that the refused person sees.
type notTaken struct {
	told *store.Error
	why  *passkey.Refusal // for the log
}

func (n *notTaken) Error() string   { return n.told.Message }
func (n *notTaken) Unwrap() []error { return []error{n.told, n.why} }

// refusedAs replaces a Refusal by told; it returns any other error unchanged.
func refusedAs(err error, told *store.Error) error {
	if no := refusalOf(err); no != nil {
		return &notTaken{told, no}
	}
	return err
}

func refusalOf(err error) *passkey.Refusal {
	var no *passkey.Refusal
	errors.As(err, &no)
	return no
}

// whyNot returns the reason of a Refusal, as facts for the security log.
func whyNot(err error) map[string]any {
	if no := refusalOf(err); no != nil {
		return map[string]any{"why": no.Why}
	}
	return nil
}

// faultOf returns the errors that must roll back a transaction; nil for a refusal, whose counts are to be committed.
func faultOf(err error) error {
	if err == nil || store.KindOf(err) == store.Unauthorized {
		return nil
	}
	return err
}

// Seconds are the second factors that complete a Pending login: codes of an app, and passkeys, given by the options for
// a browser ("" where none works at this address).
type Seconds struct {
	App       bool
	Passkey   string
	Elsewhere string // a host at which one of their passkeys works, if none works here
}

// Seconds returns those of the Pending login with this token. It answers Unauthorized when there is no such login.
func (a *Accounts) Seconds(ctx context.Context, site passkey.Site, pending string) (*Seconds, error) {
	waits := a.Read(ctx).Model(&Login{}).Select("user_id").
		Where("id = ? AND pending AND expires_at > ?", store.HashKey(pending), a.Now())
	u, err := store.One[User](a.Read(ctx).Where("id = (?) AND disabled_at IS NULL", waits), signin.ErrSignedOut)
	if err != nil {
		return nil, err
	}
	s := &Seconds{App: u.HasTOTP()}
	all, err := a.Passkeys(ctx, u.ID)
	if err != nil || len(all) == 0 {
		return s, err
	}
	var here []passkey.Key
	if site != nil {
		here = passkey.MadeFor(site.Host(), keysOf(all))
	}
	if len(here) == 0 {
		s.Elsewhere = all[0].MadeFor
		return s, nil
	}
	challenge, err := passkey.NewChallenge(a.Store, toProve, pending)
	if err != nil {
		return nil, err
	}
	s.Passkey, err = site.SignInOptions(challenge, here...)
	return s, err
}

// SecondFactorByPasskey completes the Pending login whose token is in the answer, as SecondFactor does with a code.
func (a *Accounts) SecondFactorByPasskey(ctx context.Context, in passkey.Answer) (token string, _ *Login, err error) {
	return a.complete(ctx, in.Token, byPasskey, func(tx *store.Tx, u *User) (bool, error) {
		err := a.usePasskey(ctx, tx, u, in, toProve)
		return err == nil, refusedAs(err, errPasskey)
	})
}
