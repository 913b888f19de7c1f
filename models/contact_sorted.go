package models

import (
	"strings"
	"unicode"
)

// SortedUnder is what they are sorted under in lists for everybody: as they said, or the last name before the first.
// Particles that a last name begins with come last, "Berg, Anna van der"; one with a capital belongs to the name,
// "Van Damme, Anna". A name in Chinese, Japanese or Korean characters stands as it is written: family name first.
func (c *Contact) SortedUnder() string {
	switch {
	case c.SortName != "":
		return c.SortName
	case c.LastName == "" || c.FirstName == "" || startsWith(c.FullName, familyNameFirst):
		return c.FullName
	}
	before, name := particles(c.LastName)
	return strings.TrimSpace(name + ", " + c.FirstName + " " + before)
}

// particles splits a last name into the words in lower case that it begins with and the rest, which has a capital.
func particles(last string) (before, name string) {
	words := strings.Fields(last)
	for i, word := range words {
		switch {
		case startsWith(word, unicode.IsUpper):
			return strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		case !startsWith(word, unicode.IsLower): // a script that knows neither
			return "", last
		}
	}
	return "", last
}

// startsWith reports whether the first letter of a text is of a kind.
func startsWith(text string, is func(rune) bool) bool {
	at := strings.IndexFunc(text, unicode.IsLetter)
	if at < 0 {
		return false
	}
	for _, r := range text[at:] {
		return is(r)
	}
	return false
}

// familyNameFirst reports characters in which names are written with the family name first.
func familyNameFirst(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
