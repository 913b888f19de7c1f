package jobs

import (
	"context"

	"lectern/models/archives/making"
)

// RunArchives makes the archives that staff requested until ctx ends; one that is then under way goes back to the
// queue. Several processes may run it.
func (r *Runner) RunArchives(ctx context.Context) {
	r.release(ctx, "archives", making.Release)
	r.loop(ctx, "archive", "cannot make an archive", poll, func(ctx context.Context) (bool, error) {
		return making.Run(ctx, r.store)
	})
}
