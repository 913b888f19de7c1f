// Package jobs runs what follows a commit: the deliveries of emissions, the changes of batches, imports of people and
// the server's own letters. Nothing here can change the outcome of the write that caused it.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"lectern/jobs/tracing"
	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/archives/making"
	"lectern/models/moves"
	"lectern/models/outbox"
	"lectern/models/people"
)

// Options are what deliveries need besides the store.
type Options struct {
	UserAgent string
	// AllowNets are the private networks that deliveries may reach.
	AllowNets []netip.Prefix
	// Beside is a receiver in this process, which may be reached although it is on loopback; zero for none.
	Beside netip.AddrPort
	// Retention is how long the delivery log is kept; 0 keeps it for good.
	Retention time.Duration
	// Managed is the service to hand emissions to; the zero value delivers to the organization's own endpoints.
	Managed ManagedOptions
	// Connect and Total limit one attempt; 0 means 5 s and 15 s.
	Connect, Total time.Duration
	// Tracer traces the work done; nil traces nothing.
	Tracer *tracing.Tracer
	// Lease is how long a process that does not renew its lead keeps it; 0 means 10 s.
	Lease time.Duration
}

// Runner runs the deliveries and the other background jobs.
type Runner struct {
	store   *models.Store
	options Options
	senders map[outbox.Driver]sender
	wake    chan struct{}
	// pace limits the rate of delivery transactions, which compete with those of requests. Attempts that end in between
	// are recorded together.
	pace *rate.Limiter
}

// sender makes one attempt and writes its outcome to it.
type sender interface {
	send(ctx context.Context, round *outbox.Round, attempt *outbox.Delivery)
}

const (
	// poll is how often a job looks for what other processes committed.
	poll = time.Second
	// callLimit is how long a call of the store may take, so that a database that hangs does not block a job for good.
	callLimit = 10 * time.Second
	// perSecond limits the delivery transactions.
	perSecond = 30
)

// New returns a runner that is woken by Wake and started by Run.
func New(store *models.Store, options Options) *Runner {
	if options.Connect == 0 {
		options.Connect = 5 * time.Second
	}
	if options.Total == 0 {
		options.Total = 15 * time.Second
	}
	if options.Lease == 0 {
		options.Lease = 10 * time.Second
	}
	r := &Runner{store: store, options: options, wake: make(chan struct{}, 1), pace: rate.NewLimiter(perSecond, 1)}
	r.senders = map[outbox.Driver]sender{
		outbox.Builtin: &builtin{options.UserAgent, newClient(options, guard(options.AllowNets, options.Beside))},
	}
	if options.Managed.Enabled() {
		r.senders[outbox.Managed] = &managed{options.Managed, options.UserAgent, newClient(options, nil)}
	}
	return r
}

// Wake signals that there are new emissions. It never blocks.
func (r *Runner) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run delivers until ctx ends, then lets running attempts finish and records their outcomes. It returns within drain
// after the end of ctx, even when the database hangs; attempts still under way shortly before that are given up and
// closed as interrupted. One process at a time delivers; the others wait for the lead.
func (r *Runner) Run(ctx context.Context, drain time.Duration) {
	for ctx.Err() == nil {
		lead, err := within(ctx, callLimit, func(ctx context.Context) (*outbox.Lead, error) {
			return r.store.Outbox.TakeLead(ctx, r.options.Lease)
		})
		if err != nil && ctx.Err() == nil {
			slog.Error("deliveries wait for the database", "error", err.Error())
		}
		if lead != nil {
			r.lead(ctx, lead, drain)
		}
		sleep(ctx, poll)
	}
}

// within calls the store with a time limit.
func within[T any](ctx context.Context, limit time.Duration, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return call(ctx)
}

func runWithin(ctx context.Context, limit time.Duration, call func(context.Context) error) error {
	_, err := within(ctx, limit, func(ctx context.Context) (any, error) { return nil, call(ctx) })
	return err
}

// batchItems is how many changes of a batch are made before the context is checked again.
const batchItems = 50

// RunBatches makes the changes of batches until ctx ends. Several processes may run it.
func (r *Runner) RunBatches(ctx context.Context) {
	r.loop(ctx, "batch", "cannot go on with a batch", poll/2, func(ctx context.Context) (bool, error) {
		return within(ctx, callLimit, func(ctx context.Context) (bool, error) { return r.store.RunBatch(ctx, batchItems) })
	})
}

// RunImports runs imports of people until ctx ends; one that is then under way goes back to the queue. Several
// processes may run it.
func (r *Runner) RunImports(ctx context.Context) {
	r.release(ctx, "imports", func(ctx context.Context, s *models.Store) error {
		return people.AbandonImports(ctx, s, true)
	})
	r.loop(ctx, "import", "cannot make an import", poll/2, func(ctx context.Context) (bool, error) {
		return people.RunImport(ctx, r.store)
	})
}

// release puts jobs that were under way when another process ended back into the queue.
func (r *Runner) release(ctx context.Context, what string, do func(context.Context, *models.Store) error) {
	err := runWithin(ctx, callLimit, func(ctx context.Context) error { return do(ctx, r.store) })
	if err != nil && ctx.Err() == nil {
		slog.Error("cannot look for "+what+" that were cut short", "error", err.Error())
	}
}

// loop runs work until ctx ends, one job after the other, and pauses for rest when there is none or one failed.
func (r *Runner) loop(ctx context.Context, kind, fault string, rest time.Duration,
	work func(context.Context) (worked bool, err error)) {
	for ctx.Err() == nil {
		working, done := r.options.Tracer.Work(ctx, kind)
		worked, err := work(working)
		done(worked, err)
		if err != nil && ctx.Err() == nil {
			slog.Error(fault, "error", err.Error())
		}
		if err != nil || !worked {
			sleep(ctx, rest)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// RunArchives makes the archives that staff requested until ctx ends; one that is then under way goes back to the
// queue. Several processes may run it.
func (r *Runner) RunArchives(ctx context.Context) {
	r.release(ctx, "archives", making.Release)
	r.loop(ctx, "archive", "cannot make an archive", poll, func(ctx context.Context) (bool, error) {
		return making.Run(ctx, r.store)
	})
}

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
