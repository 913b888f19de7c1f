package staff

import (
	"context"
	"time"

	"lectern/models/signin"
	"lectern/models/store"
)

// ResetPause is how long after a mail with a reset link no other one is sent to the same person: the link that they
// have is still valid.
const ResetPause = 5 * time.Minute

// RequestReset makes a link for the user with this address to choose a new password, valid for an hour, and returns its
// token, which is stored nowhere. Earlier links stay valid, because the request may come from a stranger, and none is
// made within ResetPause of the last one. For an unknown address, and within that pause, it returns neither user nor
// error, so that whoever asks learns nothing. It answers TooMany after twenty requests from one network address.
func (a *Accounts) RequestReset(ctx context.Context, email, address string) (token string, user *User, err error) {
	cleaned, err := store.CleanEmail(email)
	if err != nil {
		cleaned = "" // which is nobody's
	}
	var known string
	err = a.Write(ctx, func(tx *store.Tx) error {
		user, known = nil, ""
		if err := signin.Attempt(tx, signin.OfAddress("reset address", address, resetsFromAddress)...); err != nil {
			return err
		}
		var u User
		err := tx.Lock().Omit("password_hash", "totp_secret").
			Where("email_key = ?", store.Fold(cleaned)).Where(byThemselves).Limit(1).Find(&u).Error
		if known = u.ID; err != nil || known == "" {
			return err
		}
		var fresh int64
		err = tx.Model(&staffLink{}).
			Where("user_id = ? AND used_at IS NULL AND created_at > ?", u.ID, store.At(tx.Now.Add(-ResetPause))).
			Count(&fresh).Error
		if err != nil || fresh > 0 {
			return err
		}
		user = &u
		token, err = newReset(tx, user)
		return err
	})
	asked := triedAs(ctx, store.ResetAsked, known, email, address)
	if err != nil {
		a.NoteRefusal(err, asked)
		return "", nil, err
	}
	a.Note(asked)
	return token, user, nil
}

// ResetFor makes a reset link for a member whom an owner helps, ends their earlier links, and records that the owner
// did. It answers NotFound unless an owner acts and id is a member, and Invalid for a member who signs in by a provider
// only.
func (t *Team) ResetFor(ctx context.Context, id string) (token string, user *User, err error) {
	err = t.asOwner(ctx, func(tx *store.Tx) error {
		u, err := t.member(tx, id)
		if err != nil {
			return err
		}
		if err := t.takesPassword(tx, u); err != nil {
			return err
		}
		user = &User{ID: u.ID, OrganizationID: u.OrganizationID, Email: u.Email, Name: u.Name}
		if err := endResets(tx, u.ID); err != nil {
			return err
		}
		if token, err = newReset(tx, u); err != nil {
			return err
		}
		return t.Secure(tx, store.ResetLinkMade, store.Change{ID: u.ID})
	})
	if err != nil {
		return "", nil, err
	}
	return token, user, nil
}

// takesPassword refuses to give a password to a user who signs in by a provider only.
func (t *Team) takesPassword(tx *store.Tx, u *User) error {
	if u.ProviderID != nil {
		return errByProvider
	}
	return stillByThemselves(tx, u, errPasswordsOff)
}

var errByProvider = &store.Error{Kind: store.Invalid,
	Message: "They came by an identity provider and sign in by it alone, so they have no password."}

func newReset(tx *store.Tx, u *User) (token string, err error) {
	token = signin.NewToken()
	return token, tx.Create(&staffLink{
		ID: store.NewID(), Hash: store.HashKey(token), Kind: linkReset, OrganizationID: u.OrganizationID, UserID: &u.ID,
		Roles: map[string]Role{}, CreatedAt: tx.Now, ExpiresAt: store.At(tx.Now.Add(ResetLifetime)),
	}).Error
}

