package visit

import (
	"slices"

	"lectern/models/store"
)

// With binds a handler that serves several kinds of pages to one kind.
func With[T any](kind T, handle func(*Visit, T) error) Handler {
	return func(v *Visit) error { return handle(v, kind) }
}

// Found returns a handler that first looks up what the address names and fails where that fails.
func Found[T any](find func(*Visit) (T, error), handle func(*Visit, T) error) Handler {
	return func(v *Visit) error {
		it, err := find(v)
		if err != nil {
			return err
		}
		return handle(v, it)
	}
}

// OneOf returns the row of a list that has this id, passing on err. It answers NotFound with the message missing.
func OneOf[T any](list []T, err error, id string, idOf func(T) string, missing string) (it T, _ error) {
	if err != nil {
		return it, err
	}
	if at := slices.IndexFunc(list, func(it T) bool { return idOf(it) == id }); at >= 0 {
		return list[at], nil
	}
	return it, &store.Error{Kind: store.NotFound, Message: missing}
}
