package models

import (
	"context"
	"time"

	"lectern/models/store"
)

// stepRows is how many rows one step of a load writes at most.
const stepRows = 100

// A load writes for loadHolds, more or less, and rests for loadRests. Who waits for
// an SQLite file that another process holds looks again every 100 ms at the latest,
// and gets in then; PostgreSQL gives a row to whoever asks at the right moment.
const (
	loadHolds = 250 * time.Millisecond
	loadRests = 120 * time.Millisecond
)

// load writes many rows in short transactions, beside others who write.
type load struct {
	*Programme
	held time.Duration // since the last rest
}

// step is write for one of the transactions.
func (l *load) step(ctx context.Context, operation func(*store.Tx) error) error {
	var began time.Time
	err := l.write(ctx, func(tx *store.Tx) error {
		began = time.Now()
		return operation(tx)
	})
	if l.held += time.Since(began); err != nil || l.held < loadHolds {
		return err
	}
	l.held = 0
	select {
	case <-time.After(loadRests):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
