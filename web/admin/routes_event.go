package admin

import (
	"lectern/web/admin/visit"
)

const (
	decisions   = visit.Event + "/decisions"
	aCommit     = decisions + "/:commit"
	eventTriage = visit.Event + "/triage"
)

// eventRoutes are the addresses of what an event has beside its rooms.
var eventRoutes = []visit.Address{
	visit.At(visit.Event+"/reviews", visit.RoundReviewer, listReviews, nil),
	visit.At("/admin/find", visit.SignedIn, findAnywhere, nil),
	visit.At(visit.Event, visit.AnyRole, dashboard, nil),
	visit.At(visit.Event+"/find", visit.AnyRole, find, nil),
	visit.At(visit.Event+"/activity", visit.Viewer, visit.Tidy(listActivity), nil),
	visit.At(eventTriage, visit.Organizer, visit.Tidy(showTriage), nil),
	visit.At(eventTriage+"/undo", visit.Organizer, nil, undoInTriage),
	visit.At(eventTriage+"/:id", visit.Organizer, visit.Tidy(showTriage), moveInTriage),
	visit.At(visit.Event+"/compose", visit.Organizer, composePage, compose),
	visit.At(decisions, visit.Organizer, listDecisions, openCommit),
	visit.At(aCommit, visit.Organizer, showCommit, startCommit),
	visit.At(aCommit+"/choose", visit.Organizer, nil, chooseCommit),
	visit.At(aCommit+"/undo", visit.Organizer, askUndoCommit, undoCommit),
}
