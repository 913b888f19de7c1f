package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models/store"
)

// unmarshal reads JSON with the standard library, which is strict. Whole numbers may be written 21.0. Its errors name the
// field, but no Go types.
func unmarshal(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	misfit, isMisfit := errors.AsType[*json.UnmarshalTypeError](err)
	if isMisfit && strings.HasPrefix(misfit.Value, "number ") {
		err = json.Unmarshal(wholeNumbers(b), v)
		misfit, isMisfit = errors.AsType[*json.UnmarshalTypeError](err)
	}
	if err == nil {
		return nil
	}
	why := strings.TrimPrefix(err.Error(), "json: ")
	if isMisfit {
		where := cmp.Or(misfit.Field, "what stands here")
		why = where + " must not be of type " + strings.Replace(misfit.Value, "bool", "boolean", 1)
		if strings.HasPrefix(misfit.Value, "number ") { // the digits follow
			why = where + " must be a smaller number"
		}
	}
	return fmt.Errorf("is not valid JSON of the expected form (%s)", why)
}

// stringOrNumber finds the strings and the numbers of JSON.
var stringOrNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*`)

// wholeNumbers returns b with whole numbers that have a fraction or an exponent, as in 21.0, written without it, the
// only form that encoding/json reads into an integer.
func wholeNumbers(b []byte) []byte {
	return stringOrNumber.ReplaceAllFunc(b, func(token []byte) []byte {
		if whole, found := wholeNumber(token); found {
			return whole
		}
		return token
	})
}

// wholeNumber writes a number without its fraction and exponent, if it has one and is whole; beyond 2⁵³ the result
// might be another number.
func wholeNumber(number []byte) (whole []byte, found bool) {
	if number[0] == '"' || !bytes.ContainsAny(number, ".eE") || !json.Valid(number) {
		return nil, false
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return nil, false
	}
	return strconv.AppendInt(nil, int64(f), 10), true
}

// nulls finds the fields of v, and of the objects in its lists, that are null although their schema does not allow it.
// huma treats such a null as a field left out, so a client that means to clear a field would not learn that it cannot.
func (a *API) nulls(schema *huma.Schema, v any) []store.FieldError {
	if schema.Ref != "" {
		schema = a.registry.SchemaFromRef(schema.Ref)
	}
	fields, _ := v.(map[string]any)
	var found []store.FieldError
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		value, given := fields[name]
		field := schema.Properties[name]
		if given && value == nil && !field.Nullable && (field.Type != "" || field.OneOf != nil) {
			found = append(found, store.FieldError{Field: name, Message: "must not be null"})
		}
		items, _ := value.([]any)
		if field.Items == nil || field.Items.Ref == "" || field.Items.Ref == inBulk {
			continue
		}
		for i, item := range items {
			for _, inner := range a.nulls(field.Items, item) {
				inner.Field = fmt.Sprintf("%s[%d].%s", name, i, inner.Field)
				found = append(found, inner)
			}
		}
	}
	return found
}

// inBulk is the schema of the operations of a bulk request, each of which is checked on its own.
const inBulk = schemas + "BulkOperation"

// checkNulls refuses a body with nulls that its schema does not allow.
func (a *API) checkNulls(op *huma.Operation, body []byte) *Error {
	if op.RequestBody == nil || !bytes.Contains(body, []byte("null")) {
		return nil
	}
	var parsed any
	if json.Unmarshal(body, &parsed) != nil {
		return nil // huma reports what is wrong with it
	}
	found := a.nulls(op.RequestBody.Content["application/json"].Schema, parsed)
	if len(found) == 0 {
		return nil
	}
	return NewError("", http.StatusBadRequest, found[0].Field+" "+found[0].Message, found...)
}

// searchBodies are the types in which a null means the same as a field left out.
var searchBodies = []reflect.Type{
	reflect.TypeFor[SessionSearch](), reflect.TypeFor[SessionFilters](), reflect.TypeFor[SessionSort](),
	reflect.TypeFor[TimeRange](), reflect.TypeFor[TextSearch](), reflect.TypeFor[TextFilters](),
	reflect.TypeFor[SessionCount](), reflect.TypeFor[ContactSearch](), reflect.TypeFor[ContactFilters](),
}

// tellSearchNulls documents that searches accept a null for any field.
func (a *API) tellSearchNulls() {
	for _, t := range searchBodies {
		for _, field := range a.registry.SchemaFromRef(a.registry.Schema(t, true, "").Ref).Properties {
			for field.Ref != "" {
				field = a.registry.SchemaFromRef(field.Ref)
			}
			switch {
			case field.OneOf != nil: // the type alone would make huma accept any value as null
				field.OneOf = append(field.OneOf, &huma.Schema{Type: "null", Enum: []any{nil}})
			case field.Type != "":
				field.Nullable = true
			}
			if field.Enum != nil {
				field.Enum = append(field.Enum, nil)
			}
		}
	}
}
