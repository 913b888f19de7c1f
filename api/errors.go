package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"lectern/models/store"
	"lectern/web/request"
)

// Error is the body of every answer that is not a success.
type Error struct {
	status    int
	wait      string             // Retry-After in seconds, "" for none
	Name      string             `json:"error" doc:"Stable name of the kind of error" example:"ValidationError"`
	Message   string             `json:"message" doc:"What happened, for a person"`
	Details   []store.FieldError `json:"details,omitempty" nullable:"false" doc:"The faulty fields, with 400"`
	RequestID string             `json:"request_id" doc:"The value of the header x-request-id"`
}

func (e *Error) Error() string { return e.Message }

// GetStatus returns the HTTP status of the answer.
func (e *Error) GetStatus() int { return e.status }

// GetHeaders returns the headers that huma sends with the error.
func (e *Error) GetHeaders() http.Header {
	if e.wait == "" {
		return nil
	}
	return http.Header{"Retry-After": {e.wait}}
}

// names maps each status to its error name; only the publish gate has a second name.
var names = map[int]string{
	http.StatusBadRequest:                  "ValidationError",
	http.StatusUnauthorized:                "UnauthorizedError",
	http.StatusForbidden:                   "ForbiddenError",
	http.StatusNotFound:                    "NotFoundError",
	http.StatusMethodNotAllowed:            "MethodNotAllowedError",
	http.StatusRequestTimeout:              "RequestTimeoutError",
	http.StatusConflict:                    "ConflictError",
	http.StatusGone:                        "GoneError",
	http.StatusRequestEntityTooLarge:       "PayloadTooLargeError",
	http.StatusUnsupportedMediaType:        "UnsupportedMediaTypeError",
	http.StatusTooManyRequests:             "TooManyRequestsError",
	http.StatusRequestHeaderFieldsTooLarge: "HeadersTooLargeError",
	http.StatusInternalServerError:         "InternalServerError",
	http.StatusServiceUnavailable:          "ServiceUnavailableError",
	http.StatusGatewayTimeout:              "OutcomeUnknownError",
}

const gateHeld = "PublishGateError"

// kinds maps the error kinds of models to statuses, and is the only place that does.
var kinds = map[store.Kind]int{
	store.Invalid:      http.StatusBadRequest,
	store.GateHeld:     http.StatusBadRequest,
	store.NotFound:     http.StatusNotFound,
	store.Stale:        http.StatusConflict,
	store.Gone:         http.StatusGone,
	store.Unauthorized: http.StatusUnauthorized,
	store.TooMany:      http.StatusTooManyRequests,
	store.Unavailable:  http.StatusServiceUnavailable,
	store.Unknown:      http.StatusGatewayTimeout,
}

// maxDetails is how many faults an answer lists; the others are only counted.
const maxDetails = 50

// NewError returns an error answer with the name of its status. A 422 becomes a 400, and a status without a name a 500
// or a 400. Of more than 50 details the first are kept, and the message says how many more there are.
func NewError(requestID string, status int, message string, details ...store.FieldError) *Error {
	if names[status] == "" {
		if status >= 500 {
			status = http.StatusInternalServerError
		} else {
			status = http.StatusBadRequest
		}
	}
	message = clip(message)
	if more := len(details) - maxDetails; more > 0 {
		message, details = fmt.Sprintf("%s … and %d more", message, more), details[:maxDetails]
	}
	var clipped []store.FieldError // a copy, since the errors of models are shared
	for _, d := range details {
		clipped = append(clipped, store.FieldError{Field: clip(d.Field), Message: clip(d.Message)})
	}
	e := &Error{status: status, Name: names[status], Message: message, Details: clipped, RequestID: requestID}
	if status == http.StatusServiceUnavailable {
		e.wait = request.RetryAfter
	}
	return e
}

// tooSoon returns the answer 429 to a request that should wait some seconds.
func tooSoon(requestID, message, seconds string) *Error {
	e := NewError(requestID, http.StatusTooManyRequests,
		message+" Wait as long as Retry-After says, in seconds.")
	e.wait = seconds
	return e
}

// invalid returns the error for a request's faults, at least one.
func invalid(faults ...store.FieldError) error {
	return &store.Error{Kind: store.Invalid, Message: faults[0].Field + " " + faults[0].Message, Fields: faults}
}

// maxEcho limits how many bytes of the request an answer repeats.
const maxEcho = 500

func clip(s string) string {
	if len(s) <= maxEcho {
		return s
	}
	return strings.ToValidUTF8(s[:maxEcho], "") + "…"
}

// problem turns an error of an operation into an answer. It logs whatever is not the caller's fault, and answers that
// with a fixed message.
func problem(ctx context.Context, err error) *Error {
	if answer, found := errors.AsType[*Error](err); found {
		return answer
	}
	id := request.ID(ctx)
	e := store.AsError(err)
	if e == nil || e.Kind == store.Unavailable || e.Kind == store.Unknown {
		slog.ErrorContext(ctx, "request failed", "request_id", id, "error", err.Error())
	}
	if e == nil {
		return NewError(id, http.StatusInternalServerError, internalMessage)
	}
	answer := NewError(id, kinds[e.Kind], e.Message, e.Fields...)
	if answer.status != http.StatusBadRequest {
		answer.Details = nil
	}
	if e.Kind == store.GateHeld {
		answer.Name = gateHeld
	}
	return answer
}

const internalMessage = "Something went wrong on our side. Try again, and name the request_id if it stays so."
