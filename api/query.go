package api

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"lectern/models/store"
)

// checkQuery refuses query parameters that an operation does not have, as unknown fields of bodies are refused. It
// joins the values of a repeated list parameter: clients send lists either way, and huma reads only the first value.
func checkQuery(op *huma.Operation, c *fiber.Ctx) *Error {
	query := c.Context().QueryArgs()
	if query.Len() == 0 {
		return nil
	}
	var known []string
	for _, p := range op.Parameters {
		if p.In != "query" {
			continue
		}
		known = append(known, p.Name)
		if values := query.PeekMulti(p.Name); p.Schema.Type == huma.TypeArray && len(values) > 1 {
			given := slices.DeleteFunc(values, func(value []byte) bool { return len(value) == 0 })
			query.SetBytesV(p.Name, bytes.Join(given, []byte(",")))
		}
	}
	var unknown []store.FieldError
	for key := range query.All() {
		if name := string(key); name != "" && !slices.Contains(known, name) {
			unknown = append(unknown, store.FieldError{Field: name, Message: notKnown(known)})
		}
	}
	if unknown == nil {
		return nil
	}
	return NewError("", http.StatusBadRequest, clip(unknown[0].Field)+" "+unknown[0].Message, unknown...)
}

// notKnown returns the fault of a parameter that is not among the known ones.
func notKnown(known []string) string {
	if len(known) == 0 {
		return "is not a parameter of this request, which takes none"
	}
	return "is not a parameter of this request, which takes " + strings.Join(known, ", ")
}

// checkPrecondition refuses an If-Match, which no write checks: a client must not believe that it held.
func checkPrecondition(c *fiber.Ctx) *Error {
	if c.Get(fiber.HeaderIfMatch) == "" {
		return nil
	}
	const message = "is not looked at here. Send the updated_at that you read in the body of the change instead"
	return NewError("", http.StatusBadRequest, fiber.HeaderIfMatch+" "+message,
		store.FieldError{Field: fiber.HeaderIfMatch, Message: message})
}
