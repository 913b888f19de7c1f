package models

import (
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// Undecided are the statuses of submissions that wait for a decision, and between which triage moves them.
var Undecided = []Status{Pending, AcceptQueue, DeclineQueue}

// IsUndecided reports whether the session is a live submission that is pending or in a queue.
func (s *Session) IsUndecided() bool {
	return s.IsAbstract && s.DeletedAt == nil && slices.Contains(Undecided, s.Status)
}

// MoveToQueue makes a live submission pending, or puts it into a queue, and records that as a finished batch of one,
// which UndoBatch takes back. It emits no decision. It answers NotFound; Stale when the token is outdated; and Invalid
// for another status and for a submission that is decided, withdrawn or not handed in. If the submission has the status
// already, it returns a nil batch.
func (p *Programme) MoveToQueue(ctx context.Context, id string, to Status, token store.Time) (*Batch, error) {
	if !slices.Contains(Undecided, to) {
		return nil, store.Invalidf("status", "must be one of pending, accept_queue, decline_queue")
	}
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Batch, error) {
		before, err := p.Live(tx, id)
		if err != nil {
			return nil, err
		}
		s := new(*before)
		c := SessionChange{UpdatedAt: &token, SessionInput: SessionInput{Status: &to}}
		if err := p.apply(tx, s, before, c, refs); err != nil || s.Status == before.Status {
			return nil, err
		}
		if !before.IsUndecided() {
			return nil, store.Invalidf("session", "is not waiting for a decision, so its status is changed on its page")
		}
		if err := p.commit(tx, updating, change{before, s}); err != nil {
			return nil, err
		}
		return p.keepStep(tx, before, s)
	})
}

// keepStep records a change of one session as a finished batch.
func (p *Programme) keepStep(tx *store.Tx, before, after *Session) (*Batch, error) {
	b := &Batch{Change: BatchChange{Operation: BatchUpdate, Status: &after.Status}, State: BatchFinished, Total: 1,
		Succeeded: 1, FinishedAt: &tx.Now}
	if err := p.createBatch(tx, b); err != nil {
		return nil, err
	}
	item := &BatchRow{EventID: p.event.ID, BatchID: b.ID, SessionID: after.ID, State: ItemDone}
	item.Before, item.After = compared(before, after, operations[BatchUpdate].facts)
	return b, tx.Create(item).Error
}

// Step is a move of one submission in triage that can be taken back.
type Step struct {
	BatchID                      string
	SessionID, FriendlyID, Title string
	From, To                     Status
	CreatedAt                    store.Time
}

// stepsLast is how long a step can be taken back.
const stepsLast = 12 * time.Hour

// LastSteps returns up to limit moves of single submissions to a queue or back that a member of staff made within
// stepsLast, the latest first: those that were not taken back and that nobody moved on since.
func (p *Programme) LastSteps(ctx context.Context, userID string, limit int) ([]*Step, error) {
	var steps []*Step
	err := p.Read(ctx).Table("batches b").Joins("JOIN batch_items i ON i.batch_id = b.id").
		Joins("JOIN sessions s ON s.id = i.session_id").
		Select("b.id AS batch_id, i.session_id, s.friendly_id, s.title, b.created_at, "+
			`i.before ->> 'status' AS "from", i.after ->> 'status' AS "to"`).
		Where("b.event_id = ? AND b.user_id = ? AND b.created_at > ?", p.event.ID, userID, store.At(p.Now().Add(-stepsLast))).
		Where("b.total = 1 AND b.undoes IS NULL AND i.state = ? AND s.deleted_at IS NULL", ItemDone).
		Where("s.status = i.after ->> 'status' AND s.status IN ? AND i.before ->> 'status' IN ?", Undecided, Undecided).
		Where("NOT EXISTS (SELECT 1 FROM batches u WHERE u.undoes = b.id)").
		Order("b.created_at DESC, b.id DESC").Limit(limit).Scan(&steps).Error
	return steps, err
}

// Window is the part of a search around one of its sessions.
type Window struct {
	At     *Session   // nil if the search finds nothing and no session was named
	Rows   []*Session // in the order of the search
	Before int        // how many of Rows come before At, which is the next one if it passes the filter
}

// Stands reports whether At is one of the rows.
func (w *Window) Stands() bool { return w.Before < len(w.Rows) && w.Rows[w.Before] == w.At }

// Around returns the sessions of a search around the one with this id, which need not pass its filter: at most before
// sessions before it, and at most onward from it on. Without an id they are the first sessions of the search. It runs a
// number of SQL statements that does not depend on the number of rows. It answers NotFound for a session of another
// event, and Invalid for a search that breaks a rule.
func (p *Programme) Around(ctx context.Context, q SessionSearch, id string, before, onward int) (*Window, error) {
	q.Page = store.Page{}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return nil, err
	}
	w, here := &Window{}, place(nil)
	if id != "" {
		var err error
		if w.At, err = p.row(p.Read(ctx), id); err != nil {
			return nil, err
		}
		if here, err = p.placeOf(p.Read(ctx), &q, w.At); err != nil {
			return nil, err
		}
		if w.Rows, err = p.walk(ctx, &q, here, true, before); err != nil {
			return nil, err
		}
		slices.Reverse(w.Rows)
	}
	w.Before = len(w.Rows)
	rest, err := p.walk(ctx, &q, here, false, onward)
	if err != nil {
		return nil, err
	}
	w.Rows = append(w.Rows, rest...)
	return w, p.embed(p.Read(ctx), w.whole())
}

// whole returns the rows with At, once.
func (w *Window) whole() []*Session {
	if w.Before == len(w.Rows) {
		if w.At == nil {
			return w.Rows
		}
	} else if first := w.Rows[w.Before]; w.At == nil || first.ID == w.At.ID {
		w.At = first
		return w.Rows
	}
	return append(slices.Clone(w.Rows), w.At)
}

// NextTo returns the id of the session after one in a search, whose filter the one need not pass any more, or, after
// the last, of the session before it; "" if there is no other. It answers Invalid for a search that breaks a rule.
func (p *Programme) NextTo(ctx context.Context, q SessionSearch, s *Session) (string, error) {
	q.Page = store.Page{}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return "", err
	}
	here, err := p.placeOf(p.Read(ctx), &q, s)
	if err != nil {
		return "", err
	}
	for _, backwards := range []bool{false, true} {
		rows, err := p.walk(ctx, &q, here, backwards, 2)
		rows = slices.DeleteFunc(rows, func(row *Session) bool { return row.ID == s.ID })
		if err != nil {
			return "", err
		}
		if len(rows) > 0 {
			return rows[0].ID, nil
		}
	}
	return "", nil
}

// PeopleNotes returns the last notes that staff wrote, at this event alone, about the people on a session, newest
// first.
func (p *Programme) PeopleNotes(ctx context.Context, sessionID string, limit int) ([]*ContactNote, error) {
	var notes []*ContactNote
	if p.asViewer {
		return nil, nil
	}
	err := p.Read(ctx).Where("event_id = ? AND contact_id IN (SELECT contact_id FROM participants "+
		"WHERE event_id = ? AND session_id = ?)", p.event.ID, p.event.ID, sessionID).
		Order("created_at DESC, id DESC").Limit(limit).Find(&notes).Error
	return notes, err
}
