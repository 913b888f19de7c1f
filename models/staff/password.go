package staff

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"lectern/models/store"
)

// Bounds of a password, in characters as typed.
const (
	MinPassword = 10
	MaxPassword = 200
)

// passwordFault is the rule of a password for the person with this address and name.
func passwordFault(field, password, email, name string) error {
	if n := utf8.RuneCountInString(password); n < MinPassword || n > MaxPassword {
		return store.Invalidf(field, "must have %d to %d characters", MinPassword, MaxPassword)
	}
	switch store.Fold(strings.TrimSpace(password)) {
	case "":
		return store.Invalidf(field, "must not be of spaces alone")
	case store.Fold(email), store.Fold(name):
		return store.Invalidf(field, "must not be your own address or name")
	}
	if isCommon(password) {
		return store.Invalidf(field, "is one that many people use, so it would be guessed; "+
			"choose a few words that have nothing to do with each other")
	}
	return nil
}

// PasswordMemory is the memory in KiB that a password takes to hash, unless [Options] say otherwise.
const PasswordMemory = 46 * 1024

// hashesAtOnce bounds the memory that strangers can make us take.
const hashesAtOnce = 2

// whileHashing runs work that takes argon2's memory, when its turn has come.
func (a *Accounts) whileHashing(ctx context.Context, work func() error) error {
	select {
	case a.hashing <- struct{}{}:
		defer func() { <-a.hashing }()
		return work()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hashPassword takes the parameters of OWASP's password storage cheat sheet.
func (a *Accounts) hashPassword(ctx context.Context, password string) (hash string, err error) {
	err = a.whileHashing(ctx, func() error {
		hash, err = argon2id.CreateHash(password, &argon2id.Params{
			Memory:     cmp.Or(a.Options.PasswordMemory, PasswordMemory),
			Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32,
		})
		return err
	})
	return hash, err
}

// passwordIs tells whether hash was made of password. None, "", is as much work
// to check as anybody's, and never right; nor is what is no hash.
func (a *Accounts) passwordIs(ctx context.Context, hash, password string) (is bool, err error) {
	if utf8.RuneCountInString(password) > MaxPassword {
		return false, nil
	}
	if hash == "" {
		_, err := a.hashPassword(ctx, password)
		return false, err
	}
	err = a.whileHashing(ctx, func() error {
		is, _ = argon2id.ComparePasswordAndHash(password, hash)
		return nil
	})
	return is, err
}

// prove makes sure that password is the user's, for what a login alone may not do, and returns the user as they
// are now. It answers Invalid for the field, and TooMany.
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
		now, err := store.One[User](tx.Where("id = ? AND disabled_at IS NULL", u.ID), errLogin)
		if err != nil {
			return nil, err
		}
		return now, attempt(tx, ofAccount(now.Email, whoIsSignedIn))
	})
	if err != nil {
		return nil, err
	}
	right, err := a.passwordIs(ctx, now.PasswordHash, password)
	if err != nil {
		return nil, err
	}
	if !right {
		return nil, store.Invalidf(field, "is not your password")
	}
	return now, a.Write(ctx, func(tx *store.Tx) error { return forgive(tx, ofAccount(now.Email, whoIsSignedIn)) })
}
