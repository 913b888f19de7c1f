package store

import (
	"bytes"
	"encoding/json"
)

// Optional is a nullable field of a partial change: left alone (Set false),
// cleared (Set with Value nil) or given a value.
type Optional[T any] struct {
	Set   bool
	Value *T
}

// Some returns an Optional that sets v.
func Some[T any](v T) Optional[T] { return Optional[T]{Set: true, Value: &v} }

// Null returns an Optional that clears the field.
func Null[T any]() Optional[T] { return Optional[T]{Set: true} }

// UnmarshalJSON sets the field, to nil for null; encoding/json calls it only when the field is present.
func (o *Optional[T]) UnmarshalJSON(b []byte) error {
	o.Set, o.Value = true, nil
	if bytes.Equal(bytes.TrimSpace(b), []byte("null")) {
		return nil
	}
	o.Value = new(T)
	return json.Unmarshal(b, o.Value)
}

// MarshalJSON writes the value or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.Value) }

// Or returns the new value of a field that now holds old.
func (o Optional[T]) Or(old *T) *T {
	if o.Set {
		return o.Value
	}
	return old
}

// Put sets a field to the value that a partial change has for it; nil leaves it alone.
func Put[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}
