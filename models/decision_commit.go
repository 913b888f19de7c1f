package models

import (
	"context"
	"maps"
	"slices"

	"lectern/models/store"
)

// CommitOutcome is what a commit does, or would do now, with an abstract.
type CommitOutcome string

const (
	CommitDecides   CommitOutcome = "" // out of its queue
	CommitLeftOut   CommitOutcome = "left_out"
	CommitDecided   CommitOutcome = "decided" // before, or by somebody else meanwhile
	CommitWithdrawn CommitOutcome = "withdrawn"
	CommitChanged   CommitOutcome = "changed" // since the commit was opened; not decided unless it is included
	CommitNoQueue   CommitOutcome = "no_queue"
)

// IsQueue reports whether the status is a decision that is not committed yet.
func (s Status) IsQueue() bool { return s == AcceptQueue || s == DeclineQueue }

// committed is the decision that a queue stands for.
func (s Status) committed() Status {
	if s == AcceptQueue {
		return Accepted
	}
	return Declined
}

// OpenCommit keeps which abstracts somebody is about to decide, and what they saw of each: those with the ids, or all
// that pass the filter of q now, whatever their status. Nothing is decided before StartCommit, and what is changed
// meanwhile is not decided at all. It answers NotFound for an id that is no live abstract of this event, and
// Invalid for a search that breaks a rule or finds none.
func (p *Programme) OpenCommit(ctx context.Context, ids []string, q *SessionSearch) (*Batch, error) {
	chosen, err := p.Chosen(ctx, ids, q)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Batch, error) {
		b, err := p.PrepareBatch(tx, BatchChange{Operation: BatchCommit})
		if err != nil {
			return nil, err
		}
		rows := chosen(tx.Model(&Session{})).Where("is_abstract AND deleted_at IS NULL").
			Select("event_id, ?, id, 'pending', '', '{}', '{}', updated_at, status", b.ID)
		made := tx.Exec("INSERT INTO batch_items "+
			"(event_id, batch_id, session_id, state, message, before, after, seen_at, seen_status) ?", rows)
		if made.Error == nil && q == nil && made.RowsAffected < int64(len(ids)) {
			return nil, store.NoSuch("session")
		}
		return b, b.setTotal(tx, made)
	})
}

// CommitChoice changes which rows of a prepared commit are left out.
type CommitChoice struct {
	Out, In []string
	// Include are rows that changed since the commit was opened, with the tokens that were looked at.
	Include map[string]store.Time
}

// ChooseCommit keeps a choice with an opened commit. Ids that are not in it are not looked at; one that was started
// stays as it is. It answers NotFound for a commit that is not of this event.
func (p *Programme) ChooseCommit(ctx context.Context, id string, c CommitChoice) error {
	return p.write(ctx, func(tx *store.Tx) error {
		b, err := p.commitBatch(tx, id)
		if err != nil || !b.Prepared {
			return err
		}
		return c.keep(tx, id)
	})
}

func (c CommitChoice) keep(tx *store.Tx, batchID string) error {
	mark := func(ids []string, outcome CommitOutcome) error {
		if len(ids) == 0 {
			return nil
		}
		return tx.Model(&BatchRow{}).Where("batch_id = ? AND session_id IN ?", batchID, ids).
			UpdateColumn("outcome", outcome).Error
	}
	if err := mark(c.Out, CommitLeftOut); err != nil {
		return err
	}
	if err := mark(c.In, CommitDecides); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(c.Include)) {
		if err := tx.Model(&BatchRow{}).Where("batch_id = ? AND session_id = ?", batchID, id).
			UpdateColumns(map[string]any{"seen_at": c.Include[id], "outcome": CommitDecides}).Error; err != nil {
			return err
		}
	}
	return nil
}

// commitBatch is a commit of this event, held.
func (p *Programme) commitBatch(tx *store.Tx, id string) (*Batch, error) {
	b, err := p.BatchIn(tx.Lock(), id)
	if err == nil && b.Change.Operation != BatchCommit {
		return nil, store.NoSuch("commit")
	}
	return b, err
}

// StartCommit puts an opened commit in line with a last choice, as whoever starts it: RunBatch decides each abstract
// in a transaction of its own, unless it was changed since it was looked at. It emits session.updated and
// decision.committed for each, and drafts the letters. One that was started before stays as it is. It answers NotFound
// for a commit that is not of this event.
func (p *Programme) StartCommit(ctx context.Context, id string, c CommitChoice) (*Batch, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Batch, error) {
		b, err := p.commitBatch(tx, id)
		if err != nil || !b.Prepared {
			return b, err
		}
		if err := c.keep(tx, id); err != nil {
			return nil, err
		}
		out := tx.Model(&BatchRow{}).Where("batch_id = ? AND outcome = ?", id, CommitLeftOut).UpdateColumn("state", ItemDone)
		if out.Error != nil {
			return nil, out.Error
		}
		b.Succeeded = int(out.RowsAffected)
		return b, p.StartPrepared(tx, b)
	})
}

// bucket is the outcome of an abstract; bucketNow says the same in SQL.
func (item *BatchRow) bucket(s *Session) CommitOutcome {
	switch {
	case s.DeletedAt == nil && s.Status.IsDecision():
		return CommitDecided
	case s.DeletedAt == nil && s.Status == Withdrawn:
		return CommitWithdrawn
	case s.DeletedAt != nil || item.SeenAt == nil || !s.UpdatedAt.Equal(item.SeenAt.Time):
		return CommitChanged
	case s.Status.IsQueue():
		return CommitDecides
	}
	return CommitNoQueue
}

const bucketNow = `CASE
	WHEN s.deleted_at IS NULL AND s.status IN ('accepted', 'declined') THEN 'decided'
	WHEN s.deleted_at IS NULL AND s.status = 'withdrawn' THEN 'withdrawn'
	WHEN s.deleted_at IS NOT NULL OR s.updated_at <> i.seen_at THEN 'changed'
	WHEN s.status IN ('accept_queue', 'decline_queue') THEN ''
	ELSE 'no_queue' END`

// runCommit decides one abstract as its queue says, or leaves it as it is and keeps why.
func runCommit(
	_ context.Context, p *Programme, tx *store.Tx, _ *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	if before, err = p.load(tx.Lock(), item.SessionID); err != nil {
		return nil, nil, err
	}
	if item.Outcome = item.bucket(before); item.Outcome != CommitDecides {
		return nil, nil, nil
	}
	after = new(*before)
	after.Status = before.Status.committed()
	item.Letters = len(after.withAddress())
	return before, after, p.commit(tx, updating, change{before, after})
}
