package store

// Map is what f makes of each, in their order.
func Map[T, V any](all []T, f func(T) V) []V {
	made := make([]V, len(all))
	for i, one := range all {
		made[i] = f(one)
	}
	return made
}
