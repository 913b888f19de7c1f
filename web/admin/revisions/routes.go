// Package revisions serves the pages where staff accept or refuse what speakers changed of approved content.
package revisions

import "lectern/web/admin/visit"

const (
	theRevisions = visit.Event + "/revisions"
	aRevision    = theRevisions + "/:revision"
)

// Routes are the addresses of revisions.
var Routes = []visit.Address{
	visit.At(theRevisions, visit.Organizer, visit.Tidy(listRevisions), decideSome),
	visit.At(aRevision, visit.Organizer, visit.Found(theRevision, showRevision), visit.Found(theRevision, decideOne)),
	visit.At(aRevision+"/photo", visit.Organizer, sendPhoto, nil),
}
