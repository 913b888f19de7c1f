package jobs

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"time"

	"lectern/models/outbox"
)

const (
	// workers is how many rounds to one receiver may be under way at once.
	workers = 8
	// After a failure the next round waits, twice as long each time. The longest pause and a round together stay below
	// the time after which deliveries count as stuck.
	firstPause, longestPause = 100 * time.Millisecond, 30 * time.Second
)

// receiverQueue delivers the queue of one receiver: in commit order, the emissions of one resource one after the other,
// and one at a time while the receiver fails.
type receiverQueue struct {
	*term
	id       string
	more     chan struct{}      // signals that more is queued
	ended    chan ended         // has room for all rounds under way
	under    map[string]bool    // resources that have a round under way
	done     []*outbox.Delivery // attempts whose outcome is not recorded yet
	doubtful []*outbox.Round    // rounds of calls that failed, which may have begun
	empty    bool               // nothing that is queued may begin
	failures int                // since the receiver last answered well
	failed   time.Time          // time of the last failure
	pause    time.Duration      // from failed until the next round
}

// ended is a round that is over.
type ended struct {
	attempt *outbox.Delivery // the last attempt
	began   time.Time
	kept    bool // its outcome is in the log
}

func newReceiverQueue(t *term, id string) *receiverQueue {
	return &receiverQueue{term: t, id: id, more: make(chan struct{}, 1), ended: make(chan ended, workers), under: map[string]bool{}}
}

// run delivers until the queue is empty and no round is under way.
func (l *receiverQueue) run() {
	for l.keeping.Err() == nil {
		l.collect()
		if !l.hasWork() {
			if l.isIdle() && l.ends(l) {
				return
			}
			l.wait()
			continue
		}
		// Wait fails when nothing may begin any more; ended rounds are then recorded at once.
		l.pace.Wait(l.beginning)
		l.collect()
		if err := l.take(); err != nil && l.keeping.Err() == nil {
			slog.Error("cannot take the next deliveries", "error", err.Error())
			sleep(l.keeping, poll)
		}
	}
}

// collect settles the rounds that have ended, without waiting.
func (l *receiverQueue) collect() {
	for {
		select {
		case e := <-l.ended:
			l.settle(e)
		case <-l.more:
			l.empty = false
		default:
			return
		}
	}
}

// wait returns when something has changed.
func (l *receiverQueue) wait() {
	stop := l.beginning.Done()
	if l.beginning.Err() != nil {
		stop = l.keeping.Done()
	}
	after := poll // no signal comes when the lead is valid again
	if left := l.pause - time.Since(l.failed); left > 0 {
		after = min(after, left)
	}
	select {
	case e := <-l.ended:
		l.settle(e)
	case <-l.more:
		l.empty = false
	case <-time.After(after):
	case <-stop:
	}
}

// settle notes the end of a round. Several that failed together count as one failure.
func (l *receiverQueue) settle(e ended) {
	delete(l.under, e.attempt.ResourceID)
	l.empty = false
	if !e.kept {
		l.done = append(l.done, e.attempt)
	}
	switch {
	case e.attempt.ResponseStatus != nil && !e.attempt.SlowDown(): // the receiver is up, though it may refuse
		l.failures = 0
	case e.attempt.SlowDown() && e.began.After(l.failed):
		l.pause = min(firstPause<<min(l.failures, 20), longestPause)
		l.failures, l.failed = l.failures+1, time.Now()
	}
}

// may returns how many rounds may begin now.
func (l *receiverQueue) may() int {
	switch {
	case l.empty || l.beginning.Err() != nil || !l.lead.Valid():
		return 0
	case l.failures == 0:
		return workers - len(l.under)
	case len(l.under) == 0 && time.Since(l.failed) >= l.pause:
		return 1
	}
	return 0
}

func (l *receiverQueue) hasWork() bool { return l.may() > 0 || len(l.done) > 0 || len(l.asked()) > 0 }

// asked returns the doubtful rounds to look up now: while another process may have the lead, they wait.
func (l *receiverQueue) asked() []*outbox.Round {
	if l.lead.Valid() || l.beginning.Err() != nil {
		return l.doubtful
	}
	return nil
}

// isIdle reports whether the line has nothing to remember. A line that fails stays for a while, so that new emissions
// wait for its pause.
func (l *receiverQueue) isIdle() bool {
	if len(l.under) > 0 || len(l.done) > 0 || len(l.doubtful) > 0 {
		return false
	}
	return l.beginning.Err() != nil || l.empty && (l.failures == 0 || time.Since(l.failed) > longestPause)
}

// take records ended rounds and begins new ones, in one transaction.
func (l *receiverQueue) take() error {
	take := outbox.Take{
		Line: l.id, URL: l.managedURL(), Most: l.may(), Busy: slices.Sorted(maps.Keys(l.under)), Done: l.done,
		Doubtful: l.asked(),
	}
	ctx, cancel := context.WithTimeout(l.keeping, callLimit)
	defer cancel()
	rounds, more, err := l.store.Outbox.TakeRounds(ctx, take)
	if err != nil {
		l.doubtful = append(l.doubtful, rounds...)
		return err
	}
	l.done = nil
	if len(take.Doubtful) > 0 {
		l.doubtful = nil
	}
	l.empty = l.empty || (take.Most > 0 && !more)
	for _, round := range rounds {
		l.under[round.Delivery.ResourceID] = true
		l.goroutines.Go(func() { l.ended <- l.round(round) })
	}
	return nil
}

// round makes the one delivery round of an emission: an attempt and, if the contract asks for it, one immediate retry.
func (t *term) round(round *outbox.Round) ended {
	first, began := round.Delivery, time.Now()
	if first.Outcome != outbox.Sending {
		return ended{first, began, true} // it failed before it began, as recorded in the log
	}
	ctx, done := t.options.Tracer.Work(t.keeping, "delivery")
	t.attempt(round, first)
	last := first
	if second := t.retry(ctx, first); second != nil {
		t.attempt(round, second)
		last = second
	}
	var failed error
	if last.Outcome == outbox.Failure {
		failed = errReachedNobody
	}
	done(true, failed)
	return ended{last, began, false}
}

// errReachedNobody is reported to traces only.
var errReachedNobody = errors.New("the delivery reached nobody")

// attempt sends, unless another process has taken the lead. While that is unknown, as when the database hangs, it
// waits.
func (t *term) attempt(round *outbox.Round, d *outbox.Delivery) {
	for !t.lead.Valid() && t.beginning.Err() == nil {
		sleep(t.beginning, poll/10)
	}
	d.Outcome, d.ErrorClass = outbox.Failure, outbox.InterruptedError
	if t.lead.Valid() && t.sending.Err() == nil {
		t.senders[d.Driver].send(t.sending, round, d)
	}
	if d.Outcome == outbox.Failure && d.ResponseStatus == nil && t.sending.Err() != nil {
		d.ErrorClass = outbox.InterruptedError
	}
}

// retry begins the second attempt if one is due, and waits for the database for as long as that is away.
func (t *term) retry(ctx context.Context, first *outbox.Delivery) *outbox.Delivery {
	for first.Retry() && t.sending.Err() == nil {
		if t.lead.Valid() {
			second, err := within(ctx, callLimit, func(ctx context.Context) (*outbox.Delivery, error) {
				return t.store.Outbox.BeginRetry(ctx, first)
			})
			if err == nil {
				return second
			}
			slog.Error("cannot keep a delivery", "error", err.Error())
		} else if t.beginning.Err() != nil {
			return nil
		}
		sleep(t.sending, poll)
	}
	return nil
}
