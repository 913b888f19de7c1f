package signin

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
