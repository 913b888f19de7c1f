package moves

import (
	"context"
	"errors"

	"lectern/models/store"
)

// end writes how the work ended, unless the move was stopped meanwhile.
func (w *worker) end(ctx context.Context, columns map[string]any) error {
	row, err := w.ended(columns)
	if err != nil {
		return err
	}
	if err := w.lease.End(ctx, row); !errors.Is(err, store.ErrTaken) {
		return err
	}
	return w.lease.LetGo(ctx)
}

// endWithin ends the move within a transaction of its work. It answers store.ErrTaken for a stopped move.
func (w *worker) endWithin(tx *store.Tx, columns map[string]any) error {
	row, err := w.ended(columns)
	if err != nil {
		return err
	}
	return w.lease.EndWithin(tx, row)
}

// ended encodes columns for the database, with the end time if the state changes.
func (w *worker) ended(columns map[string]any) (map[string]any, error) {
	if columns["updated_at"] = w.store.Now(); columns["state"] != nil {
		columns["ended_at"] = w.store.Now()
	}
	return rowOf(columns)
}

// stop records why work ended early, and its progress.
func (w *worker) stop(ctx, working context.Context, cause error) error {
	columns := map[string]any{"state": Stopped, "stopped_in": w.move.State, "reason": reasonOf(cause)}
	if errors.Is(working.Err(), context.DeadlineExceeded) {
		columns["reason"] = "It took longer than six hours, and was ended."
	}
	if kind := store.KindOf(cause); kind == store.Unavailable || kind == store.Unknown {
		return nil // the database is away; another worker resumes once the lease is over
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for column, how := range w.progress {
		columns[column] = how
	}
	return w.end(ctx, columns)
}
