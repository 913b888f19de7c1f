package models

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// RunBatch changes up to limit sessions of the oldest running batch, each in a transaction of its own unless
// runTogether can take several, by the operation that a single change uses, through the door "admin" and as the actor
// who started the batch. The transaction also marks the item, so a session is changed at most once, whoever calls and
// whenever a process ends. A refusal of the operation is kept with the item. RunBatch reports whether it found
// anything to do; it stops at an internal error and returns it.
func (s *Store) RunBatch(ctx context.Context, limit int) (worked bool, err error) {
	b, err := store.One[Batch](s.Read(ctx).Where("state = 'running' AND NOT prepared").Order("created_at, id"), nil)
	if b == nil {
		return false, err
	}
	event, err := s.EventBy(ctx, b.EventID)
	if err != nil {
		return false, err
	}
	p := s.worker(event, b)
	if _, err := p.Metadata(ctx); err != nil { // cached from here on: reads within a transaction are not
		return false, err
	}
	for done := 0; done < limit; {
		n, err := p.runItems(ctx, b, limit-done)
		if err != nil {
			return worked, err
		}
		if n == 0 {
			finished, err := p.finishBatch(ctx, b)
			return worked || finished, err
		}
		worked, done = true, done+n
	}
	return worked, nil
}

// worker returns the handle on which a batch runs, the same in every process and request.
func (s *Store) worker(event *Event, b *Batch) *Programme {
	p := s.Programme(event, store.By{Door: "admin", ActorID: b.UserID, ActorName: b.ActorName, RequestID: b.ID})
	p.templates = map[LetterKind]*LetterTemplate{}
	return p
}

// batchLook is the interval at which FinishBatch looks at another process's progress.
const batchLook = 20 * time.Millisecond

// FinishBatch completes a batch before it returns, concurrently with RunBatch: each item is claimed by one of them.
// It returns the finished batch. If ctx ends first, or on an internal error, it returns that error and RunBatch goes
// on. It answers NotFound.
func (p *Programme) FinishBatch(ctx context.Context, id string) (*Batch, error) {
	b, err := p.BatchIn(p.Read(ctx), id)
	if err == nil && b.Prepared {
		err = store.Invalidf("batch", "was opened to be looked at and not started")
	}
	for err == nil && b.State == BatchRunning {
		n := 0
		if n, err = p.store.worker(p.event, b).runItems(ctx, b, batchTogether); err != nil || n > 0 {
			continue
		}
		if _, err = p.finishBatch(ctx, b); err != nil {
			continue
		}
		if b, err = p.BatchIn(p.Read(ctx), id); err == nil && b.State == BatchRunning {
			err = store.Rest(ctx, batchLook) // another process holds the last items
		}
	}
	if err != nil {
		return nil, err
	}
	return p.Batch(ctx, id)
}

// runItem claims and changes one pending item that no other process holds, only of the given sessions if any are
// given, and reports whether it found one.
func (p *Programme) runItem(ctx context.Context, b *Batch, of ...string) (found bool, err error) {
	var item *BatchRow
	err = p.Write(ctx, func(tx *store.Tx) error {
		pending := nextItems(tx, b.ID)
		if len(of) > 0 {
			pending = pending.Where("session_id ?", store.AnyOf(of))
		}
		var err error
		if item, err = store.One[BatchRow](pending, nil); item == nil {
			return err
		}
		if item.Before, item.After, err = p.runChange(tx.Within(ctx), tx, b, item); err != nil {
			return err
		}
		return endItems(tx, ItemDone, item)
	})
	if err == nil || item == nil || ctx.Err() != nil || !isSettled(err) {
		return item != nil, err // the database failed, or may have committed: the item is looked at later
	}
	// The operation's transaction is rolled back; the failure is stored.
	return true, errors.Join(p.failItem(ctx, item, err), store.Ours(err))
}

// isSettled reports whether trying again would fail the same way.
func isSettled(err error) bool {
	kind := store.KindOf(err)
	return kind != store.Unavailable && kind != store.Unknown
}

// nextItems selects the pending items that no other process holds, and locks them.
func nextItems(tx *store.Tx, batchID string) *gorm.DB {
	return tx.SkipLocked().Where("batch_id = ? AND state = 'pending'", batchID).Order("session_id")
}

// runChange changes one session and returns what changed.
func (p *Programme) runChange(ctx context.Context, tx *store.Tx, b *Batch, item *BatchRow) (was, is BatchFacts,
	err error) {
	op, known := operations[b.Change.Operation]
	if !known {
		return nil, nil, store.Invalidf("change", "is of a kind that this version does not know")
	}
	run := op.run
	switch {
	case b.Undoes != nil && op.undo != nil:
		run = op.undo
	case b.Undoes != nil:
		run = runUndo
	}
	before, after, err := run(ctx, p, tx, &b.Change, item)
	if err != nil {
		return nil, nil, err
	}
	if op.undo != nil {
		return item.Before, item.After, nil
	}
	was, is = compared(before, after, op.facts)
	return was, is, nil
}

