package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"lectern/models/outbox"
)

// term is the period for which this process has the lead.
type term struct {
	*Runner
	lead *outbox.Lead
	// The three contexts end in this order: no attempt begins any more; attempts under way are given up; the database is
	// no longer waited for.
	beginning, sending, keeping context.Context

	goroutines sync.WaitGroup
	mu         sync.Mutex
	lines      map[string]*receiverQueue // by receiver
}

const fanOutAtOnce = 200

// lead delivers for as long as this process has the lead, then lets running attempts finish.
func (r *Runner) lead(ctx context.Context, lead *outbox.Lead, drain time.Duration) {
	t := &term{Runner: r, lead: lead, lines: map[string]*receiverQueue{}}
	var end, giveUp, leave, rest context.CancelFunc
	t.beginning, end = context.WithCancel(ctx)
	t.sending, giveUp = context.WithCancel(context.WithoutCancel(ctx))
	t.keeping, leave = context.WithCancel(context.WithoutCancel(ctx))
	renewing, rest := context.WithCancel(t.keeping)
	var renewal sync.WaitGroup
	defer renewal.Wait()
	defer leave()
	defer rest()
	defer giveUp()
	defer end()

	renewal.Go(func() { t.renew(renewing, end) })
	t.goroutines.Go(t.sweep)
	if t.interrupt() {
		t.fanOut()
	}
	// The last quarter is left for recording the outcomes of the attempts.
	defer time.AfterFunc(drain*3/4, giveUp).Stop()
	defer time.AfterFunc(drain, leave).Stop()
	finished := make(chan struct{})
	go func() { t.goroutines.Wait(); close(finished) }()
	select {
	case <-finished:
		rest()
		if err := runWithin(t.keeping, callLimit, t.lead.Release); err != nil {
			slog.Warn("the lead ends by itself", "error", err.Error())
		}
	case <-t.keeping.Done():
		slog.Error("some deliveries are left as they were: the database does not answer")
	}
}

// renew keeps the lead until ctx ends, and ends the term when another process has taken it.
func (t *term) renew(ctx context.Context, end func()) {
	each := t.options.Lease / 5
	for sleep(ctx, each); ctx.Err() == nil; sleep(ctx, each) {
		switch err := runWithin(ctx, each, t.lead.Renew); {
		case errors.Is(err, outbox.ErrLeadLost):
			slog.Warn("another process delivers now")
			end()
			return
		case err != nil && ctx.Err() == nil:
			slog.Error("cannot renew the lead", "error", err.Error())
		}
	}
}

// interrupt closes the deliveries that the previous leader left open, before this process begins any. It reports
// whether it succeeded.
func (t *term) interrupt() bool {
	for t.beginning.Err() == nil {
		err := runWithin(t.beginning, callLimit, t.store.Outbox.InterruptDeliveries)
		if err == nil {
			return true
		}
		slog.Error("cannot close interrupted deliveries", "error", err.Error())
		sleep(t.beginning, poll)
	}
	return false
}

// fanOut queues new emissions and starts the lines that have work, until no more may begin.
func (t *term) fanOut() {
	for t.pace.Wait(t.beginning) == nil {
		more, err := false, error(nil)
		if t.lead.Valid() {
			more, err = t.fanOutOnce()
		}
		if err != nil && t.beginning.Err() == nil {
			slog.Error("cannot put emissions in line", "error", err.Error())
		}
		if more {
			continue
		}
		select {
		case <-t.beginning.Done():
		case <-t.wake:
		case <-time.After(poll):
		}
	}
}

func (t *term) fanOutOnce() (more bool, err error) {
	ctx, cancel := context.WithTimeout(t.beginning, callLimit)
	defer cancel()
	n, err := t.store.Outbox.FanOut(ctx, t.options.Managed.Enabled(), fanOutAtOnce)
	if err != nil {
		return false, err
	}
	ids, err := t.store.Outbox.Lines(ctx)
	for _, id := range ids {
		t.start(id)
	}
	return n == fanOutAtOnce, err
}

// start runs the line of a receiver, or signals to a running one that there may be more.
func (t *term) start(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, runs := t.lines[id]
	if !runs {
		l = newReceiverQueue(t, id)
		t.lines[id] = l
		t.goroutines.Go(l.run)
		return
	}
	select {
	case l.more <- struct{}{}:
	default:
	}
}

// ends removes a line that found nothing, and reports false if the line has been signalled since.
func (t *term) ends(l *receiverQueue) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(l.more) > 0 && t.beginning.Err() == nil {
		return false
	}
	delete(t.lines, l.id)
	return true
}
