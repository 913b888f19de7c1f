package models

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// BatchState is the progress of a batch.
type BatchState string

const (
	BatchRunning  BatchState = "running"
	BatchFinished BatchState = "finished"
)

// Batch is one change of many sessions, made in the background or, when it is small, while somebody waits.
type Batch struct {
	ID         string
	EventID    string
	UserID     string // the actor who started it
	ActorName  string
	Change     BatchChange `gorm:"serializer:json"`
	Undoes     *string     // the batch whose changes this one takes back
	State      BatchState
	Prepared   bool // it was opened to be looked at: nothing is made before it is started
	Total      int
	Succeeded  int
	Failed     int
	CreatedAt  store.Time
	FinishedAt *store.Time
	Failures   []*BatchFailure `gorm:"-"` // the first 50, filled by Batch alone
	Changes    []*BatchItem    `gorm:"-"` // the first 50 that are done, filled by Batch alone when it has finished
	UndoneBy   string          `gorm:"-"` // the batch that takes this one back, filled by Batch alone
	Undecided  bool            `gorm:"-"` // it took decisions back, which an undo must not make again; filled by Batch alone
}

// CanUndo reports whether UndoBatch would take the batch back: it has finished and changed something, its operation
// can be undone, it was not undone before, and undoing it would decide nothing anew.
func (b *Batch) CanUndo() bool {
	op := operations[b.Change.Operation]
	return b.State == BatchFinished && b.Succeeded > 0 && b.UndoneBy == "" && !b.Undecided &&
		!op.final && (op.facts != nil || op.undo != nil && b.Undoes == nil)
}

// BatchFailure is a session that a batch could not change.
type BatchFailure struct {
	SessionID  string
	FriendlyID string
	Title      string
	Message    string
}

// BatchItem is a session that a batch changed, with the fields that differ before and after. Both are empty if
// nothing differed, and for a deletion or restoration.
type BatchItem struct {
	SessionID  string
	FriendlyID string
	Title      string
	Before     BatchFacts `gorm:"serializer:json"`
	After      BatchFacts `gorm:"serializer:json"`
}

// ItemState is what became of one session of a batch.
type ItemState string

const (
	ItemPending ItemState = "pending"
	ItemDone    ItemState = "done"
	ItemFailed  ItemState = "failed"
)

// BatchRow is one session of a batch, as it is stored.
type BatchRow struct {
	EventID   string
	BatchID   string `gorm:"primaryKey"`
	SessionID string `gorm:"primaryKey"`
	State     ItemState
	Message   string
	Before    BatchFacts `gorm:"serializer:json"`
	After     BatchFacts `gorm:"serializer:json"`
	// SeenAt and SeenStatus are the session's token and status when a commit was opened.
	SeenAt     *store.Time
	SeenStatus Status
	Outcome    CommitOutcome
	Letters    int // that were drafted
}

// TableName returns the name of the table of items.
func (BatchRow) TableName() string { return "batch_items" }

// MaxBatchIDs limits the ids of a batch. A search may find any number.
const MaxBatchIDs = 1000

// StartBatch queues a change of the sessions with the ids, or of all that match q now. RunBatch or FinishBatch
// carries it out. It answers NotFound for an id of another event, and Invalid for a change or search that breaks a
// rule, or for a search that finds nothing.
func (p *Programme) StartBatch(ctx context.Context, ids []string, q *SessionSearch, c BatchChange) (*Batch, error) {
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.clean(refs); err != nil {
		return nil, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	chosen, err := p.Chosen(ctx, ids, q)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Batch, error) {
		b := &Batch{Change: c}
		if err := p.createBatch(tx, b); err != nil {
			return nil, err
		}
		rows := chosen(tx.Model(&Session{})).Select("event_id, ?, id, 'pending', '', '{}', '{}'", b.ID)
		made := tx.Exec("INSERT INTO batch_items (event_id, batch_id, session_id, state, message, before, after) ?", rows)
		if made.Error == nil && q == nil && made.RowsAffected < int64(len(ids)) {
			return nil, store.NoSuch("session")
		}
		return b, b.SetTotal(tx, made)
	})
}

// Chosen returns a function that narrows a query to the sessions with the ids, or to those that q finds. It answers
// Invalid unless exactly one of ids and q is given.
func (p *Programme) Chosen(ctx context.Context, ids []string, q *SessionSearch) (func(*gorm.DB) *gorm.DB, error) {
	switch {
	case (q == nil) == (len(ids) == 0):
		return nil, store.Invalidf("ids", "must name sessions, unless a search does")
	case len(ids) > MaxBatchIDs:
		return nil, store.Invalidf("ids", "has %d items; at most %d are allowed", len(ids), MaxBatchIDs)
	case q == nil:
		return func(db *gorm.DB) *gorm.DB { return db.Where("event_id = ? AND id IN ?", p.event.ID, ids) }, nil
	}
	q = new(*q)
	q.Page = store.Page{}
	if err := p.cleanSearch(ctx, q); err != nil {
		return nil, err
	}
	return func(db *gorm.DB) *gorm.DB { return p.filter(db, &q.Filter) }, nil
}

func (p *Programme) createBatch(tx *store.Tx, b *Batch) error {
	b.ID, b.EventID, b.UserID, b.ActorName = store.NewID(), p.event.ID, p.by.ActorID, p.by.ActorName
	b.State, b.CreatedAt = cmp.Or(b.State, BatchRunning), tx.Now
	return tx.Create(b).Error
}

// preparedFor is how long a prepared batch may wait to be started. PrepareBatch deletes older ones.
const preparedFor = 24 * time.Hour

