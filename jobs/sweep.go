package jobs

import (
	"context"
	"log/slog"
	"time"

	"lectern/models/call"
	"lectern/models/moves"
	"lectern/models/tasks"
)

const (
	sweepEach   = 30 * time.Minute
	pruneAtOnce = 1000
)

// sweeping is a kind of row that has expired, or work on a timer. some handles up to limit rows and reports whether there
// may be more.
type sweeping struct {
	what string
	some func(ctx context.Context, limit int) (more bool, err error)
}

// sweepings returns all of them.
func (t *term) sweepings() []sweeping {
	whole := func(do func(context.Context) error) func(context.Context, int) (bool, error) {
		return func(ctx context.Context, _ int) (bool, error) { return false, do(ctx) }
	}
	all := []sweeping{
		{"logins and links", whole(t.store.Staff.SweepSignIns)},
		{"logins and links of speakers", whole(func(ctx context.Context) error { return call.Sweep(ctx, t.store) })},
		{"who began with an address that nobody proved", func(ctx context.Context, limit int) (bool, error) {
			return call.SweepBeginnings(ctx, t.store, limit)
		}},
		{"how many mails there were", whole(t.store.PruneStrangerMails)},
		{"drafts whose people are to be told of the end", func(ctx context.Context, limit int) (bool, error) {
			return call.SendNotices(ctx, t.store, limit)
		}},
		{"reminders of tasks", whole(func(ctx context.Context) error { return tasks.SendReminders(ctx, t.store) })},
		{"tokens of old moves", whole(func(ctx context.Context) error { return moves.ForgetSecrets(ctx, t.store) })},
		{"old answers", t.store.PruneAnswers},
		{"files that nobody needs", t.store.SweepFiles},
		{"addresses of photos", t.store.RenewPhotoURLs},
	}
	if t.options.Retention > 0 {
		all = append(all, sweeping{"the delivery log", func(ctx context.Context, limit int) (bool, error) {
			return t.store.Outbox.PruneDeliveries(ctx, t.options.Retention, limit)
		}})
	}
	return all
}

// sweep runs all sweepings, again and again.
func (t *term) sweep() {
	for ; t.beginning.Err() == nil; sleep(t.beginning, sweepEach) {
		for _, s := range t.sweepings() {
			working, done := t.options.Tracer.Work(t.beginning, "sweep "+s.what)
			err := t.sweepAll(working, s)
			done(true, err)
			if err != nil && t.beginning.Err() == nil {
				slog.Error("cannot sweep "+s.what, "error", err.Error())
			}
		}
	}
}

// sweepAll runs one sweeping to its end, in small steps.
func (t *term) sweepAll(ctx context.Context, s sweeping) error {
	for more := true; more && t.pace.Wait(ctx) == nil; {
		err := runWithin(ctx, callLimit, func(ctx context.Context) (err error) {
			more, err = s.some(ctx, pruneAtOnce)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
