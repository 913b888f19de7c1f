package api

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"lectern/models/store"
)

// humaError returns huma's own errors, mostly of its validation, in our form. They come in the order of a map, so they
// are sorted by field.
func humaError(id string, status int, message string, errs []error) *Error {
	var details []store.FieldError
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			details = append(details, fieldError(d))
		}
	}
	if finding, ofBody := strings.CutPrefix(message, "request body "); ofBody && len(errs) == 0 {
		details = []store.FieldError{{Field: "body", Message: finding}}
	}
	slices.SortStableFunc(details, func(a, b store.FieldError) int {
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

const (
	isMissing  = "is required: " // followed by the property's name
	noForm     = "is not one of the forms or values allowed here"
	noTime     = "must be an RFC 3339 timestamp such as 2026-11-21T09:30:00.000Z"
	mustBeType = "must be of type "
)

// wordFindings sets the texts of huma's validation to ones that follow a field's name.
func wordFindings() {
	validation.MsgExpectedRequiredProperty = isMissing + "%s"
	validation.MsgUnexpectedProperty = "is not a field of this request"
	validation.MsgExpectedOneOf = "must be one of %s"
	validation.MsgExpectedMaximumNumber = "must be at most %.10g"
	validation.MsgExpectedMinimumNumber = "must be at least %.10g"
	validation.MsgExpectedMaxLength = "must be at most %d characters long"
	validation.MsgExpectedMaxItems = "must have at most %d items"
	validation.MsgExpectedRFC3339DateTime = noTime
	validation.MsgExpectedMatchPattern = noTime + "%.0s" // only times have a pattern, whose text says little to a person
	validation.MsgExpectedMatchExactlyOneSchema = noForm
	validation.MsgExpectedString = mustBeType + huma.TypeString
	validation.MsgExpectedNumber = mustBeType + huma.TypeNumber
	validation.MsgExpectedInteger = mustBeType + huma.TypeInteger
	validation.MsgExpectedBoolean = mustBeType + huma.TypeBoolean
	validation.MsgExpectedArray = mustBeType + huma.TypeArray
	validation.MsgExpectedObject = mustBeType + huma.TypeObject
}

// fixed are the texts for findings that huma has no variable for.
var fixed = map[string]string{
	"expected value to match exactly one schema but matched multiple": noForm,
	"invalid integer": mustBeType + huma.TypeInteger,
	"invalid boolean": mustBeType + huma.TypeBoolean,
}

func fieldError(d *huma.ErrorDetail) store.FieldError {
	field := d.Location
	for _, prefix := range []string{"body.", "query.", "path.", "header."} {
		if rest, found := strings.CutPrefix(field, prefix); found {
			field = rest
			break
		}
	}
	if name, missing := strings.CutPrefix(d.Message, isMissing); missing {
		if field != "body" && field != "" {
			name = field + "." + name
		}
		return store.FieldError{Field: name, Message: "is required"}
	}
	return store.FieldError{Field: cmp.Or(field, "body"), Message: cmp.Or(fixed[d.Message], d.Message)}
}
