// Package batch starts and carries out changes of many sessions for the pages of other rooms.
package batch

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/views/components"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
	"lectern/web/page"
)

// At returns the address of a batch's page, which leads back to where the batch was started.
func At(v *visit.Visit, id, back string) string {
	return v.At("/batches/"+id) + "?back=" + url.QueryEscape(strings.TrimPrefix(back, v.At("/")))
}

// Start starts a batch once: a form that is sent twice gets the batch of the first time.
func Start(v *visit.Visit, ids []string, q *models.SessionSearch, c models.BatchChange) (*models.Batch, error) {
	var b *models.Batch
	err := v.OnceAsSent(func(ctx context.Context) (_ string, err error) {
		if b, err = v.Programme.StartBatch(ctx, ids, q, c); err != nil {
			return "", err
		}
		return b.ID, nil
	})
	var before *page.SentBefore
	if !errors.As(err, &before) {
		return b, err
	}
	if b, err = v.Programme.Batch(v.UserContext(), before.Address); err == nil && b.UndoneBy != "" { // meant anew since
		return v.Programme.StartBatch(v.UserContext(), ids, q, c)
	}
	return b, err
}

// inPlaceTime is how long a user waits for a change of one page of records.
const inPlaceTime = 10 * time.Second

// InPlace carries out a batch of at most one page while the user waits, and leads back to the list with the notice that
// says returns and an undo. A larger batch, or one that takes too long, goes on in the background; where some records
// failed, it leads to the batch's page.
func InPlace(v *visit.Visit, b *models.Batch, list string, says func(done *models.Batch) (string, error)) error {
	address := At(v, b.ID, list)
	if b.Total > visit.RowsAPage {
		return v.Lead(address)
	}
	done, err := Finish(v, b)
	if err != nil || done.Failed > 0 {
		return v.Lead(address)
	}
	text, err := says(done)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(done.Changes, func(item *models.BatchItem) bool { return len(item.Before) > 0 }) {
		return v.See(list, "Nothing had to be changed: "+text)
	}
	var undo *components.Undo
	if done.CanUndo() {
		undo = &components.Undo{Action: v.At("/batches/" + b.ID + "/undo"),
			Fields: []components.Hidden{{Name: "back", Value: strings.TrimPrefix(list, v.At("/"))}}}
	}
	collides, err := collidesAfter(v, done)
	if err != nil {
		return err
	}
	return v.SeeWarnings(list, text, collides, undo)
}

// Finish carries out a small batch while the user waits; after inPlaceTime it goes on in the background.
func Finish(v *visit.Visit, b *models.Batch) (*models.Batch, error) {
	ctx, cancel := context.WithTimeout(v.UserContext(), inPlaceTime)
	defer cancel()
	done, err := v.Programme.FinishBatch(ctx, b.ID)
	if err != nil {
		slog.Error("a batch goes on in the background", "request_id", v.From().RequestID, "error", err.Error())
	}
	return done, err
}

// collidesAfter returns the conflicts of the records that a batch gave another room or status.
func collidesAfter(v *visit.Visit, b *models.Batch) (said []components.Linked, err error) {
	var ids []string
	for _, item := range b.Changes {
		if item.After["room_id"] != nil || item.After["status"] != nil {
			ids = append(ids, item.SessionID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	sessions, err := v.Programme.SessionsOf(v.UserContext(), ids)
	if err != nil {
		return nil, err
	}
	conflicts, err := v.Programme.Conflicts(v.UserContext(), sessions...)
	for _, s := range sessions {
		said = append(said, warn.Conflicts(v, conflicts[s.ID])...)
	}
	return said, err
}
