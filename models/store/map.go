package store

// Map returns the results of f for each item, in order.
func Map[T, V any](all []T, f func(T) V) []V {
	made := make([]V, len(all))
	for i, one := range all {
		made[i] = f(one)
	}
	return made
}
