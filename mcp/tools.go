package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// tool is one row of the interface: its description for a model, and what it runs.
type tool struct {
	name, title, description string
	scopes                   []string // the scopes it needs; none for one that needs no key
	effect                   effect
	arguments                []argument
	run                      func(context.Context, *call, *arguments) (any, error)
	answers                  []any // one of each type; none for get_openapi, whose answers are another document's
}

// effect is what calling a tool does.
type effect int

const (
	reads   effect = iota
	makes          // creates something new each time
	changes        // sets something that exists to the given values
)

// needs describes the scopes of a tool.
func (t tool) needs() string {
	switch len(t.scopes) {
	case 0:
		return " Needs no key."
	case 1:
		return " Scope: " + t.scopes[0] + "."
	}
	return " Scopes: " + strings.Join(t.scopes, ", ") + "."
}

// definition returns the tool as clients see it.
func (t tool) definition() mcpgo.Tool {
	properties, required := map[string]any{}, []string{}
	for _, a := range t.arguments {
		properties[a.name] = a.schema
		if a.required {
			required = append(required, a.name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		panic(err) // a literal of our own
	}
	definition := mcpgo.NewToolWithRawSchema(t.name, t.description+t.needs(), raw)
	definition.RawOutputSchema = answerSchema(t.answers)
	definition.Annotations = mcpgo.ToolAnnotation{Title: t.title, ReadOnlyHint: new(t.effect == reads),
		OpenWorldHint: new(false)}
	if t.effect != reads { // the other hints mean nothing for a tool that reads
		definition.Annotations.DestructiveHint, definition.Annotations.IdempotentHint = new(t.effect == changes),
			new(t.effect == changes)
	}
	return definition
}

// handler returns a handler that runs a tool and puts its result, or its error, into one text block.
func (s *Server) handler(t tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		c := ctx.Value(callKey{}).(*call)
		text, failed := s.text(ctx, t, c, request.Params.Arguments)
		if failed == nil {
			return c.answered(text)
		}
		text, err := encode(failed)
		return mcpgo.NewToolResultError(text), err
	}
}

// text runs a tool and encodes its result.
func (s *Server) text(ctx context.Context, t tool, c *call, given any) (string, *toolError) {
	result, err := s.run(ctx, t, c, given)
	if err == nil {
		var text string
		if text, err = encode(result); err == nil {
			return text, nil
		}
	}
	var e *toolError
	if !errors.As(err, &e) {
		slog.Error("tool failed", "request_id", c.requestID, "tool", t.name, "error", err.Error())
		e = newError("InternalServerError", "Something went wrong on our side.", http.StatusInternalServerError,
			"Try again in a moment.")
	}
	return "", e
}

func (s *Server) run(ctx context.Context, t tool, c *call, given any) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic", "request_id", c.requestID, "tool", t.name, "panic", r, "stack", string(debug.Stack()))
			result, err = nil, errors.New("panic")
		}
	}()
	values, isObject := given.(map[string]any)
	if given != nil && !isObject {
		return nil, badArgument("arguments", "must be an object")
	}
	args := newArguments(values, t.arguments)
	if args.err != nil {
		return nil, args.err
	}
	if result, err = t.run(ctx, c, args); err != nil {
		return nil, c.withNames(ctx, args, err)
	}
	return result, nil
}
