//go:build race

package modelstest

// watched tells of the race detector.
const watched = true
