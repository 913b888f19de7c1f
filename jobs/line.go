package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"lectern/models"
)

const (
	// patience is how long a line waits for an answer before the next delivery
	// may overtake.
	patience = 2 * time.Second
	// overtaking is how many attempts to one receiver may be under way at once.
	overtaking = 8
	// A receiver that fails is asked less and less often, up to breakMax: nobody
	// waits for it, and each attempt costs the database as much as a write.
	breakStep, breakMax = 100 * time.Millisecond, 2 * time.Second
	// While changes keep coming for longer than standBack, a line uses a ninth of
	// the time, with pauses up to breathing, and leaves the rest to requests.
	breathing = 40 * time.Millisecond
)

// line delivers what waits for one receiver, in the order of the commits for as
// long as the receiver answers, and ends when nothing waits.
func (r *Runner) line(ctx context.Context, id string, stopping func() bool) {
	var under sync.WaitGroup
	defer under.Wait()
	slots := make(chan struct{}, overtaking)
	var done *models.Delivery
	failures := 0
	for !stopping() {
		r.giveWay(stopping)
		slots <- struct{}{} // before the taking: what is taken is sent at once
		start := time.Now()
		round, err := r.store.NextRound(ctx, id, r.options.Managed.URL, done)
		if err != nil {
			<-slots
			if ctx.Err() != nil {
				return
			}
			slog.Error("cannot take the next delivery", "error", err.Error())
			sleep(ctx, poll)
			continue
		}
		done = nil
		if round == nil {
			return
		}
		ended := make(chan *models.Delivery, 1)
		under.Go(func() {
			ended <- r.round(ctx, round)
			<-slots
		})
		select {
		case done = <-ended:
			// Kept together with the taking of the next one, unless that is far off.
			if done == nil || done.Outcome == models.Success {
				failures = 0
				if _, busy := r.busy(); busy {
					sleep(ctx, min(8*time.Since(start), breathing))
				}
				continue
			}
			failures++
			r.keep(ctx, done)
			done = nil
			sleepUnless(stopping, min(time.Duration(failures)*breakStep, breakMax))
		case <-time.After(patience):
			under.Go(func() { r.keep(ctx, <-ended) })
		}
	}
	if done != nil {
		r.keep(ctx, done)
	}
}

// sleepUnless pauses for d, or until it is time to stop.
func sleepUnless(stopping func() bool, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && !stopping(); {
		time.Sleep(20 * time.Millisecond)
	}
}

// round makes the one delivery round of an emission: an attempt and, if the
// contract asks for it, one immediate retry. It returns the last attempt, whose
// outcome is still to be kept, or nil.
func (r *Runner) round(ctx context.Context, round *models.Round) *models.Delivery {
	attempt := round.Delivery
	if attempt.Outcome != models.Sending {
		return nil // it failed before it began, and the log has it
	}
	r.send(ctx, round, attempt)
	if !attempt.Retry() {
		return attempt
	}
	second, err := r.store.BeginRetry(ctx, attempt)
	for err != nil && ctx.Err() == nil {
		slog.Error("cannot keep a delivery", "error", err.Error())
		sleep(ctx, poll)
		second, err = r.store.BeginRetry(ctx, attempt)
	}
	if err != nil {
		return attempt
	}
	r.send(ctx, round, second)
	return second
}

// keep writes an outcome to the log, however long the database is away.
func (r *Runner) keep(ctx context.Context, d *models.Delivery) {
	if d == nil {
		return
	}
	for {
		err := r.store.FinishDelivery(ctx, d)
		if err == nil || ctx.Err() != nil {
			return
		}
		slog.Error("cannot keep a delivery", "error", err.Error())
		sleep(ctx, poll)
	}
}
