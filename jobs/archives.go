package jobs

import (
	"context"

	"lectern/models/archives/making"
)

// RunArchives makes the archives that staff asked for until ctx ends; one that is under way then is put back in line.
// Several processes may.
func (r *Runner) RunArchives(ctx context.Context) {
	r.release(ctx, "archives", making.Release)
	r.loop(ctx, "archive", "cannot make an archive", poll, func(ctx context.Context) (bool, error) {
		return making.Run(ctx, r.store)
	})
}
