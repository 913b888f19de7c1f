package jobs

import (
	"context"
	"sync"

	"lectern/models/moves"
)

// movesAtOnce is how many moves one process runs at once, so that a small one does not wait for a large one.
const movesAtOnce = 2

// RunMoves runs moves of conferences until ctx ends; those then under way go back to the queue. Several processes may
// run it.
func (r *Runner) RunMoves(ctx context.Context) {
	r.release(ctx, "moves", moves.Release)
	var workers sync.WaitGroup
	for range movesAtOnce {
		web := newFetch(r.options)
		workers.Go(func() {
			r.loop(ctx, "move", "cannot move a conference", poll, func(ctx context.Context) (bool, error) {
				return moves.Run(ctx, r.store, web)
			})
		})
	}
	workers.Wait()
}
