package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"lectern/models/apikey"
)

const (
	// seenEach is how often the last uses of keys and logins are written.
	seenEach = 10 * time.Second
	// seenTime limits one write.
	seenTime = 5 * time.Second
)

// KeepSeen writes when keys were last used and logins last seen, until ctx ends, and once more at the end.
func (r *Runner) KeepSeen(ctx context.Context) {
	for ending := false; !ending; {
		sleep(ctx, seenEach)
		ending = ctx.Err() != nil
		writing, stop := context.WithTimeout(context.WithoutCancel(ctx), seenTime)
		working, done := r.options.Tracer.Upkeep(writing, "seen")
		err := errors.Join(apikey.In(r.store).KeepUses(working), r.store.KeepSeen(working))
		if done(err); err != nil {
			slog.Warn("cannot write down when keys and logins were last seen; it is tried again", "error", err.Error())
		}
		stop()
	}
}
