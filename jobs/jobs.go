// Package jobs does what happens after a commit: the deliveries of emissions.
// Nothing here can change the outcome of the write that caused it.
package jobs

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"lectern/models"
)

// Options are what deliveries need beside the store.
type Options struct {
	UserAgent string
	// AllowNets are networks that deliveries may reach although they are private.
	AllowNets []netip.Prefix
	// Retention is how long the delivery log is kept; 0 is for good.
	Retention time.Duration
	// Managed is where emissions are handed to; the zero value delivers to the
	// endpoints of the organization.
	Managed ManagedOptions
	// Connect and Total bound one attempt; 5 s and 15 s when 0.
	Connect, Total time.Duration
}

// Runner delivers.
type Runner struct {
	store   *models.Store
	options Options
	send    func(context.Context, *models.Round, *models.Delivery)
	wake    chan struct{}
	// When Wake was last called, and when the run of calls it belongs to began, in
	// Unix nanoseconds.
	last, began atomic.Int64
}

// New returns a runner that is woken by Wake and started by Run.
func New(store *models.Store, options Options) *Runner {
	if options.Connect == 0 {
		options.Connect = 5 * time.Second
	}
	if options.Total == 0 {
		options.Total = 15 * time.Second
	}
	r := &Runner{store: store, options: options, wake: make(chan struct{}, 1)}
	client := newClient(options)
	if options.Managed.Enabled() {
		r.send = (&managed{options.Managed, options.UserAgent, client}).send
	} else {
		r.send = (&builtin{options.UserAgent, client}).send
	}
	return r
}

// Wake tells that there are new emissions. It never blocks.
func (r *Runner) Wake() {
	now := time.Now().UnixNano()
	if now-r.last.Swap(now) > int64(quiet) {
		r.began.Store(now)
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

const (
	// poll finds what other processes committed.
	poll = time.Second
	// Deliveries stand back while changes follow one another within quiet, so that
	// writes are as fast as without receivers, but for no longer than standBack.
	quiet     = 100 * time.Millisecond
	standBack = 5 * time.Second
	batch     = 200
	sweepEach = time.Hour
)

// Run delivers until ctx ends, then lets running attempts finish, which takes no
// longer than drain. One process at a time delivers; others wait for their turn.
func (r *Runner) Run(ctx context.Context, drain time.Duration) {
	for ctx.Err() == nil {
		lead, err := r.store.TakeLead(ctx)
		if err != nil && ctx.Err() == nil {
			slog.Error("deliveries wait for the database", "error", err.Error())
		}
		if lead != nil {
			r.lead(ctx, lead, drain)
			lead.Release()
			continue
		}
		sleep(ctx, poll)
	}
}

// batchItems is how many changes of a batch are made before looking up.
const batchItems = 50

// RunBatches makes the changes of batches until ctx ends. Several processes may.
func (r *Runner) RunBatches(ctx context.Context) {
	for ctx.Err() == nil {
		worked, err := r.store.RunBatch(ctx, batchItems)
		if err != nil && ctx.Err() == nil {
			slog.Error("cannot go on with a batch", "error", err.Error())
		}
		if err != nil || !worked {
			sleep(ctx, poll/2)
		}
	}
}

// lead delivers for as long as this process has the lead.
func (r *Runner) lead(ctx context.Context, lead *models.Lead, drain time.Duration) {
	if err := r.store.InterruptDeliveries(ctx); err != nil {
		slog.Error("cannot close interrupted deliveries", "error", err.Error())
	}
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	lines := &lines{run: func(id string, stopping func() bool) { r.line(work, id, stopping) }, at: map[string]bool{}}
	defer lines.drain(drain, stop)
	var swept time.Time
	for ctx.Err() == nil {
		if err := lead.Held(ctx); err != nil {
			return
		}
		if time.Since(swept) > sweepEach {
			swept = time.Now()
			r.sweep(ctx)
		}
		if r.fanOut(ctx, lines) {
			continue
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
			sleep(ctx, quiet) // commits that follow closely share one transaction
			r.giveWay(func() bool { return ctx.Err() != nil })
		case <-time.After(poll):
		}
	}
}

// sweep forgets what is too old to matter.
func (r *Runner) sweep(ctx context.Context) {
	if err := r.store.SweepSignIns(ctx); err != nil {
		slog.Error("cannot sweep old logins and links", "error", err.Error())
	}
	if r.options.Retention == 0 {
		return
	}
	if err := r.store.PruneDeliveries(ctx, r.options.Retention); err != nil {
		slog.Error("cannot prune the delivery log", "error", err.Error())
	}
}

// busy tells whether changes keep coming, and for how long they have.
func (r *Runner) busy() (time.Duration, bool) {
	last := time.Unix(0, r.last.Load())
	return last.Sub(time.Unix(0, r.began.Load())), time.Since(last) < quiet
}

// giveWay waits until changes pause, or have kept coming for standBack.
func (r *Runner) giveWay(stopping func() bool) {
	for !stopping() {
		if lasted, busy := r.busy(); !busy || lasted > standBack {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// fanOut puts new emissions in line, starts the lines that have work, and tells
// whether there may be more at once.
func (r *Runner) fanOut(ctx context.Context, lines *lines) bool {
	n, err := r.store.FanOut(ctx, r.options.Managed.Enabled(), batch)
	if err != nil {
		if ctx.Err() == nil {
			slog.Error("cannot put emissions in line", "error", err.Error())
		}
		return false
	}
	ids, err := r.store.Lines(ctx)
	if err != nil {
		if ctx.Err() == nil {
			slog.Error("cannot read the lines", "error", err.Error())
		}
		return false
	}
	for _, id := range ids {
		lines.start(id)
	}
	return n == batch
}

// lines runs one goroutine a receiver, so that one that hangs delays no other.
type lines struct {
	run      func(id string, stopping func() bool)
	mu       sync.Mutex
	at       map[string]bool
	stopping bool
	wait     sync.WaitGroup
}

func (l *lines) start(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at[id] || l.stopping {
		return
	}
	l.at[id] = true
	l.wait.Go(func() {
		l.run(id, l.isStopping)
		l.mu.Lock()
		delete(l.at, id)
		l.mu.Unlock()
	})
}

func (l *lines) isStopping() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopping
}

// drain lets the attempts under way finish, and ends them after a while.
func (l *lines) drain(limit time.Duration, stop func()) {
	l.mu.Lock()
	l.stopping = true
	l.mu.Unlock()
	timer := time.AfterFunc(limit, stop)
	l.wait.Wait()
	timer.Stop()
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
