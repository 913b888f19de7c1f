package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"lectern/models/files"
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

// These are the ways in which a database cannot serve. The request may be repeated.
var (
	errAway     = unavailable("The database does not answer at the moment.")
	errBusy     = unavailable("The database is too busy at the moment.")
	errHeld     = unavailable("Somebody else, perhaps an import, is changing the same at this moment.")
	errLate     = unavailable("The database did not answer in time.")
	errFull     = unavailable("The database has no room left, so nothing can be changed at the moment.")
	errReadOnly = unavailable("The database takes no changes at the moment.")
	errEnded    = unavailable("The server stopped waiting for the database.")
)

// errUnknown may have changed something: whoever repeats the change may make it twice.
var errUnknown = &Error{Kind: Unknown, Message: "The database stopped answering while this was being saved, so whether " +
	"it was saved is not known. Look before you send it again."}

// cutShort wraps the error of a commit that the server may have made all the same.
type cutShort struct{ error }

func (e *cutShort) Unwrap() error { return e.error }

// isEnded reports whether err means that the server is gone; it may have committed before.
func isEnded(err error) bool {
	e, found := errors.AsType[*pgconn.PgError](err)
	return !found || e.SeverityUnlocalized != "ERROR"
}

func unavailable(message string) *Error {
	return &Error{Kind: Unavailable, Message: message + " Try again in a few seconds."}
}

// AsError returns the *Error that err is or, when the database or the file store could not serve, an Unavailable one
// that says so; nil for any other fault of the server.
func AsError(err error) *Error {
	if e, found := errors.AsType[*Error](err); found {
		return e
	}
	if e, found := errors.AsType[*files.Fault](err); found {
		return unavailable(e.Message)
	}
	if e, found := errors.AsType[*pgconn.PgError](err); found {
		return ofPostgres(e.Code)
	}
	if e, found := errors.AsType[sqliteError](err); found {
		return ofSQLite(e.Code())
	}
	var network net.Error
	var connect *pgconn.ConnectError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errLate
	case errors.Is(err, context.Canceled):
		return errEnded
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, net.ErrClosed), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone),
		errors.Is(err, pgconn.ErrConnClosed):
		return errAway
	}
	return nil
}

type sqliteError interface {
	error
	Code() int
}

// isDeadlock reports whether PostgreSQL aborted a transaction because of another one.
func isDeadlock(err error) bool {
	e, found := errors.AsType[*pgconn.PgError](err)
	return found && (e.Code == "40P01" || e.Code == "40001")
}

// errGone answers a write that refers to a row which was deleted after the operation had checked it.
var errGone = &Error{
	Kind:    Invalid,
	Message: "Something that this names was deleted meanwhile. Read what there is again, then repeat your change.",
}

// IsMissingReference reports whether a foreign key was violated.
func IsMissingReference(err error) bool { return hasCode(err, "23503", 787) }

// IsDuplicate reports whether a unique index was violated, or a trigger that raises the same.
func IsDuplicate(err error) bool { return hasCode(err, "23505", 2067, 1811) }

// hasCode reports whether a database answered with a code of PostgreSQL, or one of SQLite's.
func hasCode(err error, postgres string, sqlite ...int) bool {
	if e, found := errors.AsType[sqliteError](err); found {
		return slices.Contains(sqlite, e.Code())
	}
	e, found := errors.AsType[*pgconn.PgError](err)
	return found && e.Code == postgres
}

// ofPostgres translates an SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html
func ofPostgres(code string) *Error {
	switch code {
	case "53100", "53200": // disk full, out of memory
		return errFull
	case "25006": // a read-only transaction
		return errReadOnly
	case "55P03": // a lock, where a statement waits only briefly
		return errHeld
	// deadlock or serialization failure, too many connections, statement timeout
	case "40001", "40P01", "53300", "57014":
		return errBusy
	}
	if class := code[:min(2, len(code))]; class == "08" || class == "57" || class == "58" { // connection, operator, system
		return errAway
	}
	return nil
}

// ofSQLite translates a result code: https://www.sqlite.org/rescode.html
func ofSQLite(code int) *Error {
	switch code & 0xff {
	case 5, 6, 9: // busy, locked, interrupted
		return errBusy
	case 8: // read-only
		return errReadOnly
	case 13: // full
		return errFull
	case 10, 14: // input or output, cannot open
		return errAway
	}
	return nil
}
