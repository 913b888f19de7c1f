package jobs

import (
	"context"
	"log/slog"
	"sync"

	"lectern/models/moves"
)

// movesAtOnce is how many moves one process works at, so that a small one does not wait for a large one.
const movesAtOnce = 2

// RunMoves works at moves of conferences until ctx ends; those under way then are put back in line. Several processes
// may.
func (r *Runner) RunMoves(ctx context.Context) {
	if _, err := within(ctx, callLimit, func(ctx context.Context) (any, error) {
		return nil, moves.Release(ctx, r.store)
	}); err != nil && ctx.Err() == nil {
		slog.Error("cannot look for moves that were cut short", "error", err.Error())
	}
	var workers sync.WaitGroup
	for range movesAtOnce {
		workers.Go(func() { r.runMoves(ctx) })
	}
	workers.Wait()
}

func (r *Runner) runMoves(ctx context.Context) {
	web := newFetch(r.options)
	for ctx.Err() == nil {
		working, done := r.options.Tracer.Work(ctx, "move")
		worked, err := moves.Run(working, r.store, web)
		done(worked, err)
		if err != nil && ctx.Err() == nil {
			slog.Error("cannot move a conference", "error", err.Error())
		}
		if err != nil || !worked {
			sleep(ctx, poll)
		}
	}
}
