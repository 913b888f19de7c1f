package visit

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"lectern/web/page"
)

// JoinWords are the words that are there, with something between them.
func JoinWords(between string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), between)
}

// Optional is nil for "".
func Optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Whole reads a whole number; nothing is nil. One that is too large for any rule
// is handed on to be refused by it.
func Whole(field, text string) (*int, error) {
	if text == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		n = math.MaxInt32
	case err != nil:
		return nil, page.FieldFault(field, "must be a whole number")
	}
	return &n, nil
}

// Cut is a name short enough for a notice.
func Cut(name string) string { return Beginning(name, 60) }

// Beginning is as much of a text as there is room for.
func Beginning(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// WholeText is a whole number as a form shows it, "" for nil.
func WholeText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
