package signin

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"lectern/models/store"
)

// Bounds of a password, in characters as typed.
const (
	MinPassword = 10
	MaxPassword = 200
)

// PasswordFault checks a password for the person with this address and name: it returns Invalid for the field password,
// or nil.
func PasswordFault(password, email, name string) error {
	if n := utf8.RuneCountInString(password); n < MinPassword || n > MaxPassword {
		return store.Invalidf("password", "must have %d to %d characters", MinPassword, MaxPassword)
	}
	switch store.Fold(strings.TrimSpace(password)) {
	case "":
		return store.Invalidf("password", "must not be of spaces alone")
	case store.Fold(email), store.Fold(name):
		return store.Invalidf("password", "must not be your own address or name")
	}
	if isCommon(password) {
		return store.Invalidf("password", "is one that many people use, so it would be guessed; "+
			"choose a few words that have nothing to do with each other")
	}
	return nil
}

// passwordMemory is the memory in KiB that hashing a password takes, unless [store.Options] say otherwise.
const passwordMemory = 46 * 1024

// hashesAtOnce bounds the memory that strangers can make us use, at all doors together.
const hashesAtOnce = 2

// Passwords hashes passwords and compares them with hashes.
type Passwords struct {
	memory uint32 // in KiB
	turns  chan struct{}
}

// NewPasswords returns the one Passwords of a process; sharing it is what bounds the memory.
func NewPasswords(ground *store.Store) *Passwords {
	return &Passwords{
		memory: cmp.Or(ground.Options.PasswordMemory, passwordMemory), turns: make(chan struct{}, hashesAtOnce),
	}
}

// inTurn runs work that takes argon2's memory, when its turn has come.
func (p *Passwords) inTurn(ctx context.Context, work func() error) error {
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
		return work()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Hash hashes a password with argon2id and the parameters of OWASP's password storage cheat sheet.
func (p *Passwords) Hash(ctx context.Context, password string) (hash string, err error) {
	err = p.inTurn(ctx, func() error {
		hash, err = argon2id.CreateHash(password, &argon2id.Params{
			Memory: p.memory, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32,
		})
		return err
	})
	return hash, err
}

// Is reports whether hash was made of password. An empty hash takes as long to check as any, so that accounts without a
// password are not recognised by time, and never matches; nor does what is no hash.
func (p *Passwords) Is(ctx context.Context, hash, password string) (is bool, err error) {
	if utf8.RuneCountInString(password) > MaxPassword {
		return false, nil
	}
	if hash == "" {
		_, err := p.Hash(ctx, password)
		return false, err
	}
	err = p.inTurn(ctx, func() error {
		is, _ = argon2id.ComparePasswordAndHash(password, hash)
		return nil
	})
	return is, err
}

// commonPasswords are the 20,000 that leaked most often, in small letters: the list of Django 5.2, which Royce
// Williams made of what Have I Been Pwned gathered. Its licence is in common_passwords.LICENSE.
//
//go:embed common_passwords.txt.gz
var commonPasswords []byte

// isCommon reports whether a password is one that many people use: in any case, with or without digits and signs around
// it, once or repeated.
func isCommon(password string) bool {
	plain := strings.ToLower(strings.TrimSpace(password))
	bare := strings.TrimFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) })
	tries := []string{plain, repeated(plain), bare, repeated(bare)}
	if slices.ContainsFunc(tries, func(try string) bool { return utf8.RuneCountInString(try) == 1 }) {
		return true
	}
	// Passwords are set so rarely that the list need not stay in memory.
	list, err := gzip.NewReader(bytes.NewReader(commonPasswords))
	if err != nil {
		panic(err) // the list is part of the binary
	}
	for lines := bufio.NewScanner(list); lines.Scan(); {
		if slices.Contains(tries, lines.Text()) {
			return true
		}
	}
	return false
}

// repeated returns the part of which s is a repetition, or s itself.
func repeated(s string) string {
	for n := 1; n <= len(s)/2; n++ {
		if len(s)%n == 0 && strings.Repeat(s[:n], len(s)/n) == s {
			return s[:n]
		}
	}
	return s
}