func endResets(tx *store.Tx, userID string) error {
	return tx.Where("user_id = ? AND used_at IS NULL", userID).Delete(&staffLink{}).Error
}

// ResetBy returns the user whose password the link with this token resets. It answers NotFound for a link that was
// used, replaced or has expired.
func (a *Accounts) ResetBy(ctx context.Context, token string) (*User, error) {
	u, _, err := a.resetBy(ctx, token)
	return u, err
}

func (a *Accounts) resetBy(ctx context.Context, token string) (*User, string, error) {
	type userAndLink struct {
		User
		LinkID string
	}
	found, err := store.One[userAndLink](a.Read(ctx).Table("staff_links l").Joins("JOIN users u ON u.id = l.user_id").
		Select("u.id, u.organization_id, u.email, u.email_key, u.name, u.role, u.everywhere, u.totp_confirmed_at, "+
			"u.created_at, u.updated_at, l.id AS link_id").
		Where("l.hash = ? AND l.kind = ? AND l.used_at IS NULL AND l.expires_at > ? AND "+
			"u.id IN (SELECT id FROM users WHERE "+byThemselves+")", store.HashKey(token), linkReset, a.Now()), errNoLink)
	if err != nil {
		return nil, "", err
	}
	return &found.User, found.LinkID, nil
}

// ResetPassword gives the user of a link a new password, once, and signs them out everywhere. Their second factor
// stays. It answers what ResetBy does, and Invalid for a password that breaks its rule.
func (a *Accounts) ResetPassword(ctx context.Context, token, password string) error {
	u, link, err := a.resetBy(ctx, token)
	if err != nil {
		return err
	}
	if err := signin.PasswordFault(password, u.Email, u.Name); err != nil {
		return err
	}
	hash, err := a.passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return a.Write(ctx, func(tx *store.Tx) error {
		if _, err := hold(tx, u.ID, errNoLink); err != nil {
			return err
		}
		if err := useLink(tx, link); err != nil {
			return err
		}
		if err := setPassword(tx, u, hash, ""); err != nil {
			return err
		}
		if err := tx.Secure(u.OrganizationID, nil, u.InPerson(ctx), store.PasswordReset, store.Change{ID: u.ID}); err != nil {
			return err
		}
		return signin.Forgive(tx, ofAccount(u.Email, ""))
	})
}

// ChangePassword gives a user another password and ends all their logins except the one with the token keepToken. It
// answers Invalid for the fields current_password and password, and TooMany.
func (a *Accounts) ChangePassword(ctx context.Context, u *User, current, next string, keepToken string) error {
	if err := signin.PasswordFault(next, u.Email, u.Name); err != nil {
		return err
	}
	now, err := a.prove(ctx, u, "current_password", current)
	if err != nil {
		return err
	}
	hash, err := a.passwords.Hash(ctx, next)
	if err != nil {
		return err
	}
	return a.Write(ctx, func(tx *store.Tx) error {
		if err := setPassword(tx, now, hash, keepToken); err != nil {
			return err
		}
		return tx.Secure(now.OrganizationID, nil, now.InPerson(ctx), store.PasswordChanged, store.Change{ID: now.ID})
	})
}

// setPassword writes a password that was checked, and ends the user's reset links and logins. It refuses if the user
// was removed or, where u has the old hash, if the password changed meanwhile.
func setPassword(tx *store.Tx, u *User, hash, keepToken string) error {
	set := tx.Model(&User{}).
		Where("id = ? AND disabled_at IS NULL AND (? = '' OR password_hash = ?)", u.ID, u.PasswordHash, u.PasswordHash).
		UpdateColumns(map[string]any{"password_hash": hash, "updated_at": tx.Now.Following(u.UpdatedAt)})
	if err := store.Changed(set, signin.ErrSignedOut); err != nil {
		return err
	}
	if err := endResets(tx, u.ID); err != nil {
		return err
	}
	return endLogins(tx, u.ID, keepToken)
}

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
