// Package decisions serves the pages where queued decisions are reviewed, committed and undone.
package decisions

import "lectern/web/admin/visit"

const (
	all     = visit.Event + "/decisions"
	aCommit = all + "/:commit"
)

// Routes are the addresses of decisions.
var Routes = []visit.Address{
	visit.At(all, visit.Organizer, listDecisions, openCommit),
	visit.At(aCommit, visit.Organizer, showCommit, startCommit),
	visit.At(aCommit+"/choose", visit.Organizer, nil, chooseCommit),
	visit.At(aCommit+"/undo", visit.Organizer, askUndoCommit, undoCommit),
}