// runUndo restores a session's fields, unless they were changed since. It never decides an abstract, because that
// would tell people without asking first; a decision that it reverts is undone as by UndoDecision.
func runUndo(
	ctx context.Context, p *Programme, tx *store.Tx, _ *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	if before, err = p.liveWithMetadata(tx, item.SessionID); err != nil {
		return nil, nil, err
	}
	if !item.Before.hold(before) {
		return nil, nil, store.Invalidf("session", "was changed since, so nothing is undone here")
	}
	change, err := item.After.Change()
	if err == nil && before.IsAbstract && change.Status != nil && change.Status.IsDecision() {
		err = store.Invalidf("session", "was decided before; change its status if it should be decided again")
	}
	if err != nil {
		return nil, nil, err
	}
	if before.IsAbstract && before.Status.IsDecision() && change.Status != nil {
		after, item.Letters, err = p.takeBack(ctx, tx, before, change, Undoing{})
		return before, after, err
	}
	after, err = p.UpdateSession(ctx, item.SessionID, change)
	return before, after, err
}

// liveWithMetadata locks a session whose metadata may change. The order of locks requires the metadata first.
func (p *Programme) liveWithMetadata(tx *store.Tx, id string) (*Session, error) {
	if err := p.ShareMetadata(tx); err != nil {
		return nil, err
	}
	return p.Live(tx, id)
}

// endItems stores the state and the result of items of one batch and adds them to its counts. The batch's row is
// written last, so that processes on one batch block each other as briefly as possible.
func endItems(tx *store.Tx, state ItemState, items ...*BatchRow) error {
	for _, item := range items {
		item.State = state
		kept := tx.Later().Model(item).Select("state", "message", "before", "after", "outcome", "letters").Updates(item)
		if err := kept.Error; err != nil {
			return err
		}
	}
	column := map[ItemState]string{ItemDone: "succeeded", ItemFailed: "failed"}[state]
	return tx.Later().Model(&Batch{}).Where("id = ?", items[0].BatchID).
		UpdateColumn(column, gorm.Expr(column+" + ?", len(items))).Error
}

// failItem marks an item as failed, unless another process settled it since.
func (p *Programme) failItem(ctx context.Context, item *BatchRow, cause error) error {
	return p.Write(ctx, func(tx *store.Tx) error {
		pending, err := store.One[BatchRow](tx.Lock().
			Where("batch_id = ? AND session_id = ? AND state = 'pending'", item.BatchID, item.SessionID), nil)
		if pending == nil {
			return err
		}
		pending.Message = "Something went wrong on our side. Try again."
		if store.Ours(cause) == nil {
			pending.Message = cause.Error()
		}
		return endItems(tx, ItemFailed, pending)
	})
}

// finishBatch ends a batch without pending items. If another process holds the last items, that process ends it.
func (p *Programme) finishBatch(ctx context.Context, b *Batch) (finished bool, err error) {
	return store.Make(ctx, p.Write, func(tx *store.Tx) (bool, error) {
		// Locked first, to see items that a retry queued meanwhile.
		if _, err := p.BatchIn(tx.Lock(), b.ID); err != nil {
			return false, err
		}
		done := tx.Model(&Batch{}).Where("id = ? AND state = 'running'", b.ID).
			Where("NOT EXISTS (SELECT 1 FROM batch_items WHERE batch_id = ? AND state = 'pending')", b.ID).
			UpdateColumns(map[string]any{"state": BatchFinished, "finished_at": tx.Now})
		return done.RowsAffected > 0, done.Error
	})
}

// BatchFacts are the fields that an item changed, by the names of the API, with their values before or after.
type BatchFacts map[string]any

// compared returns the given fields that differ between two states of a session.
func compared(before, after *Session, fields []string) (was, is BatchFacts) {
	if before == nil || after == nil {
		return BatchFacts{}, BatchFacts{}
	}
	was, is = store.Changes(before.Facts(), after.Facts())
	other := func(field string, _ any) bool { return !slices.Contains(fields, field) }
	maps.DeleteFunc(was, other)
	maps.DeleteFunc(is, other)
	return was, is
}

// hold reports whether a session still has all these values.
func (f BatchFacts) hold(s *Session) bool {
	now := s.Facts()
	for field, value := range f {
		if factText(value) != factText(now[field]) {
			return false
		}
	}
	return true
}

// factText returns a text that is equal for equal values. It sorts lists, since the event's order of tags may change.
func factText(value any) string {
	text, _ := json.Marshal(value) // it came from JSON, or goes there
	var ids []string
	if json.Unmarshal(text, &ids) == nil && ids != nil {
		slices.Sort(ids)
		text, _ = json.Marshal(ids)
	}
	return string(text)
}

// Change returns a SessionChange that sets these fields.
func (f BatchFacts) Change() (c SessionChange, err error) {
	text, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(text, &c.SessionInput)
	}
	if state, ok := f["content_state"].(string); ok {
		c.ContentState = new(ContentState(state))
	}
	return c, err
}
