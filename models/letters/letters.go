// Package letters is what staff do with letters once the programme has drafted them: they find them, join the two of
// one person, write mailings, and have them sent, held or tried again. It stands on top of the programme, which drafts
// the letters of decisions and claims those that leave.
package letters

import "lectern/models"

// Letters is the handle on which all hangs that staff do with the letters of one event.
type Letters struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Letters { return &Letters{p} }

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{"mailings": Mailing{}}
