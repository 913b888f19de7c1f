// Package people is what is done with people on top of the directory: they are found, changed and counted, come to an
// event and leave it, come in from files, stand on boards and in segments; two of them become one; one is given all
// that is kept of them, or erased.
package people

import (
	"lectern/models"
)

// AtEvent is the handle on which all hangs that is done with the people of one event.
type AtEvent struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *AtEvent { return &AtEvent{p} }

// Directory is a directory with what is done there of its people as a whole, and of two of them.
type Directory struct{ *models.Directory }

// In is the handle of a directory.
func In(d *models.Directory) *Directory { return &Directory{d} }

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"contact_imports": ContactImport{}, "dismissed_pairs": DismissedPair{}, "segments": Segment{},
	"sourcing_stages": Stage{}, "sourcing_cards": Card{}, "sourcing_moves": CardMove{},
}
