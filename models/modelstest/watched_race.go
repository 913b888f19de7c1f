//go:build race

package modelstest

// watched reports whether the race detector is on.
const watched = true
