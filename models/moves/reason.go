package moves

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models/csv"
	"lectern/models/fetch"
	"lectern/models/moving"
	"lectern/models/store"
)

// notOpened is the error, in words for people, that a conference cannot be read.
type notOpened struct{ error }

// reasonOf returns the cause as a sentence for people.
func reasonOf(cause error) string {
	var (
		theirs   *fetch.Fault
		unread   notOpened
		ofTable  *csv.Fault
		notGiven moving.NotGiven
		refused  *store.Error
	)
	switch {
	case errors.As(cause, &theirs):
		return sentence(theirs.Error())
	case errors.As(cause, &unread):
		return sentence(unread.Error())
	case errors.As(cause, &ofTable):
		return sentence(ofTable.Error())
	case errors.As(cause, &notGiven):
		return sentence(notGiven.Error())
	case errors.As(cause, &refused):
		return sentence(refused.Message)
	}
	return "Something went wrong on our side."
}

// ours returns causes that whoever asked for the move cannot fix, nil for others.
func ours(cause error) error {
	if reasonOf(cause) != "Something went wrong on our side." {
		return nil
	}
	return cause
}

// sentence makes text begin with a capital and end with a full stop.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	first, size := utf8.DecodeRuneInString(text)
	if text = string(unicode.ToUpper(first)) + text[size:]; strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}
