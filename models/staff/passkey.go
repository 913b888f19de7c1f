package staff

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"lectern/models/passkey"
	"lectern/models/signin"
	"lectern/models/store"
)

// Passkey is a passkey of a member of staff. Where its device verifies the person it is both factors at once; after a
// password it is the second one.
type Passkey struct {
	passkey.Key
	UserID string
}

// These are what the challenges for staff are for.
const (
	toMake  passkey.Purpose = "staff make"
	toEnter passkey.Purpose = "staff enter"
	toProve passkey.Purpose = "staff second factor"
)

var (
	errKeptThere = &store.Error{Kind: store.Invalid,
		Message: "Your identity provider signs you in. Passkeys for it are kept there."}
	errPasskey = &store.Error{Kind: store.Unauthorized,
		Message: "This passkey was not accepted. Try again, or sign in another way."}
	errPasskeyUnknown = &store.Error{Kind: store.Unauthorized,
		Message: "This passkey opens no account of staff here. It may have been removed: sign in another way."}
	errPasskeyCloned = &store.Error{Kind: store.Unauthorized,
		Message: "This passkey was not accepted, because it may have been copied. Sign in another way, then remove it."}
	errPasskeyNew = &store.Error{Kind: store.Invalid,
		Message: "The passkey was not taken. Begin anew, and answer your browser within ten minutes."}
	errPasskeyKnown    = &store.Error{Kind: store.Invalid, Message: "This passkey is in use already."}
	errTooManyPasskeys = &store.Error{Kind: store.Invalid,
		Message: fmt.Sprintf("%d passkeys are the most. Remove one first.", passkey.Most)}
	errNoPasskey = store.Missing("There is no such passkey.")
)

// Passkeys returns a user's passkeys, oldest first.
func (a *Accounts) Passkeys(ctx context.Context, userID string) ([]Passkey, error) {
	keys := []Passkey{}
	return keys, a.Read(ctx).Where("user_id = ?", userID).Order("created_at, id").Find(&keys).Error
}

func keysOf(all []Passkey) []passkey.Key {
	return store.Map(all, func(k Passkey) passkey.Key { return k.Key })
}

// FreshSignIn is how long after a sign-in passkeys can be changed without giving the password again.
const FreshSignIn = 10 * time.Minute

// IsFresh reports whether the login is younger than FreshSignIn.
func (l *Login) IsFresh(now store.Time) bool { return now.Sub(l.CreatedAt.Time) < FreshSignIn }

// sure makes sure that the signed-in person is present: they signed in just now, or give their password. It returns the
// user as they are now, and answers Invalid (field password) and TooMany.
func (a *Accounts) sure(ctx context.Context, l *Login, password string) (*User, error) {
	if l.IsFresh(a.Now()) {
		return store.One[User](a.Read(ctx).Where("id = ? AND disabled_at IS NULL", l.UserID), signin.ErrSignedOut)
	}
	return a.prove(ctx, l.User, "password", password)
}

// BeginPasskey returns the options by which a browser makes a new passkey for AddPasskey. It answers what sure does,
// and Invalid for somebody who has the maximum of passkeys, or who came by a provider.
func (a *Accounts) BeginPasskey(ctx context.Context, site passkey.Site, l *Login, token, password string) (string, error) {
	now, err := a.sure(ctx, l, password)
	if err != nil {
		return "", err
	}
	switch {
	case now.ProviderID != nil:
		return "", errKeptThere
	case now.Passkeys >= passkey.Most:
		return "", errTooManyPasskeys
	}
	has, err := a.Passkeys(ctx, now.ID)
	if err != nil {
		return "", err
	}
	challenge, err := passkey.NewChallenge(a.Store, toMake, token)
	if err != nil {
		return "", err
	}
	return site.RegistrationOptions(now.person(), challenge, passkey.MadeFor(site.Host(), keysOf(has)))
}

func (u *User) person() passkey.Person { return passkey.Person{ID: u.ID, Email: u.Email, Name: u.Name} }

// AddPasskey stores the passkey that a browser made. If it is the user's first second factor, it returns recovery
// codes, which are shown this once. The user is notified by mail. It answers Invalid for an answer that is not
// accepted.
func (a *Accounts) AddPasskey(ctx context.Context, u *User, in passkey.Answer, name string) (recovery []string, err error) {
	name, err = store.CleanName("name", name, passkey.MaxName)
	if err != nil {
		return nil, err
	}
	recovery, err = a.addPasskey(ctx, u, in, name)
	if refusalOf(err) != nil {
		a.NoteRefusal(err, store.Incident{Event: store.PasskeyFailed, By: u.InPerson(ctx), OrganizationID: u.OrganizationID,
			Facts: whyNot(err)})
	}
	return recovery, err
}

