// Package lists serves the list of submissions, that of sessions and the Trash: their filters, columns and saved views,
// and changes of many rows at once. The address of a record carries the list that the user came from, so that "next"
// follows it.
package lists

import "lectern/web/admin/visit"

const (
	eventSessions = visit.Event + "/sessions"
	eventAbstract = visit.Event + "/submissions"
	eventTrash    = visit.Event + "/trash"
	eventBatch    = visit.Event + "/batches/:batch"
)

// Routes are the addresses of the lists, and of changes of many rows.
var Routes = []visit.Address{
	visit.At(eventAbstract, visit.Viewer, visit.Tidy(visit.With("submissions", listSessions)), nil),
	visit.At(eventAbstract+".csv", visit.Viewer, visit.With("submissions", export), nil),
	visit.At(eventAbstract+"/columns", visit.Viewer, nil, visit.With("submissions", keepColumns)),
	visit.At(eventAbstract+"/views", visit.Viewer, nil, visit.With("submissions", saveView)),
	visit.At(eventAbstract+"/views/:view/delete", visit.Viewer, nil, visit.With("submissions", deleteView)),
	visit.At(eventAbstract+"/bulk", visit.Organizer, nil, visit.With("submissions", bulk)),
	visit.At(eventAbstract+"/write", visit.Organizer, nil, visit.With("submissions", writeToSpeakers)),
	visit.At(eventSessions, visit.Viewer, visit.Tidy(visit.With("sessions", listSessions)), nil),
	visit.At(eventSessions+".csv", visit.Viewer, visit.With("sessions", export), nil),
	visit.At(eventSessions+"/columns", visit.Viewer, nil, visit.With("sessions", keepColumns)),
	visit.At(eventSessions+"/views", visit.Viewer, nil, visit.With("sessions", saveView)),
	visit.At(eventSessions+"/views/:view/delete", visit.Viewer, nil, visit.With("sessions", deleteView)),
	visit.At(eventSessions+"/bulk", visit.Organizer, nil, visit.With("sessions", bulk)),
	visit.At(eventSessions+"/write", visit.Organizer, nil, visit.With("sessions", writeToSpeakers)),
	visit.At(eventTrash, visit.Organizer, visit.Tidy(visit.With("trash", listSessions)), nil),
	visit.At(eventTrash+"/columns", visit.Organizer, nil, visit.With("trash", keepColumns)),
	visit.At(eventTrash+"/bulk", visit.Organizer, nil, visit.With("trash", bulk)),
	visit.At(eventTrash+"/restore", visit.Organizer, nil, restoreOne),
	visit.At(eventBatch, visit.Organizer, batchPage, nil),
	visit.At(eventBatch+"/retry", visit.Organizer, nil, retryBatch),
	visit.At(eventBatch+"/undo", visit.Organizer, nil, undoBatch),
}
