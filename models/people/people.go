// Package people has the operations on people on top of the directory: finding, changing and counting them, adding them
// to an event and removing them, imports, sourcing boards and segments, merging, the export of personal data, and
// erasing.
package people

import (
	"lectern/models"
)

// AtEvent is the handle of the operations on the people of one event.
type AtEvent struct{ p *models.Programme }

// Of returns the handle of a programme's people.
func Of(p *models.Programme) *AtEvent { return &AtEvent{p} }

// Directory is a models.Directory with the operations on its people.
type Directory struct{ *models.Directory }

// In returns the handle of a directory.
func In(d *models.Directory) *Directory { return &Directory{d} }

// Rows maps each table to the struct by which gorm reads and writes it.
var Rows = map[string]any{
	"contact_imports": ContactImport{}, "dismissed_pairs": DismissedPair{}, "segments": Segment{},
	"sourcing_stages": Stage{}, "sourcing_cards": Card{}, "sourcing_moves": CardMove{},
}
