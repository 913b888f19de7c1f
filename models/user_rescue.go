package models

import (
	"context"
	"errors"

	"gorm.io/gorm"
)

// SetPassword gives the member of staff with this address a password, ends their
// logins and links, and lets them try again at once. It is for whoever runs the
// server, when nobody else can help. It answers NotFound for an address that is
// nobody's, and Invalid for a password that breaks its rule.
func (a *Accounts) SetPassword(ctx context.Context, email, password string) (*User, error) {
	known, err := memberBy(a.read(ctx), email)
	if err != nil {
		return nil, err
	}
	if err := passwordFault("password", password, known.Email, known.Name); err != nil {
		return nil, err
	}
	hash, err := a.hashPassword(ctx, password)
	if err != nil {
		return nil, err
	}
	return a.rescue(ctx, email, PasswordSet, func(tx *Tx, u *User) error {
		return errors.Join(setPassword(tx, &User{ID: u.ID, UpdatedAt: u.UpdatedAt}, hash, ""),
			forgive(tx, ofAccount(u.Email, "")))
	})
}

// EndTOTP turns the second factor of the member of staff with this address off,
// for whoever runs the server. It answers NotFound for an address that is
// nobody's.
func (a *Accounts) EndTOTP(ctx context.Context, email string) (*User, error) {
	return a.rescue(ctx, email, SecondFactorEnded, func(tx *Tx, u *User) error {
		return errors.Join(endTOTP(tx, u), forgive(tx, secondFactorOf(u.ID)))
	})
}

func (a *Accounts) rescue(
	ctx context.Context, email string, event SecurityEvent, help func(*Tx, *User) error,
) (u *User, err error) {
	err = a.write(ctx, func(tx *Tx) error {
		if u, err = memberBy(tx.lock(), email); err != nil {
			return err
		}
		return errors.Join(help(tx, u), tx.secure(u.OrganizationID, nil, CommandLine, event, activity{id: u.ID}))
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}

// memberBy is the member of staff with an address.
func memberBy(db *gorm.DB, email string) (*User, error) {
	var u User
	email, err := cleanEmail(email)
	if err != nil {
		return nil, err
	}
	err = db.Where("email_key = ? AND disabled_at IS NULL", fold(email)).Take(&u).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, errNoStaff
	}
	return &u, err
}
