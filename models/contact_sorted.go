package models

import (
	"strings"
	"unicode"
)

// SortedUnder is what they are sorted under in lists for everybody: as they said, or the last name before the first.
// Small words that a last name begins with come last, "Berg, Anna van der"; one that is written large belongs to the
// name, "Van Damme, Anna". A name in Chinese, Japanese or Korean characters stands as it is written: family name first.
func (c *Contact) SortedUnder() string {
	switch {
	case c.SortName != "":
		return c.SortName
	case c.LastName == "" || c.FirstName == "" || startsWith(c.FullName, isOfNamesWithFamilyFirst):
		return c.FullName
	}
	small, name := smallWords(c.LastName)
	return strings.TrimSpace(name + ", " + c.FirstName + " " + small)
}

// smallWords cuts a last name into the small words that it begins with and the rest, which begins with a large letter.
func smallWords(last string) (small, name string) {
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

// startsWith tells whether the first letter of a text is of a kind.
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

func isOfNamesWithFamilyFirst(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
