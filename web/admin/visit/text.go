package visit

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"lectern/models/store"
)

// JoinWords joins the words that are not empty.
func JoinWords(between string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), between)
}

// Optional returns nil for "", else a pointer to s.
func Optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ValueOr returns what p points to, or other where it is nil.
func ValueOr[T any](p *T, other T) T {
	if p == nil {
		return other
	}
	return *p
}

// WholeNumber reads a whole number; "" is nil. A number out of range becomes one that every rule refuses.
func WholeNumber(field, text string) (*int, error) {
	if text == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		n = math.MaxInt32
	case err != nil:
		return nil, store.Invalidf(field, "must be a whole number")
	}
	return &n, nil
}

// Cut shortens a name for a notice.
func Cut(name string) string { return Beginning(name, 60) }

// Beginning cuts a text to at most so many characters, and ends it with … then.
func Beginning(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// WholeText returns a whole number as a form shows it, "" for nil.
func WholeText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
