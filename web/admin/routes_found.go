package admin

import (
	"slices"

	"lectern/models/store"
)

// with is a handler for one of several kinds of pages.
func with[T any](kind T, handle func(*visit, T) error) handler {
	return func(v *visit) error { return handle(v, kind) }
}

// found is a handler of what its address names, which is looked for first.
func found[T any](find func(*visit) (T, error), handle func(*visit, T) error) handler {
	return func(v *visit) error {
		it, err := find(v)
		if err != nil {
			return err
		}
		return handle(v, it)
	}
}

// oneOf is the row of a list that has an id. It answers NotFound in the words of missing.
func oneOf[T any](list []T, err error, id string, idOf func(T) string, missing string) (it T, _ error) {
	if err != nil {
		return it, err
	}
	if at := slices.IndexFunc(list, func(it T) bool { return idOf(it) == id }); at >= 0 {
		return list[at], nil
	}
	return it, &store.Error{Kind: store.NotFound, Message: missing}
}
