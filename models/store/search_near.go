package store

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// forgiving is how many letters a word needs for Near to tolerate one error in it.
const forgiving = 5

// Forgive reports whether one of the words is long enough for an error to be tolerated.
func (w Words) Forgive() bool {
	return slices.ContainsFunc(w, func(word string) bool { return utf8.RuneCountInString(word) >= forgiving })
}

// Near reports whether a text from Searchable contains all words, where a long word may have one error: a letter too
// many, missing or wrong, or two swapped.
func (w Words) Near(searchable string) bool {
	var there []string
	for _, word := range w {
		if strings.Contains(searchable, word) {
			continue
		}
		if utf8.RuneCountInString(word) < forgiving {
			return false
		}
		if there == nil {
			there = strings.FieldsFunc(searchable, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		}
		if !slices.ContainsFunc(there, func(one string) bool { return beginsNear(one, word) }) {
			return false
		}
	}
	return true
}

// beginsNear reports whether word begins with what was typed, but for at most one error.
func beginsNear(word, typed string) bool {
	is, want := []rune(word), []rune(typed)
	at := 0
	for at < len(is) && at < len(want) && is[at] == want[at] {
		at++
	}
	begins := func(from, typedFrom int) bool {
		return from <= len(is) && typedFrom <= len(want) && len(is)-from >= len(want)-typedFrom &&
			slices.Equal(is[from:from+len(want)-typedFrom], want[typedFrom:])
	}
	swapped := at+1 < len(is) && at+1 < len(want) && is[at] == want[at+1] && is[at+1] == want[at]
	return begins(at, at) || begins(at+1, at+1) || begins(at, at+1) || begins(at+1, at) || swapped && begins(at+2, at+2)
}
