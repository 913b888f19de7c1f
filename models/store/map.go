package store

// Map returns the results of f for each item, in order.
func Map[T, V any](all []T, f func(T) V) []V {
	made := make([]V, len(all))
	for i, one := range all {
		made[i] = f(one)
	}
	return made
}

// ByKey returns the items by the keys that f gives them; of several with one key, the last counts.
func ByKey[K comparable, V any](all []V, f func(V) K) map[K]V {
	found := make(map[K]V, len(all))
	for _, one := range all {
		found[f(one)] = one
	}
	return found
}
