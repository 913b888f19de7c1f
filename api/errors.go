package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
)

// Error is the body of every answer that is not a success.
type Error struct {
	status    int
	Name      string              `json:"error" doc:"Stable name of the kind of error" example:"ValidationError"`
	Message   string              `json:"message" doc:"What happened, for a person"`
	Details   []models.FieldError `json:"details,omitempty" nullable:"false" doc:"The faulty fields, with 400"`
	RequestID string              `json:"request_id" doc:"The value of the header x-request-id"`
}

func (e *Error) Error() string { return e.Message }

// GetStatus is the HTTP status of the answer.
func (e *Error) GetStatus() int { return e.status }

// retryAfter is how long to wait for a database that cannot serve, in seconds.
const retryAfter = "5"

// GetHeaders are the headers that huma sends with the error.
func (e *Error) GetHeaders() http.Header {
	if e.status != http.StatusServiceUnavailable {
		return nil
	}
	return http.Header{"Retry-After": {retryAfter}}
}

// names gives each status its one name; the publish gate is the only second one.
var names = map[int]string{
	http.StatusBadRequest:                  "ValidationError",
	http.StatusUnauthorized:                "UnauthorizedError",
	http.StatusForbidden:                   "ForbiddenError",
	http.StatusNotFound:                    "NotFoundError",
	http.StatusMethodNotAllowed:            "MethodNotAllowedError",
	http.StatusConflict:                    "ConflictError",
	http.StatusRequestEntityTooLarge:       "PayloadTooLargeError",
	http.StatusUnsupportedMediaType:        "UnsupportedMediaTypeError",
	http.StatusTooManyRequests:             "TooManyRequestsError",
	http.StatusRequestHeaderFieldsTooLarge: "HeadersTooLargeError",
	http.StatusInternalServerError:         "InternalServerError",
	http.StatusServiceUnavailable:          "ServiceUnavailableError",
}

const gateHeld = "PublishGateError"

// kinds is the only place where the kinds of models become statuses.
var kinds = map[models.Kind]int{
	models.Invalid:      http.StatusBadRequest,
	models.GateHeld:     http.StatusBadRequest,
	models.NotFound:     http.StatusNotFound,
	models.Stale:        http.StatusConflict,
	models.Unauthorized: http.StatusUnauthorized,
	models.TooMany:      http.StatusTooManyRequests,
	models.Unavailable:  http.StatusServiceUnavailable,
}

// NewError is an error answer with the name that belongs to its status. A 422
// becomes a 400, and a status without a name a 500 or a 400.
func NewError(requestID string, status int, message string, details ...models.FieldError) *Error {
	if names[status] == "" {
		if status >= 500 {
			status = http.StatusInternalServerError
		} else {
			status = http.StatusBadRequest
		}
	}
	return &Error{status: status, Name: names[status], Message: message, Details: details, RequestID: requestID}
}

// problem turns an error of an operation into an answer. Whatever is not the
// caller's fault is logged and answered with a fixed message.
func problem(ctx context.Context, err error) *Error {
	id := requestID(ctx)
	e := models.AsError(err)
	if e == nil || e.Kind == models.Unavailable {
		slog.ErrorContext(ctx, "request failed", "request_id", id, "error", err.Error())
	}
	if e == nil {
		return NewError(id, http.StatusInternalServerError, internalMessage)
	}
	answer := NewError(id, kinds[e.Kind], e.Message, e.Fields...)
	if answer.status != http.StatusBadRequest {
		answer.Details = nil
	}
	if e.Kind == models.GateHeld {
		answer.Name = gateHeld
	}
	return answer
}

const internalMessage = "Something went wrong on our side. Try again, and name the request_id if it stays so."

// humaError gives huma's own errors, mostly of its validation, our shape.
func humaError(id string, status int, message string, errs []error) *Error {
	var details []models.FieldError
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			if e := fieldError(d); !slices.Contains(details, e) {
				details = append(details, e)
			}
		}
	}
	if len(details) > 0 {
		message = details[0].Field + " " + details[0].Message
	}
	if status >= 500 {
		message = internalMessage
	}
	return NewError(id, status, message, details...)
}

// wordings turn huma's terse findings into sentences that follow a field's name.
var wordings = []struct {
	finding *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`^unexpected property$`), "is not a field of this request"},
	{regexp.MustCompile(`^expected value to be one of "(.*)"$`), "must be one of $1"},
	{regexp.MustCompile(`^expected number <= (.*)$`), "must be at most $1"},
	{regexp.MustCompile(`^expected number >= (.*)$`), "must be at least $1"},
	{regexp.MustCompile(`^expected length <= (.*)$`), "must be at most $1 characters long"},
	{regexp.MustCompile(`^expected array length <= (.*)$`), "must have at most $1 items"},
	{regexp.MustCompile(`^expected string to (be RFC 3339 date-time|match pattern .*)$`), "must be an RFC 3339 timestamp such as 2026-11-21T09:30:00.000Z"},
	{regexp.MustCompile(`^expected value to match exactly one schema.*$`), "is not one of the forms or values allowed here"},
	{regexp.MustCompile(`^invalid (integer|boolean).*$`), "must be of type $1"},
	{regexp.MustCompile(`^expected (string|number|integer|boolean|array|object)$`), "must be of type $1"},
	{regexp.MustCompile(`^(json: |invalid character|unexpected end|.*must be).*$`), "is not valid JSON of the expected form ($0)"},
}

var missingProperty = regexp.MustCompile(`^expected required property (\S+) to be present$`)

func fieldError(d *huma.ErrorDetail) models.FieldError {
	field := d.Location
	for _, prefix := range []string{"body.", "query.", "path.", "header."} {
		field = strings.TrimPrefix(field, prefix)
	}
	if m := missingProperty.FindStringSubmatch(d.Message); m != nil {
		if field == "body" || field == "" {
			return models.FieldError{Field: m[1], Message: "is required"}
		}
		return models.FieldError{Field: field + "." + m[1], Message: "is required"}
	}
	if field == "" {
		field = "body"
	}
	for _, w := range wordings {
		if w.finding.MatchString(d.Message) {
			return models.FieldError{Field: field, Message: w.finding.ReplaceAllString(d.Message, w.words)}
		}
	}
	return models.FieldError{Field: field, Message: d.Message}
}