func (a *Accounts) addPasskey(ctx context.Context, u *User, in passkey.Answer, name string) (recovery []string, err error) {
	return store.Make(ctx, a.Write, func(tx *store.Tx) ([]string, error) {
		now, err := hold(tx, u.ID, signin.ErrSignedOut)
		if err != nil {
			return nil, err
		}
		// The login may have ended since BeginPasskey checked it.
		if err := stillSignedIn(tx, now, in.Token); err != nil {
			return nil, err
		}
		if err := keepPasskey(tx, now, in, name); err != nil {
			return nil, err
		}
		if !now.HasFactor() {
			if recovery, err = newRecoveryCodes(tx, now.ID); err != nil {
				return nil, err
			}
		}
		if err := a.tellOf(tx, now, passkeyAdded, name); err != nil {
			return nil, err
		}
		return recovery, tx.Secure(now.OrganizationID, nil, now.InPerson(ctx), store.PasskeyAdded,
			store.Change{ID: now.ID, After: map[string]any{"name": name}})
	})
}

func keepPasskey(tx *store.Tx, u *User, in passkey.Answer, name string) error {
	if u.Passkeys >= passkey.Most {
		return errTooManyPasskeys
	}
	made, err := in.Made(tx, toMake, u.person(), name)
	if err != nil {
		return refusedAs(err, errPasskeyNew)
	}
	kept := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "credential_id"}}, DoNothing: true}).
		Create(&Passkey{*made, u.ID})
	if err := store.Changed(kept, errPasskeyKnown); err != nil {
		return err
	}
	return havePasskeys(tx, u, 1)
}

// havePasskeys changes the number of a user's passkeys by more. The caller holds the user's row lock.
func havePasskeys(tx *store.Tx, u *User, more int) error {
	return tx.Model(&User{}).Where("id = ?", u.ID).UpdateColumns(map[string]any{
		"passkeys": u.Passkeys + more, "updated_at": tx.Now.Following(u.UpdatedAt)}).Error
}

// RenamePasskey renames a passkey. It answers NotFound for one of somebody else.
func (a *Accounts) RenamePasskey(ctx context.Context, userID, id, name string) error {
	name, err := store.CleanName("name", name, passkey.MaxName)
	if err != nil {
		return err
	}
	return a.Write(ctx, func(tx *store.Tx) error {
		if _, err := hold(tx, userID, signin.ErrSignedOut); err != nil {
			return err
		}
		return store.Changed(tx.Model(&Passkey{}).Where("user_id = ? AND id = ?", userID, signin.Clip(id, 36)).
			UpdateColumn("name", name), errNoPasskey)
	})
}

// RemovePasskey deletes a passkey. The user is notified by mail. It answers what sure does, NotFound for a passkey of
// somebody else, and Invalid for the last second factor while the organization requires one.
func (a *Accounts) RemovePasskey(ctx context.Context, l *Login, id, password string) error {
	now, err := a.sure(ctx, l, password)
	if err != nil {
		return err
	}
	return a.Write(ctx, func(tx *store.Tx) error {
		held, err := holdProven(tx, now)
		if err != nil {
			return err
		}
		key, err := store.One[Passkey](tx.Where("user_id = ? AND id = ?", held.ID, signin.Clip(id, 36)), errNoPasskey)
		if err != nil {
			return err
		}
		if err := tx.Delete(key).Error; err != nil {
			return err
		}
		if err := havePasskeys(tx, held, -1); err != nil {
			return err
		}
		told := passkeyRemoved
		if held.Passkeys == 1 && !held.HasTOTP() {
			told = lastPasskeyRemoved
			if err := loseLastFactor(tx, held); err != nil {
				return err
			}
		}
		if err := a.tellOf(tx, held, told, key.Name); err != nil {
			return err
		}
		return tx.Secure(held.OrganizationID, nil, held.InPerson(ctx), store.PasskeyRemoved,
			store.Change{ID: held.ID, Before: map[string]any{"name": key.Name}})
	})
}