// PrepareBatch stores a batch for review and deletes prepared batches that nobody started in time.
func (p *Programme) PrepareBatch(tx *store.Tx, c BatchChange) (*Batch, error) {
	old := tx.Where("event_id = ? AND prepared AND created_at < ?", p.event.ID, store.At(tx.Now.Add(-preparedFor)))
	if err := old.Delete(&Batch{}).Error; err != nil {
		return nil, err
	}
	b := &Batch{Change: c, Prepared: true}
	return b, p.createBatch(tx, b)
}

// StartPrepared queues a prepared batch in the name of whoever starts it.
func (p *Programme) StartPrepared(tx *store.Tx, b *Batch) error {
	b.Prepared, b.CreatedAt, b.UserID, b.ActorName = false, tx.Now, p.by.ActorID, p.by.ActorName
	return tx.Model(b).Select("prepared", "succeeded", "created_at", "user_id", "actor_name").Updates(b).Error
}

// SetTotal stores the number of items, that is, of the rows that made has inserted. It answers Invalid for none.
func (b *Batch) SetTotal(tx *store.Tx, made *gorm.DB) error {
	nothing := store.Invalidf("ids", "must name at least one session; there is nothing to change")
	if err := store.Changed(made, nothing); err != nil {
		return err
	}
	b.Total = int(made.RowsAffected)
	return tx.Model(b).UpdateColumn("total", b.Total).Error
}

// Batch returns a batch with its progress and its first 50 failures, or NotFound.
func (p *Programme) Batch(ctx context.Context, id string) (*Batch, error) {
	b, err := p.BatchIn(p.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	err = p.Read(ctx).Model(&Batch{}).Where("event_id = ? AND undoes = ?", p.event.ID, id).
		Select("id").Limit(1).Scan(&b.UndoneBy).Error
	if err != nil {
		return nil, err
	}
	items := func(state ItemState) *gorm.DB {
		return p.Read(ctx).Table("batch_items i").Joins("JOIN sessions s ON s.id = i.session_id").
			Where("i.event_id = ? AND i.batch_id = ? AND i.state = ?", p.event.ID, id, state).
			Order("s.is_abstract, s.number").Limit(50)
	}
	b.Failures = []*BatchFailure{}
	err = items(ItemFailed).Select("i.session_id, s.friendly_id, s.title, i.message").Scan(&b.Failures).Error
	if err != nil || b.State == BatchRunning {
		return b, err
	}
	err = items(ItemDone).Select("i.session_id, s.friendly_id, s.title, i.before, i.after").Scan(&b.Changes).Error
	if err != nil {
		return nil, err
	}
	err = p.Read(ctx).Raw("SELECT EXISTS (SELECT 1 FROM batch_items i JOIN sessions s ON s.id = i.session_id "+
		"WHERE i.event_id = ? AND i.batch_id = ? AND i.state = ? AND s.is_abstract "+
		"AND i.before ->> 'status' IN ('accepted', 'declined'))", p.event.ID, id, ItemDone).Scan(&b.Undecided).Error
	return b, err
}

// BatchIn returns a batch of the event without its items. It answers NotFound.
func (p *Programme) BatchIn(db *gorm.DB, id string) (*Batch, error) {
	return store.OneByID[Batch](db.Where("event_id = ?", p.event.ID), id, store.NoSuch("batch"))
}

// RetryFailed queues the failed sessions of a batch once more. It answers NotFound for a batch of another event; a
// batch without failures stays as it is.
func (p *Programme) RetryFailed(ctx context.Context, id string) (*Batch, error) {
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Batch, error) {
		b, err := p.BatchIn(tx.Lock(), id)
		if err != nil {
			return nil, err
		}
		retried := tx.Model(&BatchRow{}).Where("batch_id = ? AND state = ?", id, ItemFailed).
			UpdateColumns(map[string]any{"state": ItemPending, "message": ""})
		if retried.Error != nil || retried.RowsAffected == 0 {
			return b, retried.Error
		}
		b.Failed -= int(retried.RowsAffected)
		b.State, b.FinishedAt = BatchRunning, nil
		return b, tx.Model(b).Select("failed", "state", "finished_at").Updates(b).Error
	})
}

// UndoBatch queues a batch that reverts a finished one. A session whose changed fields were changed again since fails
// and keeps its state. It answers NotFound, and Invalid for a batch that is running, was undone, or has nothing to
// undo.
func (p *Programme) UndoBatch(ctx context.Context, id string) (*Batch, error) {
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Batch, error) {
		done, err := p.BatchIn(tx.Lock(), id)
		if err != nil {
			return nil, err
		}
		if done.State == BatchRunning {
			return nil, store.Invalidf("batch", "is still at work; undo it when it has finished")
		}
		if operations[done.Change.Operation].final {
			return nil, store.Invalidf("batch", "told others, so there is no undo")
		}
		undone := tx.Model(&Batch{}).Where("undoes = ?", id)
		if err := store.Unless(undone, store.Invalidf("batch", "was undone before")); err != nil {
			return nil, err
		}
		b := &Batch{Undoes: &id, Change: BatchChange{Operation: done.Change.Operation}}
		if err := p.createBatch(tx, b); err != nil {
			return nil, err
		}
		// An undo swaps the two: it expects the former after, and sets the former before.
		return b, b.SetTotal(tx, tx.Exec("INSERT INTO batch_items "+
			"(event_id, batch_id, session_id, state, message, before, after) "+
			"SELECT event_id, ?, session_id, 'pending', '', after, before FROM batch_items "+
			"WHERE batch_id = ? AND state = 'done' AND before <> '{}'", b.ID, id))
	})
}
