// Package agenda is how staff place sessions: a day with its grid, the next free start, and suggestions of places. It
// stands on top of the programme, which knows what collides.
package agenda

import "lectern/models"

// Agenda is the handle on which all hangs that staff do with the agenda of one event.
type Agenda struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Agenda { return &Agenda{p} }
