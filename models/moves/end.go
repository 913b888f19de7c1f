package moves

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"lectern/models/store"
)

// isStill tells whether the move is still this worker's, as far as it can.
func (w *worker) isStill(ctx context.Context) bool {
	var n int64
	err := w.mine(w.store.Read(ctx)).Count(&n).Error
	return err != nil || n > 0
}

// mine is the move as long as this worker has it.
func (w *worker) mine(db *gorm.DB) *gorm.DB {
	return db.Model(&Move{}).Where("id = ? AND state = ? AND claims = ?", w.move.ID, w.move.State, w.move.Claims)
}

// write writes columns of the move. It answers errTaken where it is not this worker's any more.
func (w *worker) write(ctx context.Context, columns map[string]any) error {
	row, err := rowOf(columns)
	if err != nil {
		return err
	}
	return w.store.Write(ctx, func(tx *store.Tx) error {
		row["updated_at"] = tx.Now
		return store.Changed(w.mine(tx.DB).UpdateColumns(row), errTaken)
	})
}

// end writes how a work ended, unless the move was stopped meanwhile.
func (w *worker) end(ctx context.Context, columns map[string]any) error {
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), ending)
	defer end()
	columns["claimed_until"] = nil
	if columns["state"] != nil {
		columns["ended_at"] = w.store.Now()
	}
	if err := w.write(ctx, columns); !errors.Is(err, errTaken) {
		return err
	}
	return w.letGo(ctx)
}

// endWithin says in a transaction of the work that it ended with it. It answers errTaken as write does.
func (w *worker) endWithin(tx *store.Tx, columns map[string]any) error {
	row, err := rowOf(columns)
	if err != nil {
		return err
	}
	row["claimed_until"], row["updated_at"], row["ended_at"] = nil, tx.Now, tx.Now
	return store.Changed(w.mine(tx.DB).UpdateColumns(row), errTaken)
}

// letGo gives up the claim on a move that was stopped, so that its next work may begin; it is none of this worker's
// where another one has claimed it since.
func (w *worker) letGo(ctx context.Context) error {
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), ending)
	defer end()
	return w.store.Write(ctx, func(tx *store.Tx) error {
		return tx.Model(&Move{}).Where("id = ? AND claimed_until = ?", w.move.ID, w.until).
			UpdateColumn("claimed_until", nil).Error
	})
}

// stop says why a work ended early, with how far it came.
func (w *worker) stop(ctx, working context.Context, cause error) error {
	columns := map[string]any{"state": Stopped, "stopped_in": w.move.State, "reason": reasonOf(cause)}
	if errors.Is(working.Err(), context.DeadlineExceeded) {
		columns["reason"] = "It took longer than six hours, and was ended."
	}
	if kind := store.KindOf(cause); kind == store.Unavailable || kind == store.Unknown {
		return nil // the database is away; somebody goes on once the lease is over
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for column, how := range w.told {
		columns[column] = how
	}
	return w.end(ctx, columns)
}
