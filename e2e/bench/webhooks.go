package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"
)

const (
	measuredWrites = 500 // in a round
	rounds         = 10
)

// measureWebhooks compares writes without endpoints with writes while one endpoint hangs and one is dead, then also
// with a healthy one: on two servers in turns, because a machine's speed varies. It prints how soon the healthy one
// has received everything, and how much an endpoint that takes 50 ms receives.
func measureWebhooks(dialect, dir, binary string) {
	without, remove := newTarget(dialect, dir, binary)
	defer remove()
	with, remove := newTarget(dialect, dir, binary)
	defer remove()
	var arrived atomic.Int64
	healthy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		arrived.Add(1)
	}))
	defer healthy.Close()
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer func() { close(release); hanging.Close() }()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	dead := "http://" + closed.Addr().String()
	check(closed.Close())
	for _, address := range []string{hanging.URL, dead} {
		with.command(nil, "webhook", "create", "--url", address)
	}
	for _, t := range []*target{without, with} {
		t.serve()
		defer t.stop()
	}

	fmt.Printf("%-34s %10s %9s %9s\n", dialect+", deliveries", "per s", "p50 ms", "p99 ms")
	compare(without, with, "writes, one hangs, one is dead", func(int) {})
	with.command(nil, "webhook", "create", "--url", healthy.URL)
	var slowest time.Duration
	compare(without, with, "writes, and one is healthy", func(round int) {
		// A round begins when the healthy endpoint has received everything of the round before.
		slowest = max(slowest, within(time.Minute, func() bool { return arrived.Load() >= int64(measuredWrites*(round+1)) }))
	})
	fmt.Printf("the healthy endpoint had %d of %d, at most %.2f s after a round's last write\n",
		arrived.Load(), measuredWrites*rounds, slowest.Seconds())
	with.measureSlow()
}

// compare prints the times of writes on both servers in turns, and calls after when a round ends.
func compare(without, with *target, name string, after func(round int)) {
	before, during := &result{}, &result{}
	for round := range rounds {
		without.writes(before)
		with.writes(during)
		after(round)
	}
	before.print("writes, no endpoint")
	during.print(name)
	fmt.Printf("p99 with endpoints is %.2f times that without, p50 %.2f times\n",
		during.percentile(0.99)/before.percentile(0.99), during.percentile(0.5)/before.percentile(0.5))
}

// writes adds a round of writes to a result.
func (t *target) writes(to *result) {
	to.add(t.sequence(measuredWrites, "POST", "/sessions/create", func(i int) string {
		return fmt.Sprintf(`{"title": "Written %d", "is_abstract": true}`, i)
	}))
}

// within waits until a condition holds, and returns how long that took.
func within(limit time.Duration, holds func() bool) time.Duration {
	start := time.Now()
	for !holds() && time.Since(start) < limit {
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(start)
}

// measureSlow writes as fast as it can while an endpoint takes 50 ms for each delivery.
func (t *target) measureSlow() {
	var arrived atomic.Int64
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		time.Sleep(50 * time.Millisecond)
		arrived.Add(1)
	}))
	defer slow.Close()
	t.command(nil, "webhook", "create", "--url", slow.URL)
	start := time.Now()
	t.writes(&result{})
	t.writes(&result{})
	wrote := time.Since(start)
	more := within(2*time.Minute, func() bool { return arrived.Load() >= 2*measuredWrites })
	fmt.Printf("an endpoint that takes 50 ms had %d after %.1f s of writes and %.1f s more, %.0f per s\n\n",
		arrived.Load(), wrote.Seconds(), more.Seconds(), float64(arrived.Load())/(wrote+more).Seconds())
}
