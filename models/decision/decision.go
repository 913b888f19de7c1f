// Package decision lets staff commit the decisions that they have queued: they open a commit, look at its effects,
// leave out some abstracts and start it. It stands on top of the programme, whose batches decide each abstract.
package decision

import "lectern/models"

// Decisions is the handle of the operations on commits of one event's decisions.
type Decisions struct{ p *models.Programme }

// Of returns the handle of a programme's commits.
func Of(p *models.Programme) *Decisions { return &Decisions{p} }
