// Package views holds the pages' markup: components, layouts and pages, as functions of values.
package views

//go:generate go tool templ generate
