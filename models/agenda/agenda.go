// Package agenda is how staff place sessions and tell of it: a day with its grid, the next free start, suggestions of
// places, breaks, and versions with what changed between them. It stands on top of the programme, which knows what
// collides.
package agenda

import "lectern/models"

// Agenda is the handle on which all hangs that staff do with the agenda of one event.
type Agenda struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Agenda { return &Agenda{p} }

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{"agenda_versions": Version{}, "agenda_version_sessions": versionSession{},
	"agenda_version_people": versionPerson{}}
