// Package views holds what pages look like: components, layouts and pages, as functions of values.
package views

//go:generate go tool templ generate
