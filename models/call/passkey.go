package call

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/passkey"
	"lectern/models/signin"
	"lectern/models/store"
)

// Passkey opens the place of an account with a proven address, without a password.
type Passkey struct {
	passkey.Key
	AccountID string
}

// TableName returns the name of the table of speakers' passkeys.
func (Passkey) TableName() string { return "speaker_passkeys" }

// These are the purposes of speakers' challenges.
const (
	toMake  passkey.Purpose = "speaker make"
	toEnter passkey.Purpose = "speaker enter"
)

// failuresOfPasskeys is how many answers by passkeys of one account may fail.
const failuresOfPasskeys = 5

var (
	errPasskey error = &store.Error{Kind: store.Unauthorized,
		Message: "This passkey was not accepted. Try again, or come in another way."}
	errPasskeyCloned error = &store.Error{Kind: store.Unauthorized,
		Message: "This passkey was not accepted, because it may have been copied. Come in another way, then remove it."}
	errPasskeyNew   = noPasskey("The passkey was not taken. Begin anew, and answer your browser within ten minutes.")
	errPasskeyKnown = noPasskey("This passkey is in use already.")
	errMostPasskeys = noPasskey("You have as many passkeys as one may. Remove one first.")
	errPasskeyProof = noPasskey("A passkey needs a proven address. Open the link in our mail to you first.")
	errPasskeyLink  = noPasskey("A passkey needs a fresh link first. Ask for one under Profile, and open it in this browser.")
	errNoPasskey    = store.Missing("There is no such passkey.")
)

func noPasskey(why string) error { return &store.Error{Kind: store.Invalid, Message: why} }

// Passkeys returns the passkeys that open the place, by any of its owner's accounts, the oldest first. For a place that
// IsNarrow it returns none.
func (pl *Place) Passkeys(ctx context.Context) ([]Passkey, error) {
	keys := []Passkey{}
	if pl.IsNarrow() {
		return keys, nil
	}
	db := pl.read(ctx)
	return keys, db.Where("account_id IN (?)", pl.accounts(db)).Order("created_at, id").Find(&keys).Error
}

// accounts selects the ids of the accounts that open the place: after a merge there may be more than one.
func (pl *Place) accounts(db *gorm.DB) *gorm.DB {
	return db.Model(&Account{}).Select("id").Where("organization_id = ? AND contact_id = ?", pl.organizationID, pl.contactID)
}

// MayHavePasskeys answers Invalid, with the reason, unless passkeys can be added to the account.
func (pl *Place) MayHavePasskeys() error {
	switch {
	case pl.IsNarrow():
		return errNarrow
	case !pl.login.Account.IsConfirmed():
		return errPasskeyProof
	case pl.NeedsLink():
		return errPasskeyLink
	}
	return nil
}

// sure checks that the place's owner changes passkeys themself, as for a password: by a fresh link or a passkey just
// used, or else by the password.
func (pl *Place) sure(ctx context.Context, password string) error {
	if err := pl.MayHavePasskeys(); err != nil || !pl.NeedsPassword() {
		return err
	}
	return pl.prove(ctx, password)
}

// BeginPasskey returns the options by which a browser makes a passkey for AddPasskey; the device shows it under the
// name as. It answers Invalid (field current_password) for a wrong password and if no passkey may be added, and
// TooMany.
func (pl *Place) BeginPasskey(ctx context.Context, site passkey.Site, token, password, as string) (string, error) {
	if err := pl.sure(ctx, password); err != nil {
		return "", err
	}
	all, err := pl.Passkeys(ctx)
	if err != nil {
		return "", err
	}
	if len(all) >= passkey.Most {
		return "", errMostPasskeys
	}
	keys := store.Map(all, func(k Passkey) passkey.Key { return k.Key })
	challenge, err := passkey.NewChallenge(pl.store.Store, toMake, token)
	if err != nil {
		return "", err
	}
	a := pl.login.Account
	return site.RegistrationOptions(passkey.Person{ID: a.ID, Email: as, Name: a.Name}, challenge, passkey.MadeFor(site.Host(), keys))
}

// AddPasskey stores the passkey that a browser made. A letter of the event tells the address of it. It answers Invalid
// for an answer that is not accepted.
func (pl *Place) AddPasskey(ctx context.Context, event *models.Event, in passkey.Answer, name string) error {
	name, err := store.CleanName("name", name, passkey.MaxName)
	if err != nil {
		return err
	}
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		a, err := holdAccount(tx, pl.login.AccountID, signin.ErrSignedOut)
		if err != nil {
			return err
		}
		if err := pl.isIn(tx); err != nil {
			return err
		}
		var n int64
		if err := tx.Model(&Passkey{}).Where("account_id IN (?)", pl.accounts(tx.DB)).Count(&n).Error; err != nil {
			return err
		} else if n >= passkey.Most {
			return errMostPasskeys
		}
		made, err := in.Made(tx, toMake, passkey.Person{ID: a.ID}, name)
		if err != nil {
			return refusedAs(err, errPasskeyNew)
		}
		known := tx.Model(&Passkey{}).Where("credential_id = ?", made.CredentialID)
		if err := store.Unless(known, errPasskeyKnown); err != nil {
			return err
		}
		if err := tx.Create(&Passkey{*made, a.ID}).Error; err != nil {
			return err
		}
		return pl.mailOwner(tx, event, "passkey")
	})
}

// isIn answers Unauthorized unless the login still opens the place.
func (pl *Place) isIn(tx *store.Tx) error {
	_, err := store.One[Login](tx.Where("id = ? AND account_id IN (?)", pl.login.ID, pl.accounts(tx.DB)), signin.ErrSignedOut)
	return err
}

// RemovePasskey deletes a passkey of the place. A letter of the event tells the address of its account. It answers as
// BeginPasskey does, and NotFound for a passkey of somebody else.
func (pl *Place) RemovePasskey(ctx context.Context, event *models.Event, id, password string) error {
	if err := pl.sure(ctx, password); err != nil {
		return err
	}
	id = signin.Clip(id, 36)
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		key := tx.Model(&Passkey{}).Select("account_id").Where("id = ? AND account_id IN (?)", id, pl.accounts(tx.DB))
		a, err := holdAccount(tx, key, errNoPasskey)
		if err != nil {
			return err
		}
		if err := pl.isIn(tx); err != nil {
			return err
		}
		gone := tx.Where("id = ? AND account_id IN (?)", id, pl.accounts(tx.DB)).Delete(&Passkey{})
		if err := store.Changed(gone, errNoPasskey); err != nil {
			return err
		}
		return PlaceOf(pl.store, &Login{AccountID: a.ID, Account: a}, pl.by).mailOwner(tx, event, "nopasskey")
	})
}

func holdAccount(tx *store.Tx, id any, missing error) (*Account, error) {
	return store.One[Account](tx.Lock().Where("id = (?)", id), missing)
}

// refusedAs returns told for a passkey.Refusal, and any other error unchanged.
func refusedAs(err, told error) error {
	var no *passkey.Refusal
	if errors.As(err, &no) {
		return told
	}
	return err
}

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
