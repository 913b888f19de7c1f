package models

import (
	"context"

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

// Committed is the decision that a queue stands for.
func (s Status) Committed() Status {
	if s == AcceptQueue {
		return Accepted
	}
	return Declined
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

// BucketNow is in SQL which bucket of a commit an item of a session s would be in by now.
const BucketNow = `CASE
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
	after.Status = before.Status.Committed()
	item.Letters = len(after.withAddress())
	return before, after, p.commit(tx, updating, change{before, after})
}
