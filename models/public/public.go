// Package public is the programme as everybody may read it: what the public pages, feeds, calendars and embeds show of
// an event. None of its types has a field for an e-mail address, a note or an answer. It stands on top of the
// programme.
package public

import "lectern/models"

// Programme is the handle of what everybody may read of one event.
type Programme struct{ p *models.Programme }

// Of returns the public side of a programme.
func Of(p *models.Programme) *Programme { return &Programme{p} }
