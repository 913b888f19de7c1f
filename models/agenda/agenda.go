// Package agenda is how staff place sessions and publish where they are: a day with its grid, the next free start,
// suggestions of places, breaks, and versions with the changes between them. It stands on top of the programme, which
// knows what collides.
package agenda

import "lectern/models"

// Agenda is the handle of one event's agenda.
type Agenda struct{ p *models.Programme }

// Of returns the agenda of a programme.
func Of(p *models.Programme) *Agenda { return &Agenda{p} }

// Rows are the structs of this package's tables, by table.
var Rows = map[string]any{"agenda_versions": Version{}, "agenda_version_sessions": versionSession{},
	"agenda_version_people": versionPerson{}}
