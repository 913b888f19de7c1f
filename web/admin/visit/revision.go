package visit

import (
	"context"

	"lectern/models/revision"
	"lectern/views/records"
)

// RevisionWaits leads to the revision that waits of a record, where the event asks for approved content.
func (v *Visit) RevisionWaits(of func(*revision.Desk, context.Context, string) (*revision.Waiting, error), id string) (
	l records.Waiting, err error) {
	if !v.Event.AsksApproval {
		return l, nil
	}
	w, err := of(revision.Of(v.Programme), v.UserContext(), id)
	if w != nil {
		l = records.Waiting{URL: v.At("/revisions/" + w.ID), Author: w.Author}
	}
	return l, err
}
