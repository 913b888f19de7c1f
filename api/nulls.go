package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models/store"
)

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
