package api_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// generator makes random JSON after the schemas of a document.
type generator struct {
	*rand.Rand
	schemas object
	ids     []string // of rows that exist, here and in the other event
}

var strangeTexts = []string{"", " ", "a", "Queue", "日本語", "😀", "שלום", "%", "_", `\`, `"`, "'", "<b>x</b>", "<script>",
	"a\nb", "\u202e", "null", "S-1", "-0"}

var badTexts = []string{"\x00", "a\x00b", strings.Repeat("x", 60_000)}

func (g *generator) pick(texts []string) string { return texts[g.IntN(len(texts))] }

func (g *generator) text() string {
	switch g.IntN(8) {
	case 0:
		return g.pick(g.ids)
	case 1:
		return strings.Repeat(g.pick(strangeTexts), g.IntN(30))
	case 2:
		return g.pick(badTexts)
	}
	return g.pick(strangeTexts)
}

func (g *generator) time() string {
	return g.pick([]string{"2026-11-21T09:30:00Z", "2026-11-21T09:30:00.001Z", "2030-01-01T00:00:00+14:00",
		"0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00+01:00"})
}

// resolve follows a reference and takes one of several forms.
func (g *generator) resolve(schema object) object {
	for {
		if ref, ok := schema["$ref"].(string); ok {
			schema = g.schemas[ref[strings.LastIndex(ref, "/")+1:]].(object)
		} else if forms, ok := schema["oneOf"].([]any); ok {
			schema = forms[g.IntN(len(forms))].(object)
		} else {
			return schema
		}
	}
}

// value is what the schema's words allow; rules between fields are not its affair.
func (g *generator) value(schema object) any {
	schema = g.resolve(schema)
	if enum, ok := schema["enum"].([]any); ok {
		return enum[g.IntN(len(enum))]
	}
	kind, _ := schema["type"].(string)
	if kinds, ok := schema["type"].([]any); ok {
		kind = kinds[g.IntN(len(kinds))].(string)
	}
	switch kind {
	case "string":
		if schema["format"] == "date-time" {
			return g.time()
		}
		if limit, ok := schema["maxLength"].(float64); ok {
			runes := []rune(g.text())
			return string(runes[:min(len(runes), int(limit))])
		}
		return g.text()
	case "integer", "number":
		low, high := 0.0, 1000.0
		if n, ok := schema["minimum"].(float64); ok {
			low = n
		}
		if n, ok := schema["maximum"].(float64); ok {
			high = n
		}
		return low + float64(g.IntN(int(high-low)+1))
	case "boolean":
		return g.IntN(2) == 0
	case "null":
		return nil
	case "array":
		out := []any{}
		for range g.IntN(4) {
			out = append(out, g.value(schema["items"].(object)))
		}
		return out
	case "object":
		return g.object(schema)
	}
	return g.anything(2)
}

func (g *generator) object(schema object) any {
	out := object{}
	properties, _ := schema["properties"].(object)
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) || g.IntN(len(properties)) < 4 {
			out[name] = g.value(properties[name].(object))
		}
	}
	if more, ok := schema["additionalProperties"].(object); ok {
		for range g.IntN(3) {
			out[g.text()] = g.value(more)
		}
	}
	return out
}

// anything is any JSON at all.
func (g *generator) anything(depth int) any {
	switch n := g.IntN(8); {
	case n == 0:
		return nil
	case n == 1:
		return g.IntN(2) == 0
	case n == 2:
		return []any{0, -1, 1.5, 1e30, 1 << 40, json.Number("1e400"), json.Number("-0.0")}[g.IntN(7)]
	case n == 3 && depth > 0:
		return []any{g.anything(depth - 1), g.anything(depth - 1)}
	case n == 4 && depth > 0:
		return object{g.text(): g.anything(depth - 1), "title": g.anything(depth - 1)}
	}
	return g.text()
}

// spoil breaks a value in one place.
func (g *generator) spoil(v any) any {
	switch v := v.(type) {
	case object:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 || g.IntN(4) == 0 {
			v[g.text()+"x"] = g.anything(1)
			return v
		}
		name := names[g.IntN(len(names))]
		switch g.IntN(5) {
		case 0:
			delete(v, name)
		case 1:
			v[strings.ToUpper(name)] = v[name]
		default:
			v[name] = g.spoil(v[name])
		}
		return v
	case []any:
		if len(v) > 0 && g.IntN(2) == 0 {
			i := g.IntN(len(v))
			v[i] = g.spoil(v[i])
			return v
		}
	}
	return g.anything(2)
}
