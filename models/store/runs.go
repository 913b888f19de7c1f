package store

import (
	"context"
	"sync"
	"sync/atomic"
)

// Runs are the imports that this process is working on: their progress, and how to cancel them. Progress is kept in
// memory because an open transaction's writes are invisible to others.
type Runs struct {
	mu      sync.Mutex
	running map[string]*Run
	checks  chan struct{} // lets one check at a time read a whole file into memory
}

// Run is one import at work.
type Run struct {
	count     atomic.Int64
	cancelled atomic.Bool
	end       context.CancelFunc
}

// NewRun returns a run outside of Runs; end cancels its context.
func NewRun(end context.CancelFunc) *Run { return &Run{end: end} }

// Wrote sets the number of rows written.
func (r *Run) Wrote(rows int) { r.count.Store(int64(rows)) }

// Written returns the number of rows written.
func (r *Run) Written() int { return int(r.count.Load()) }

// Cancel ends the import for good.
func (r *Run) Cancel() {
	r.cancelled.Store(true)
	r.end()
}

// IsCancelled reports whether the import was cancelled.
func (r *Run) IsCancelled() bool { return r.cancelled.Load() }

// RunsOf returns the imports at work on a database in this process.
func RunsOf(s *Store) *Runs {
	return Singleton(s, func() *Runs { return &Runs{running: map[string]*Run{}, checks: make(chan struct{}, 1)} })
}

// Begin registers an import; end cancels its context.
func (r *Runs) Begin(id string, end context.CancelFunc) *Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running[id] = NewRun(end)
	return r.running[id]
}

// Over removes an import that has ended.
func (r *Runs) Over(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, id)
}

// Of returns the import with this id if it is at work in this process, else nil.
func (r *Runs) Of(id string) *Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.running[id]
}

// Cancel ends an import for good, if it is at work in this process.
func (r *Runs) Cancel(id string) {
	if run := r.Of(id); run != nil {
		run.Cancel()
	}
}

// Count returns how many rows an import has written, 0 when it is not at work here.
func (r *Runs) Count(id string) int {
	if run := r.Of(id); run != nil {
		return run.Written()
	}
	return 0
}

// Alone waits for the turn to read a whole file into memory; leave gives it up.
func (r *Runs) Alone(ctx context.Context) (leave func(), err error) {
	select {
	case r.checks <- struct{}{}:
		return func() { <-r.checks }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
