package jobs

import (
	"context"
	"log/slog"

	"lectern/models/archives/making"
)

// RunArchives makes the archives that staff asked for until ctx ends; one that is under way then is put back in line.
// Several processes may.
func (r *Runner) RunArchives(ctx context.Context) {
	if _, err := within(ctx, callLimit, func(ctx context.Context) (any, error) {
		return nil, making.Release(ctx, r.store)
	}); err != nil && ctx.Err() == nil {
		slog.Error("cannot look for archives that were cut short", "error", err.Error())
	}
	for ctx.Err() == nil {
		working, done := r.options.Tracer.Work(ctx, "archive")
		worked, err := making.Run(working, r.store)
		done(worked, err)
		if err != nil && ctx.Err() == nil {
			slog.Error("cannot make an archive", "error", err.Error())
		}
		if err != nil || !worked {
			sleep(ctx, poll)
		}
	}
}
