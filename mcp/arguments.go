package mcp

import (
	"cmp"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// argument is one input of a tool, with its JSON schema.
type argument struct {
	name     string
	required bool
	schema   map[string]any
}

var statuses = []string{"draft", "pending", "accept_queue", "accepted", "decline_queue", "declined", "withdrawn"}

func text(name, description string) argument {
	return argument{name: name, schema: map[string]any{"type": "string", "description": description}}
}

func oneOf(name string, values []string, description string) argument {
	return argument{name: name, schema: map[string]any{"type": "string", "enum": values, "description": description}}
}

func flag(name, description string) argument {
	return argument{name: name, schema: map[string]any{"type": "boolean", "description": description}}
}

func number(name string, most int, description string) argument {
	return argument{name: name, schema: map[string]any{"type": "integer", "minimum": 1, "maximum": most,
		"description": description}}
}

// offsetArgument is the position in a long text to continue from.
var offsetArgument = argument{name: "offset", schema: map[string]any{"type": "integer", "minimum": 0,
	"maximum": maxOffset, "description": "Where a cut text goes on"}}

func (a argument) needed() argument {
	a.required = true
	return a
}

var eventArgument = text("event_id", "Default the key's event")

// arguments reads the inputs of a call and keeps the first fault.
type arguments struct {
	values map[string]any
	err    error
}

func newArguments(values map[string]any, known []argument) *arguments {
	a := &arguments{values: values}
	var names []string
	for _, k := range known {
		names = append(names, k.name)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			allowed := cmp.Or(strings.Join(names, ", "), "none")
			a.fail(newError("ValidationError", name+" is not an argument of this tool; it takes: "+allowed+".",
				http.StatusBadRequest, "Leave out "+name+" and call again."))
		}
	}
	return a
}

func (a *arguments) fail(err error) {
	if a.err == nil {
		a.err = err
	}
}

// text returns a string, "" if it is not given.
func (a *arguments) text(name string) string {
	switch v := a.values[name].(type) {
	case nil:
	case string:
		return strings.TrimSpace(v)
	default:
		a.fail(badArgument(name, "must be a string"))
	}
	return ""
}

// needed returns a string that must be given.
func (a *arguments) needed(name string, read func(string) string) string {
	v := read(name)
	if v == "" {
		a.fail(badArgument(name, "is required"))
	}
	return v
}

// oneOf returns one of some values, "" if it is not given.
func (a *arguments) oneOf(name string, values []string) string {
	v := a.text(name)
	if v != "" && !slices.Contains(values, v) {
		a.fail(badArgument(name, "must be one of %s", strings.Join(values, ", ")))
	}
	return v
}

// flag returns true or false, nil if it is not given.
func (a *arguments) flag(name string) *bool {
	switch v := a.values[name].(type) {
	case nil:
	case bool:
		return &v
	default:
		a.fail(badArgument(name, "must be true or false"))
	}
	return nil
}

// id returns a string that is safe in a path.
func (a *arguments) id(name string) string {
	v := a.text(name)
	if v != "" && !idForm.MatchString(v) {
		err := badArgument(name, "must be an id as the tools return it, not %q", bound(v, 40, "too long")).(*toolError)
		err.Hint += idHints[name]
		a.fail(err)
	}
	return v
}

// number returns a whole number from 1 to most.
func (a *arguments) number(name string, fallback, most int) int {
	switch v := a.values[name].(type) {
	case nil:
		return fallback
	case float64:
		if v == math.Trunc(v) && v >= 1 && v <= float64(most) {
			return int(v)
		}
	}
	a.fail(badArgument(name, "must be a whole number from 1 to %d", most))
	return fallback
}

// offset returns the position to continue long texts from, 0 for their beginning.
func (a *arguments) offset() int {
	if a.values["offset"] == 0.0 {
		return 0
	}
	return a.number("offset", 0, maxOffset)
}

// statuses returns one or more statuses; a single one may be a plain string.
func (a *arguments) statuses(name string) []string {
	var given []any
	switch v := a.values[name].(type) {
	case nil:
		return nil
	case string:
		given = []any{v}
	case []any:
		given = v
	default:
		given = []any{nil}
	}
	var out []string
	for _, v := range given {
		s, _ := v.(string)
		if !slices.Contains(statuses, s) {
			a.fail(badArgument(name, "must be one or more of %s", strings.Join(statuses, ", ")))
			return nil
		}
		out = append(out, s)
	}
	return out
}

// day returns a date as YYYY-MM-DD.
func (a *arguments) day(name string) string {
	v := a.text(name)
	if _, err := time.Parse(time.DateOnly, v); v != "" && err != nil {
		a.fail(badArgument(name, "must be a date such as 2027-05-15"))
	}
	return v
}

// answers returns an object whose values are strings.
func (a *arguments) answers(name string) map[string]string {
	v, isObject := a.values[name].(map[string]any)
	if a.values[name] == nil {
		return nil
	}
	out := map[string]string{}
	for key, value := range v {
		s, isString := value.(string)
		isObject = isObject && isString
		out[key] = s
	}
	if !isObject {
		a.fail(badArgument(name, `must be an object of strings, such as {"length": "30 minutes"}`))
	}
	return out
}
