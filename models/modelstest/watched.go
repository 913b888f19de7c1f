//go:build !race

package modelstest

const watched = false
