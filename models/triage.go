package models

import (
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// Undecided are the statuses of submissions that are to be decided, and between which triage moves them.
var Undecided = []Status{Pending, AcceptQueue, DeclineQueue}

// IsUndecided tells of a live submission that is pending or in a queue.
func (s *Session) IsUndecided() bool {
	return s.IsAbstract && s.DeletedAt == nil && slices.Contains(Undecided, s.Status)
}

// MoveToQueue makes a live submission pending, or puts it into a queue, and keeps that as a finished batch of one,
// which UndoBatch takes back. Nobody outside is told. It answers NotFound, Stale when the token is outdated, and
// Invalid for another status and for a submission that is decided, withdrawn or not handed in. One that has the
// status already stays as it is, and there is no batch.
func (p *Programme) MoveToQueue(ctx context.Context, id string, to Status, token store.Time) (*Batch, error) {
	if !slices.Contains(Undecided, to) {
		return nil, store.Invalidf("status", "must be one of pending, accept_queue, decline_queue")
	}
	refs, err := p.metadata(ctx)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Batch, error) {
		before, err := p.live(tx, id)
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

// keepStep keeps what was done to one session as a batch that has finished.
func (p *Programme) keepStep(tx *store.Tx, before, after *Session) (*Batch, error) {
	b := &Batch{Change: BatchChange{Operation: BatchUpdate, Status: &after.Status}, State: BatchFinished, Total: 1,
		Succeeded: 1, FinishedAt: &tx.Now}
	if err := p.createBatch(tx, b); err != nil {
		return nil, err
	}
	item := &batchItem{EventID: p.event.ID, BatchID: b.ID, SessionID: after.ID, State: itemDone}
	item.Before, item.After = compared(before, after, operations[BatchUpdate].facts)
	return b, tx.Create(item).Error
}

// Step is a move of one submission that somebody made and may take back.
type Step struct {
	BatchID                      string
	SessionID, FriendlyID, Title string
	From, To                     Status
	CreatedAt                    store.Time
}

// stepsLast is for how long a step is offered to be taken back.
const stepsLast = 12 * time.Hour

// LastSteps are the last moves of single submissions to a queue or back that a member of staff made in the last 12
// hours, the latest first: of those that were not taken back and that nobody moved on since.
func (p *Programme) LastSteps(ctx context.Context, userID string, limit int) ([]*Step, error) {
	var steps []*Step
	err := p.read(ctx).Table("batches b").Joins("JOIN batch_items i ON i.batch_id = b.id").
		Joins("JOIN sessions s ON s.id = i.session_id").
		Select("b.id AS batch_id, i.session_id, s.friendly_id, s.title, b.created_at, "+
			`i.before ->> 'status' AS "from", i.after ->> 'status' AS "to"`).
		Where("b.event_id = ? AND b.user_id = ? AND b.created_at > ?", p.event.ID, userID, store.At(p.Now().Add(-stepsLast))).
		Where("b.total = 1 AND b.undoes IS NULL AND i.state = ? AND s.deleted_at IS NULL", itemDone).
		Where("s.status = i.after ->> 'status' AND s.status IN ? AND i.before ->> 'status' IN ?", Undecided, Undecided).
		Where("NOT EXISTS (SELECT 1 FROM batches u WHERE u.undoes = b.id)").
		Order("b.created_at DESC, b.id DESC").Limit(limit).Scan(&steps).Error
	return steps, err
}

// Around are the sessions of a search about one of them, which need not pass its filter: at most so many before it,
// and so many from it onward. Without one they are the first of the search. It also returns that one, or the first, nil
// where there is none, and costs a number of statements that does not depend on the number of rows. It answers
// NotFound for a session that is not of this event, and Invalid for a search that breaks a rule.
func (p *Programme) Around(ctx context.Context, q SessionSearch, id string, before, onward int) (*Session,
	[]*Session, error) {
	q.Page = store.Page{}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return nil, nil, err
	}
	db, terms := p.read(ctx), q.terms()
	rest := p.found(db, &q).Order(orderBy(terms, false)).Limit(onward)
	var rows []*Session
	var at *Session
	if id != "" {
		var err error
		if at, err = p.row(db, id); err != nil {
			return nil, nil, err
		}
		here, err := p.placeOf(db, &q, at)
		if err != nil {
			return nil, nil, err
		}
		condition, values := beyond(terms, here, true)
		rows, err = scanSessions(p.found(db, &q).Where(condition, values...).Order(orderBy(terms, true)).Limit(before))
		if err != nil {
			return nil, nil, err
		}
		slices.Reverse(rows)
		condition, values = from(terms, here)
		rest = rest.Where(condition, values...)
	}
	behind, err := scanSessions(rest)
	if err != nil {
		return nil, nil, err
	}
	return p.gather(ctx, at, append(rows, behind...))
}

// gather embeds what the rows show, and at, which is one of them or stands beside them; nil is the first.
func (p *Programme) gather(ctx context.Context, at *Session, rows []*Session) (*Session, []*Session, error) {
	if at == nil && len(rows) > 0 {
		at = rows[0]
	}
	all := rows
	if at != nil {
		if i := slices.IndexFunc(rows, func(s *Session) bool { return s.ID == at.ID }); i >= 0 {
			at = rows[i]
		} else {
			all = append(slices.Clone(rows), at)
		}
	}
	return at, rows, p.embed(p.read(ctx), all)
}

// NextTo is the id of the session of a search that comes after one, which need not pass its filter any more, or, after
// the last, of the one before it; "" when there is no other. It answers Invalid for a search that breaks a rule.
func (p *Programme) NextTo(ctx context.Context, q SessionSearch, s *Session) (string, error) {
	q.Page = store.Page{}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return "", err
	}
	db, terms := p.read(ctx), q.terms()
	here, err := p.placeOf(db, &q, s)
	if err != nil {
		return "", err
	}
	for _, backwards := range []bool{false, true} {
		condition, values := beyond(terms, here, backwards)
		var ids []string
		if err := p.found(db, &q).Where(condition, values...).Order(orderBy(terms, backwards)).Limit(1).
			Pluck("id", &ids).Error; err != nil || len(ids) > 0 {
			return first(ids), err
		}
	}
	return "", nil
}

func first(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}
