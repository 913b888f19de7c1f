// Package decision is how staff commit what they have queued: they open a commit, look at what it would do, leave some
// out and start it. It stands on top of the programme, which decides each abstract in a batch.
package decision

import "lectern/models"

// Decisions is the handle on which all hangs that is done with commits of decisions of one event.
type Decisions struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Decisions { return &Decisions{p} }
