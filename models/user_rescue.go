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
func (s *Store) SetPassword(ctx context.Context, email, password string) (*User, error) {
	known, err := s.memberBy(s.read(ctx), email)
	if err != nil {
		return nil, err
	}
	if err := passwordFault("password", password, known.Email, known.Name); err != nil {
		return nil, err
	}
	hash, err := s.hashPassword(ctx, password)
	if err != nil {
		return nil, err
	}
	return s.rescue(ctx, email, PasswordSet, func(tx *Tx, u *User) error {
		return errors.Join(tx.setPassword(&User{ID: u.ID, UpdatedAt: u.UpdatedAt}, hash, ""), tx.forgive(ofAccount(u.Email, "")))
	})
}

// EndTOTP turns the second factor of the member of staff with this address off,
// for whoever runs the server. It answers NotFound for an address that is
// nobody's.
func (s *Store) EndTOTP(ctx context.Context, email string) (*User, error) {
	return s.rescue(ctx, email, SecondFactorEnded, func(tx *Tx, u *User) error {
		return errors.Join(tx.endTOTP(u), tx.forgive(secondFactorOf(u.ID)))
	})
}

func (s *Store) rescue(ctx context.Context, email string, event SecurityEvent, help func(*Tx, *User) error) (u *User, err error) {
	err = s.write(ctx, func(tx *Tx) error {
		if u, err = s.memberBy(tx.lock(), email); err != nil {
			return err
		}
		return errors.Join(help(tx, u), tx.secure(u.OrganizationID, nil, commandLine, event, activity{id: u.ID}))
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}

// memberBy is the member of staff with an address.
func (s *Store) memberBy(db *gorm.DB, email string) (*User, error) {
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
