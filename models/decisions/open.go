// Package decisions lets staff commit the decisions that they have queued: they open a commit, look at its effects,
// leave out some abstracts and start it. It stands on top of the programme, whose batches decide each abstract.
package decisions

import (
	"context"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// Open stores a commit of the abstracts with the ids, or of all that pass the filter of q now, whatever their status,
// with their present tokens and statuses. Nothing is decided before Start, and abstracts that change meanwhile are not
// decided at all. It answers NotFound for an id that is no live abstract of this event, and Invalid for a search that
// breaks a rule or finds none.
func (ds *Decisions) Open(ctx context.Context, ids []string, q *models.SessionSearch) (*models.Batch, error) {
	chosen, err := ds.p.Chosen(ctx, ids, q)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, ds.p.Write, func(tx *store.Tx) (*models.Batch, error) {
		b, err := ds.p.PrepareBatch(tx, models.BatchChange{Operation: models.BatchCommit})
		if err != nil {
			return nil, err
		}
		rows := chosen(tx.Model(&models.Session{})).Where("is_abstract AND deleted_at IS NULL").
			Select("event_id, ?, id, 'pending', '', '{}', '{}', updated_at, status", b.ID)
		made := tx.Exec("INSERT INTO batch_items "+
			"(event_id, batch_id, session_id, state, message, before, after, seen_at, seen_status) ?", rows)
		if made.Error == nil && q == nil && made.RowsAffected < int64(len(ids)) {
			return nil, store.NoSuch("session")
		}
		return b, b.SetTotal(tx, made)
	})
}

// Choice changes which rows of a prepared commit are left out.
type Choice struct {
	Out, In []string
	// Include holds rows that changed since the commit was opened, with the tokens that somebody has looked at since.
	Include map[string]store.Time
}

// Choose stores a choice with an opened commit. It ignores ids that are not in the commit; a commit that was started
// does not change. It answers NotFound for a commit that is not of this event.
func (ds *Decisions) Choose(ctx context.Context, id string, c Choice) error {
	return ds.p.Write(ctx, func(tx *store.Tx) error {
		b, err := ds.commitBatch(tx, id)
		if err != nil || !b.Prepared {
			return err
		}
		return c.keep(tx, id)
	})
}

func (c Choice) keep(tx *store.Tx, batchID string) error {
	mark := func(ids []string, outcome models.CommitOutcome) error {
		if len(ids) == 0 {
			return nil
		}
		return tx.Model(&models.BatchRow{}).Where("batch_id = ? AND session_id IN ?", batchID, ids).
			UpdateColumn("outcome", outcome).Error
	}
	if err := mark(c.Out, models.CommitLeftOut); err != nil {
		return err
	}
	if err := mark(c.In, models.CommitDecides); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(c.Include)) {
		if err := tx.Model(&models.BatchRow{}).Where("batch_id = ? AND session_id = ?", batchID, id).
			UpdateColumns(map[string]any{"seen_at": c.Include[id], "outcome": models.CommitDecides}).Error; err != nil {
			return err
		}
	}
	return nil
}

// commitBatch returns a commit of this event, locked. It answers NotFound.
func (ds *Decisions) commitBatch(tx *store.Tx, id string) (*models.Batch, error) {
	b, err := ds.p.BatchIn(tx.Lock(), id)
	if err == nil && b.Change.Operation != models.BatchCommit {
		return nil, store.NoSuch("commit")
	}
	return b, err
}

// Start queues an opened commit with a last choice, with the actor of this handle: RunBatch decides each abstract in a
// transaction of its own, unless it changed since it was looked at. It emits session.updated and decision.committed for
// each, and drafts the letters. A commit that was started before does not change. It answers NotFound for a commit that
// is not of this event.
func (ds *Decisions) Start(ctx context.Context, id string, c Choice) (*models.Batch, error) {
	return store.Make(ctx, ds.p.Write, func(tx *store.Tx) (*models.Batch, error) {
		b, err := ds.commitBatch(tx, id)
		if err != nil || !b.Prepared {
			return b, err
		}
		if err := c.keep(tx, id); err != nil {
			return nil, err
		}
		out := tx.Model(&models.BatchRow{}).Where("batch_id = ? AND outcome = ?", id,
			models.CommitLeftOut).UpdateColumn("state", models.ItemDone)
		if out.Error != nil {
			return nil, out.Error
		}
		b.Succeeded = int(out.RowsAffected)
		return b, ds.p.StartPrepared(tx, b)
	})
}

// Decisions is the handle of the operations on commits of one event's decisions.
type Decisions struct{ p *models.Programme }

// Of returns the handle of a programme's commits.
func Of(p *models.Programme) *Decisions { return &Decisions{p} }
