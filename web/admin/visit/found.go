package visit

import (
	"slices"

	"lectern/models/store"
)

// With is a handler for one of several kinds of pages.
func With[T any](kind T, handle func(*Visit, T) error) Handler {
	return func(v *Visit) error { return handle(v, kind) }
}

// Found is a handler of what its address names, which is looked for first.
func Found[T any](find func(*Visit) (T, error), handle func(*Visit, T) error) Handler {
	return func(v *Visit) error {
		it, err := find(v)
		if err != nil {
			return err
		}
		return handle(v, it)
	}
}

// OneOf is the row of a list that has an id. It answers NotFound in the words of missing.
func OneOf[T any](list []T, err error, id string, idOf func(T) string, missing string) (it T, _ error) {
	if err != nil {
		return it, err
	}
	if at := slices.IndexFunc(list, func(it T) bool { return idOf(it) == id }); at >= 0 {
		return list[at], nil
	}
	return it, &store.Error{Kind: store.NotFound, Message: missing}
}
