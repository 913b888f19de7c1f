package api

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
)

// humaError gives huma's own errors, mostly of its validation, our shape. They
// come in the order of a map, so the fields are put into their own.
func humaError(id string, status int, message string, errs []error) *Error {
	var details []models.FieldError
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			details = append(details, fieldError(d))
		}
	}
	slices.SortStableFunc(details, func(a, b models.FieldError) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Message, b.Message))
	})
	details = slices.Compact(details)
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
	{regexp.MustCompile(`^(invalid character|unexpected end|exceeded max depth|.*must (not )?be).*$`), "is not valid JSON of the expected form ($0)"},
}

var missingProperty = regexp.MustCompile(`^expected required property (\S+) to be present$`)

func fieldError(d *huma.ErrorDetail) models.FieldError {
	field := d.Location
	for _, prefix := range []string{"body.", "query.", "path.", "header."} {
		if rest, found := strings.CutPrefix(field, prefix); found {
			field = rest
			break
		}
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
