package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
)

// nulls finds the fields of v that are null although their schema says they
// cannot be. huma takes such a null for a field left out, so a client that means
// to clear a field would not learn that it cannot.
func (a *API) nulls(schema *huma.Schema, v any) []models.FieldError {
	if schema.Ref != "" {
		schema = a.registry.SchemaFromRef(schema.Ref)
	}
	fields, _ := v.(map[string]any)
	var found []models.FieldError
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field := schema.Properties[name]
		if fields[name] == nil && field != nil && !field.Nullable && (field.Type != "" || field.OneOf != nil) {
			found = append(found, models.FieldError{Field: name, Message: "must not be null"})
		}
	}
	return found
}

// checkNulls refuses a body with such nulls.
func (a *API) checkNulls(op *huma.Operation, body []byte) *Error {
	if op.RequestBody == nil || !bytes.Contains(body, []byte("null")) {
		return nil
	}
	var parsed any
	if json.Unmarshal(body, &parsed) != nil {
		return nil // huma says what is wrong with it
	}
	found := a.nulls(op.RequestBody.Content["application/json"].Schema, parsed)
	if len(found) == 0 {
		return nil
	}
	return NewError("", http.StatusBadRequest, found[0].Field+" "+found[0].Message, found...)
}
