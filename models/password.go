package models

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"gorm.io/gorm"
)

// Bounds of a password, in characters as typed.
const (
	MinPassword = 10
	MaxPassword = 200
)

// passwordFault is the rule of a password for the person with this address and
// name.
func passwordFault(field, password, email, name string) error {
	if n := utf8.RuneCountInString(password); n < MinPassword || n > MaxPassword {
		return invalid(field, "must have %d to %d characters", MinPassword, MaxPassword)
	}
	switch fold(strings.TrimSpace(password)) {
	case "":
		return invalid(field, "must not be of spaces alone")
	case fold(email), fold(name):
		return invalid(field, "must not be your own address or name")
	}
	if isCommon(password) {
		return invalid(field, "is one that many people use, so it would be guessed; choose a few words that have nothing to do with each other")
	}
	return nil
}

// The parameters follow OWASP's password storage cheat sheet for argon2id.
const (
	argonTime    = 2
	argonThreads = 1

	// PasswordMemory is the memory in KiB that a password takes to hash, unless
	// [Options] say otherwise.
	PasswordMemory = 46 * 1024
)

// hashesAtOnce bounds the memory that strangers can make us take.
const hashesAtOnce = 2

// nobodysPassword is as much work to check as anybody's, and never right.
func (s *Store) nobodysPassword() string { return s.encodeHash(make([]byte, 16), make([]byte, 32)) }

func (s *Store) encodeHash(salt, hash []byte) string {
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, s.options.PasswordMemory, argonTime, argonThreads, encode(salt), encode(hash))
}

// whileHashing runs work that takes argon2's memory, when its turn has come.
func (s *Store) whileHashing(ctx context.Context, work func()) error {
	select {
	case s.hashing <- struct{}{}:
		defer func() { <-s.hashing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	work()
	return nil
}

func (s *Store) hashPassword(ctx context.Context, password string) (hash string, err error) {
	err = s.whileHashing(ctx, func() {
		salt := make([]byte, 16)
		rand.Read(salt)
		hash = s.encodeHash(salt, argon2.IDKey([]byte(password), salt, argonTime, s.options.PasswordMemory, argonThreads, 32))
	})
	return hash, err
}

// passwordIs tells whether hash was made of password.
func (s *Store) passwordIs(ctx context.Context, hash, password string) (is bool, err error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || utf8.RuneCountInString(password) > MaxPassword {
		return false, nil
	}
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil {
		return false, nil
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, nil
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, nil
	}
	err = s.whileHashing(ctx, func() {
		got := argon2.IDKey([]byte(password), salt, time, memory, threads, uint32(len(want)))
		is = subtle.ConstantTimeCompare(got, want) == 1
	})
	return is, err
}

// prove makes sure that password is the user's, for what a login alone may not
// do, and returns the user as they are now. It answers Invalid for the field,
// and TooMany.
func (s *Store) prove(ctx context.Context, u *User, field, password string) (*User, error) {
	now, err := s.proven(ctx, u, field, password)
	if err != nil {
		s.noteRefusal(err, incident{event: PasswordCheckFailed, by: u.inPerson(ctx), organizationID: u.OrganizationID, subjectID: u.ID})
		return nil, err
	}
	return now, nil
}

func (s *Store) proven(ctx context.Context, u *User, field, password string) (*User, error) {
	var now User
	err := s.write(ctx, func(tx *Tx) error {
		err := tx.Where("id = ? AND disabled_at IS NULL", u.ID).Take(&now).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return errLogin
		}
		if err != nil {
			return err
		}
		return tx.attempt(ofAccount(now.Email, whoIsSignedIn))
	})
	if err != nil {
		return nil, err
	}
	right, err := s.passwordIs(ctx, now.PasswordHash, password)
	if err != nil {
		return nil, err
	}
	if !right {
		return nil, invalid(field, "is not your password")
	}
	return &now, s.write(ctx, func(tx *Tx) error { return tx.forgive(ofAccount(now.Email, whoIsSignedIn)) })
}
