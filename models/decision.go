package models

import (
	"context"
	"slices"

	"lectern/models/store"
)

// CommitOutcome is what a commit does, or would do now, with an abstract.
type CommitOutcome string

const (
	CommitDecides   CommitOutcome = "" // as its queue says
	CommitLeftOut   CommitOutcome = "left_out"
	CommitDecided   CommitOutcome = "decided" // before this commit, or by somebody else meanwhile
	CommitWithdrawn CommitOutcome = "withdrawn"
	CommitChanged   CommitOutcome = "changed" // since the commit was opened; not decided unless it is included
	CommitNoQueue   CommitOutcome = "no_queue"
)

// IsQueue reports whether the status is a decision that is not committed yet.
func (s Status) IsQueue() bool { return s == AcceptQueue || s == DeclineQueue }

// Committed returns the decision that a queue stands for.
func (s Status) Committed() Status {
	if s == AcceptQueue {
		return Accepted
	}
	return Declined
}

// bucket returns the outcome that an item has for its abstract; BucketNow says the same in SQL.
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

// BucketNow is the SQL expression for the outcome that batch item i would have for session s now.
const BucketNow = `CASE
	WHEN s.deleted_at IS NULL AND s.status IN ('accepted', 'declined') THEN 'decided'
	WHEN s.deleted_at IS NULL AND s.status = 'withdrawn' THEN 'withdrawn'
	WHEN s.deleted_at IS NOT NULL OR s.updated_at <> i.seen_at THEN 'changed'
	WHEN s.status IN ('accept_queue', 'decline_queue') THEN ''
	ELSE 'no_queue' END`

// runCommit decides one abstract as its queue says, or leaves it alone and keeps the reason with the item.
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

// DecisionUndone marks a numbered decision that takes the previous one back.
const DecisionUndone Status = "undone"

// Undoing says how a decision is undone.
type Undoing struct {
	To     Status // the other decision, or where it waits again: pending or a queue
	Reason string // kept in the activity; may be empty
	// Everybody says that people without a letter of the decision get one too: they may have seen it in their place.
	Everybody bool
	UpdatedAt *store.Time // the session's token as it was read; nil forces the write
}

// UndoDecision takes the decision of an abstract back, as a mistake. No record is lost: the decision keeps its number,
// the activity says that it was undone, and its unsent letters are never sent. If To is the other decision, that drafts
// its own letters; otherwise a letter that takes the decision back is drafted for each person whom a letter reached or
// may have reached. It emits what the change of the status emits, and returns how many letters it drafted. It answers
// NotFound for a row that is not live; Stale when the token is outdated; and Invalid for a row that is no abstract or
// not decided, for a status it cannot go to, and for a reason that is too long.
func (p *Programme) UndoDecision(ctx context.Context, id string, u Undoing) (after *Session, letters int, err error) {
	if u.Reason, err = store.CleanText("reason", u.Reason, MaxReason); err != nil {
		return nil, 0, err
	}
	if !slices.Contains([]Status{Pending, AcceptQueue, DeclineQueue, Accepted, Declined}, u.To) {
		return nil, 0, store.Invalidf("status", "must be one of pending, accept_queue, decline_queue, accepted, declined")
	}
	err = p.Write(ctx, func(tx *store.Tx) error {
		before, err := p.decided(tx, id)
		if err != nil {
			return err
		}
		if u.UpdatedAt != nil && !u.UpdatedAt.Equal(before.UpdatedAt.Time) {
			return errStale
		}
		if before.Status == u.To {
			return store.Invalidf("status", "is what it was decided to be; choose another one")
		}
		change := SessionChange{SessionInput: SessionInput{Status: &u.To}}
		after, letters, err = p.takeBack(tx.Within(ctx), tx, before, change, u)
		return err
	})
	return after, letters, err
}

// takeBack changes a decided abstract, which the caller has locked, and drafts the letters that take the decision back.
func (p *Programme) takeBack(ctx context.Context, tx *store.Tx, before *Session, change SessionChange, u Undoing) (
	after *Session, letters int, err error,
) {
	var current, reached []string
	if err := tx.Model(&Letter{}).Where("event_id = ? AND session_id = ? AND is_current", p.event.ID, before.ID).
		Pluck("id", &current).Error; err != nil {
		return nil, 0, err
	}
	if after, err = p.UpdateSession(ctx, before.ID, change); err != nil {
		return nil, 0, err
	}
	// Read after the change: until then one of these letters may have left.
	if err := tx.Model(&Letter{}).Where("event_id = ? AND id IN ?", p.event.ID, current).
		Where("state IN ('sending', 'sent', 'unknown', 'told')").Pluck("contact_id", &reached).Error; err != nil {
		return nil, 0, err
	}
	to := after.withAddress()
	if !after.Status.IsDecision() {
		number, err := p.number(tx, after.ID, DecisionUndone, before.Status)
		if err != nil {
			return nil, 0, err
		}
		if !u.Everybody {
			to = slices.DeleteFunc(to, func(x *Participant) bool { return !slices.Contains(reached, x.ContactID) })
		}
		if _, err := p.draftTo(tx, after, number, LetterUndone, to); err != nil {
			return nil, 0, err
		}
	}
	facts := map[string]any{"decision": before.Status, "letters": len(to)}
	if u.Reason != "" {
		facts["reason"] = u.Reason
	}
	return after, len(to), p.Record(tx, store.Change{Subject: "session", ID: after.ID, Action: "undone", After: facts})
}

// StandingDecision is an abstract's latest decision, with how many of its letters are in each state.
type StandingDecision struct {
	Decision
	Letters map[LetterState]int
}

// DecisionOf returns the decision that an abstract stands on; nil if none is recorded, as for an abstract that came in
// decided. Its Previous may be a status to which the abstract cannot go back.
func (p *Programme) DecisionOf(ctx context.Context, abstractID string) (*StandingDecision, error) {
	d, err := store.One[Decision](p.Read(ctx).Where("event_id = ? AND session_id = ?", p.event.ID, abstractID).
		Order("number DESC"), nil)
	if d == nil || err != nil {
		return nil, err
	}
	var counts []struct {
		State LetterState
		N     int
	}
	err = p.Read(ctx).Model(&Letter{}).Where("event_id = ? AND session_id = ? AND is_current", p.event.ID, abstractID).
		Select("state, count(*) AS n").Group("state").Scan(&counts).Error
	out := &StandingDecision{Decision: *d, Letters: map[LetterState]int{}}
	for _, x := range counts {
		out.Letters[x.State] = x.N
	}
	return out, err
}
