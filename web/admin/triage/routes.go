// Package triage serves the pages where organizers sort submissions one after the other.
package triage

import "lectern/web/admin/visit"

const eventTriage = visit.Event + "/triage"

// Routes are the addresses of triage.
var Routes = []visit.Address{
	visit.At(eventTriage, visit.Organizer, visit.Tidy(showTriage), nil),
	visit.At(eventTriage+"/undo", visit.Organizer, nil, undoInTriage),
	visit.At(eventTriage+"/:id", visit.Organizer, visit.Tidy(showTriage), moveInTriage),
}
