package cfp

import (
	"context"
	"errors"

	"lectern/models"
	"lectern/models/passkey"
	"lectern/models/signin"
	"lectern/models/store"
)

// PasskeyToEnter returns the options by which a browser with a token signs in with a passkey. It writes nothing.
func PasskeyToEnter(s *models.Store, site passkey.Site, token string) (string, error) {
	challenge, err := passkey.NewChallenge(s.Store, toEnter, token)
	if err != nil {
		return "", err
	}
	return site.SignInOptions(challenge)
}

// EnterByPasskey creates a login for an answer to PasskeyToEnter and returns it with its token, which is not stored.
// Its owner may set a password, as after a fresh link. If the passkey may have been copied, a letter of the event tells
// the owner. It answers Unauthorized and TooMany.
func EnterByPasskey(ctx context.Context, s *models.Store, event *models.Event, in passkey.Answer, b Browser) (
	token string, login *Login, err error,
) {
	var no error
	network := signin.OfAddress("speaker passkey address", b.Address, signin.FailuresOfAddress)
	err = s.Write(ctx, func(tx *store.Tx) error {
		token, login, no = "", nil, nil
		a, key, err := byPasskey(tx, event.OrganizationID, in)
		if err != nil {
			no = refusedAs(err, errPasskey)
			return errors.Join(refusedAs(err, nil), signin.Attempt(tx, network...))
		}
		account := signin.By("speaker passkeys", a.ID, failuresOfPasskeys)
		if err := signin.Attempt(tx, append([]signin.Throttle{account}, network...)...); err != nil {
			return err
		}
		use, err := in.Proves(tx, toEnter, key.Key, a.ID, true)
		if err != nil {
			no = refusedAs(err, errPasskey) // the attempts stay counted
			return refusedAs(err, nil)
		}
		if use.IsCloned {
			no = errPasskeyCloned
			return PlaceOf(s, &Login{AccountID: a.ID, Account: a}, store.ByIn(ctx)).mailOwner(tx, event, "copiedpasskey")
		}
		if err := tx.Model(&Passkey{}).Where("id = ?", key.ID).UpdateColumns(use.Facts(tx)).Error; err != nil {
			return err
		}
		if err := errors.Join(signin.Forgive(tx, account), signin.GiveBack(tx, network)); err != nil {
			return err
		}
		token, login, err = makeLogin(tx, a, b, &tx.Now, nil)
		return err
	})
	if err == nil {
		err = no
	}
	if err != nil {
		return "", nil, err
	}
	return token, login, nil
}

// byPasskey returns the passkey that made an answer and its account, which it locks. It answers a Refusal.
func byPasskey(tx *store.Tx, organizationID string, in passkey.Answer) (*Account, *Passkey, error) {
	said, err := passkey.Read(in.JSON)
	if err != nil {
		return nil, nil, err
	}
	unknown := &passkey.Refusal{Why: "nobody who speaks has this passkey"}
	of := tx.Table("speaker_passkeys k").Joins("JOIN speaker_accounts a ON a.id = k.account_id").Select("a.id").
		Where("k.credential_id = ? AND a.organization_id = ? AND a.confirmed_at IS NOT NULL", said.CredentialID, organizationID)
	a, err := holdAccount(tx, of, unknown)
	if err != nil {
		return nil, nil, err
	}
	key, err := store.One[Passkey](tx.Where("account_id = ? AND credential_id = ?", a.ID, said.CredentialID), unknown)
	return a, key, err
}
