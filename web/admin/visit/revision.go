package visit

import (
	"context"

	"lectern/models/revisions"
	"lectern/views/records"
)

// RevisionWaits returns the link to the waiting revision of a record, empty where none waits or the event does not ask
// for approved content.
func (v *Visit) RevisionWaits(of func(*revisions.Desk, context.Context, string) (*revisions.Waiting, error), id string) (
	l records.Waiting, err error) {
	if !v.Event.AsksApproval {
		return l, nil
	}
	w, err := of(revisions.Of(v.Programme), v.UserContext(), id)
	if w != nil {
		l = records.Waiting{URL: v.At("/revisions/" + w.ID), Author: w.Author}
	}
	return l, err
}
