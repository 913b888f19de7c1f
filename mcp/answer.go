package mcp

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	gojson "github.com/goccy/go-json"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// structuredSince is the first protocol version that has answers as JSON beside their text, and schemas of them.
const structuredSince = "2025-06-18"

// answerSchema returns the schema of a tool's answers, none for no types: the fields of all their types, of which one
// answer has those of one, each with its type unless it is text. It contains no more, because clients pass it to their
// models with every list of the tools.
func answerSchema(answers []any) json.RawMessage {
	properties := map[string]any{}
	for _, form := range answers {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(form)) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.Anonymous {
				properties[name] = fieldSchema(field.Type, options == "omitempty")
			}
		}
	}
	if len(properties) == 0 {
		return nil
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		panic(err) // types of our own
	}
	return raw
}

// fieldSchema returns the schema of a field; left says that the field is left out when empty.
func fieldSchema(t reflect.Type, left bool) map[string]any {
	mayBeNull := t.Kind() == reflect.Pointer && !left
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	kind := jsonType(t)
	switch {
	case kind == "string":
		return map[string]any{}
	case mayBeNull:
		return map[string]any{"type": []any{kind, "null"}}
	}
	return map[string]any{"type": kind}
}

// jsonType returns the JSON type of a Go type.
func jsonType(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.String:
		return "string"
	case t == reflect.TypeFor[tally](), t.Kind() == reflect.Struct:
		return "object"
	case t.Kind() == reflect.Slice:
		return "array"
	case t.Kind() == reflect.Bool:
		return "boolean"
	}
	return "integer"
}

// answered returns an answer as text, and also as JSON if the client supports that. A mark stands in for both until the
// library has encoded the rest, because it would encode them three times.
func (c *call) answered(text string) (*mcpgo.CallToolResult, error) {
	quoted, err := gojson.MarshalWithOption(text, gojson.DisableHTMLEscape())
	c.text, c.quoted = text, quoted
	result := mcpgo.NewToolResultText(c.server.mark)
	if c.version >= structuredSince {
		result.RawStructuredContent = json.RawMessage(`"` + c.server.mark + `"`)
	}
	return result, err
}

// fill replaces the mark in an answer by the text.
func (c *call) fill(answer *reply) {
	if c.text == "" {
		return
	}
	parts := bytes.Split(answer.body.Bytes(), []byte(`"`+c.server.mark+`"`))
	var body bytes.Buffer
	body.Grow(answer.body.Len() + len(c.text) + len(c.quoted))
	for i, part := range parts {
		switch {
		case i > 0 && bytes.HasSuffix(parts[i-1], []byte(`"structuredContent":`)):
			body.WriteString(c.text)
		case i > 0:
			body.Write(c.quoted)
		}
		body.Write(part)
	}
	c.text, answer.body = "", body
}
