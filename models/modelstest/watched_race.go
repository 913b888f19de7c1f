//go:build race

package modelstest

// watched tells whether the race detector is on.
const watched = true
