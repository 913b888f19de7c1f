// Package jobs does what happens after a commit: the deliveries of emissions, the changes of batches,
// imports of people and letters of ours. Nothing here can change the outcome of the write that caused it.
package jobs

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"golang.org/x/time/rate"

	"lectern/jobs/tracing"
	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/people"
)

// Options are what deliveries need beside the store.
type Options struct {
	UserAgent string
	// AllowNets are networks that deliveries may reach although they are private.
	AllowNets []netip.Prefix
	// Beside is a receiver in this process, which is reached although it is on loopback; none when it is zero.
	Beside netip.AddrPort
	// Retention is how long the delivery log is kept; 0 is for good.
	Retention time.Duration
	// Managed is where emissions are handed to; the zero value delivers to the endpoints of the organization.
	Managed ManagedOptions
	// Connect and Total bound one attempt; 5 s and 15 s when 0.
	Connect, Total time.Duration
	// Tracer traces what is done; nil traces nothing.
	Tracer *tracing.Tracer
	// Lease is how long a process that says nothing keeps the lead; 10 s when 0.
	Lease time.Duration
}

// Runner delivers.
type Runner struct {
	store   *models.Store
	options Options
	senders map[outbox.Driver]sender
	wake    chan struct{}
	// pace bounds the transactions of deliveries, and so what they take from
	// requests. What ends meanwhile is kept together.
	pace *rate.Limiter
}

// sender makes an attempt and writes onto it what came of it.
type sender interface {
	send(ctx context.Context, round *outbox.Round, attempt *outbox.Delivery)
}

const (
	// poll finds what other processes committed.
	poll = time.Second
	// callLimit is how long a call of the store may take, so that a database that hangs holds nothing for good.
	callLimit = 10 * time.Second
	// perSecond bounds the transactions of deliveries.
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

// Wake tells that there are new emissions. It never blocks.
func (r *Runner) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run delivers until ctx ends, then lets running attempts finish and keeps what became of them. It returns
// within drain after the end of ctx, also when the database hangs; attempts that are still under way shortly
// before are given up and closed as interrupted. One process at a time delivers; others wait for their turn.
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

// within bounds a call of the store.
func within[T any](ctx context.Context, limit time.Duration, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return call(ctx)
}

// batchItems is how many changes of a batch are made before looking up.
const batchItems = 50

// RunBatches makes the changes of batches until ctx ends. Several processes may.
func (r *Runner) RunBatches(ctx context.Context) {
	r.loop(ctx, "batch", "cannot go on with a batch", poll/2, func(ctx context.Context) (bool, error) {
		return within(ctx, callLimit, func(ctx context.Context) (bool, error) { return r.store.RunBatch(ctx, batchItems) })
	})
}

// RunImports makes imports of people until ctx ends; one that is under way then is put back in line. Several
// processes may.
func (r *Runner) RunImports(ctx context.Context) {
	r.release(ctx, "imports", func(ctx context.Context,
		s *models.Store) error {
		return people.AbandonImports(ctx, s, true)
	})
	r.loop(ctx, "import", "cannot make an import", poll/2, func(ctx context.Context) (bool, error) {
		return people.RunImport(ctx, r.store)
	})
}

// release puts back in line what was under way as another process ended.
func (r *Runner) release(ctx context.Context, what string, do func(context.Context, *models.Store) error) {
	if _, err := within(ctx, callLimit, func(ctx context.Context) (any, error) {
		return nil, do(ctx, r.store)
	}); err != nil && ctx.Err() == nil {
		slog.Error("cannot look for "+what+" that were cut short", "error", err.Error())
	}
}

// loop works until ctx ends, one piece of a kind after the other, and rests where there is none.
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
