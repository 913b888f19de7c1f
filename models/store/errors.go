package store

import (
	"errors"
	"fmt"
)

// Kind says what went wrong in terms every door can translate: the API into a
// status and a name, a page into a form message.
type Kind int

const (
	// Invalid is input that breaks a rule; Field names the culprit.
	Invalid Kind = iota + 1
	// GateHeld is a publication held back: no decision letter was sent, or the content is not approved.
	GateHeld
	// NotFound is a record that is not in this event, or not in the state the operation needs.
	NotFound
	// Stale is a write that carried an outdated concurrency token.
	Stale
	// Gone is a page that cannot be continued any more; the message says how to start again.
	Gone
	// Unauthorized is an API key or a sign-in that is not valid.
	Unauthorized
	// TooMany is an attempt that was not checked, because too many failed before it.
	TooMany
	// Unavailable is a database that is away, full, read-only or too busy. Nothing was changed, and the request can be
	// repeated.
	Unavailable
	// Unknown is a commit that was interrupted: the change may have been made or not.
	Unknown
)

// FieldError is one fault of an input.
type FieldError struct {
	Field   string `json:"field" doc:"Path of the field in the request"`
	Message string `json:"message" doc:"What is wrong with it"`
}

// Error is the one error type of the operations. An error that AsError does not recognise is a bug or a fault of the
// server.
type Error struct {
	Kind    Kind
	Message string
	Fields  []FieldError
}

func (e *Error) Error() string { return e.Message }

// KindOf returns the Kind of err, or 0 for a fault of the server.
func KindOf(err error) Kind {
	if e := AsError(err); e != nil {
		return e.Kind
	}
	return 0
}

func Invalidf(field, format string, args ...any) error {
	f := FieldError{Field: field, Message: fmt.Sprintf(format, args...)}
	return &Error{Kind: Invalid, Message: f.Field + " " + f.Message, Fields: []FieldError{f}}
}

// Missing returns a NotFound error with this message.
func Missing(message string) error { return &Error{Kind: NotFound, Message: message} }

func NoSuch(what string) error { return Missing("There is no such " + what + " in this event.") }

// Outdated returns a Stale error with this message, for the token updated_at.
func Outdated(message string) error {
	return &Error{Kind: Stale, Message: message, Fields: []FieldError{{Field: "updated_at", Message: "is outdated"}}}
}

// Faults gathers the errors of several fields into one *Error.
type Faults []FieldError

func (f *Faults) Add(err error) {
	if e, found := errors.AsType[*Error](err); found {
		*f = append(*f, e.Fields...)
	}
}

// Clean normalizes *s with CleanText or the like, and adds its fault if it has one.
func (f *Faults) Clean(clean func(field, s string, limit int) (string, error), field string, s *string, limit int) {
	var err error
	*s, err = clean(field, *s, limit)
	f.Add(err)
}

func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	message := f[0].Field + " " + f[0].Message
	if more := len(f) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more)", more)
	}
	return &Error{Kind: Invalid, Message: message, Fields: f}
}

// Ours returns err if it is a fault of the server, else nil.
func Ours(err error) error {
	if KindOf(err) != 0 {
		return nil
	}
	return err
}
