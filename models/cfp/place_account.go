package cfp

import (
	"context"
	"time"

	"lectern/models/signin"
	"lectern/models/store"
)

// justNow is how long after they came somebody may set another password without the one before, which they may have
// forgotten.
const justNow = 15 * time.Minute

// NeedsPassword tells whether a new password needs the one before.
func (pl *Place) NeedsPassword() bool {
	return pl.login.Account.HasPassword() && pl.store.Now().Sub(pl.login.CreatedAt.Time) >= justNow
}

// SetPassword gives the account a password, or another one, and ends its logins but this one. It answers Invalid for
// the fields current_password and password, and TooMany.
func (pl *Place) SetPassword(ctx context.Context, current, next string) error {
	a := pl.login.Account
	if err := signin.PasswordFault("password", next, a.Email, a.Name); err != nil {
		return err
	}
	if pl.NeedsPassword() {
		if err := pl.prove(ctx, current); err != nil {
			return err
		}
	}
	hash, err := pl.store.Passwords.Hash(ctx, next)
	if err != nil {
		return err
	}
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		set := tx.Model(&Account{}).Where("id = ? AND password_hash = ?", a.ID, a.PasswordHash).
			UpdateColumns(map[string]any{"password_hash": hash, "updated_at": tx.Now.Following(a.UpdatedAt)})
		if err := store.Changed(set, signin.ErrSignedOut); err != nil {
			return err
		}
		return endLogins(tx, a.ID, pl.login.ID)
	})
}

// prove makes sure that a password is the account's.
func (pl *Place) prove(ctx context.Context, password string) error {
	count := signin.By("speaker's password", pl.login.AccountID, signin.FailuresOfAccount)
	if err := pl.store.Write(ctx, func(tx *store.Tx) error { return signin.Attempt(tx, count) }); err != nil {
		return err
	}
	right, err := pl.store.Passwords.Is(ctx, pl.login.Account.PasswordHash, password)
	if err != nil {
		return err
	}
	if !right {
		return store.Invalidf("current_password", "is not your password")
	}
	return pl.store.Write(ctx, func(tx *store.Tx) error { return signin.Forgive(tx, count) })
}

// Devices is how many browsers are in this place by this account.
func (pl *Place) Devices(ctx context.Context) (n int64, err error) {
	now := pl.store.Now()
	return n, pl.read(ctx).Model(&Login{}).Where("account_id = ? AND expires_at > ? AND last_seen_at > ?",
		pl.login.AccountID, now,
		store.At(now.Add(-LoginIdle))).Count(&n).Error
}

// LeaveOthers ends the logins of the contact's accounts but this one.
func (pl *Place) LeaveOthers(ctx context.Context) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		return tx.Where("id <> ? AND account_id IN (SELECT id FROM speaker_accounts WHERE organization_id = ? AND contact_id = ?)",
			pl.login.ID, pl.organizationID, pl.contactID).Delete(&Login{}).Error
	})
}
