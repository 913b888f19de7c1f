// Package letters is what staff do with letters once the programme has drafted them: they find them, join those of one
// person, write mailings, and have them sent, held or tried again. It stands on top of the programme, which drafts the
// letters of decisions and claims those to send.
package letters

import "lectern/models"

// Letters is the handle for staff of one event's letters.
type Letters struct{ p *models.Programme }

// Of returns the letters of a programme.
func Of(p *models.Programme) *Letters { return &Letters{p} }

// Rows are the structs of this package's tables, by table.
var Rows = map[string]any{"mailings": Mailing{}}
