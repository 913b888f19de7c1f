// Package people is what staff do with people on top of the directory: they come in from files.
package people

import (
	"lectern/models"
	"lectern/models/store"
)

// AtEvent is the handle on which all hangs that is done with the people of one event.
type AtEvent struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *AtEvent { return &AtEvent{p} }

var (
	errTaken   = store.Invalidf("email", "belongs to another contact")
	errMovedOn = store.Outdated("Others are changing these people at the moment. Try again.")
)

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{"contact_imports": ContactImport{}}
