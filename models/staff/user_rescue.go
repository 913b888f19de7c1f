package staff

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"lectern/models/signin"
	"lectern/models/store"
)

// SetPassword gives the member of staff with this address a password, ends their logins and links, and lets them try
// again at once. It is for whoever runs the server. It answers NotFound for an unknown address, and Invalid for a
// password that breaks its rule.
func (a *Accounts) SetPassword(ctx context.Context, email, password string) (*User, error) {
	known, err := memberBy(a.Read(ctx), email)
	if err != nil {
		return nil, err
	}
	if err := signin.PasswordFault(password, known.Email, known.Name); err != nil {
		return nil, err
	}
	hash, err := a.passwords.Hash(ctx, password)
	if err != nil {
		return nil, err
	}
	return a.rescue(ctx, email, store.PasswordSet, func(tx *store.Tx, u *User) error {
		// A user who came by a provider may sign in with a password from now on.
		alone := tx.Model(&User{}).Where("id = ?", u.ID).UpdateColumn("provider_id", nil)
		return errors.Join(alone.Error, setPassword(tx, &User{ID: u.ID, UpdatedAt: u.UpdatedAt}, hash, ""),
			signin.Forgive(tx, ofAccount(u.Email, "")))
	})
}

// EndSecondFactor deletes the app, the passkeys and the recovery codes of the member of staff with this address, for
// whoever runs the server. The user is notified by mail. It answers NotFound for an unknown address.
func (a *Accounts) EndSecondFactor(ctx context.Context, email string) (*User, error) {
	return a.rescue(ctx, email, store.SecondFactorEnded, func(tx *store.Tx, u *User) error {
		err := errors.Join(endTOTP(tx, u), havePasskeys(tx, u, -u.Passkeys), endWhatWaits(tx, u),
			tx.Where("user_id = ?", u.ID).Delete(&Passkey{}).Error,
			signin.Forgive(tx, secondFactorOf(u.ID)), signin.Forgive(tx, passkeysOf(u.ID)))
		if err != nil || !u.HasFactor() {
			return err
		}
		return a.tellOf(tx, u, factorEnded, "")
	})
}

func (a *Accounts) rescue(
	ctx context.Context, email string, event store.SecurityEvent, help func(*store.Tx, *User) error,
) (*User, error) {
	return store.Make(ctx, a.Write, func(tx *store.Tx) (*User, error) {
		u, err := memberBy(tx.Lock(), email)
		if err != nil {
			return nil, err
		}
		told := store.Change{ID: u.ID}
		return u, errors.Join(help(tx, u), tx.Secure(u.OrganizationID, nil, store.CommandLine, event, told))
	})
}

// memberBy returns the member of staff with this address.
func memberBy(db *gorm.DB, email string) (*User, error) {
	email, err := store.CleanEmail(email)
	if err != nil {
		return nil, err
	}
	return store.One[User](db.Where("email_key = ? AND disabled_at IS NULL", store.Fold(email)), errNoStaff)
}
