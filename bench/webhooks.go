package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync/atomic"
	"time"
)

const measuredWrites, rounds = 1000, 5

// measureWebhooks compares writes without endpoints with the same writes while
// three are active, one of which hangs and one of which is dead, and tells when
// the healthy one has all.
func (t *target) measureWebhooks() {
	write := func(i int) string { return fmt.Sprintf(`{"title": "Written %d", "is_abstract": true}`, i) }
	before := t.writes("1,000 writes, no endpoint", write, func() {})

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
	for _, address := range []string{healthy.URL, hanging.URL, dead} {
		cmd := exec.Command(t.binary, "webhook", "create", "--url", address)
		cmd.Env = t.env
		run(cmd)
	}
	// A round begins when the healthy endpoint has all of the one before.
	var slowest time.Duration
	expected := int64(0)
	during := t.writes("1,000 writes, three endpoints", write, func() {
		last := time.Now()
		expected += measuredWrites
		for arrived.Load() < expected && time.Since(last) < time.Minute {
			time.Sleep(5 * time.Millisecond)
		}
		slowest = max(slowest, time.Since(last))
	})
	fmt.Printf("p99 with endpoints is %.2f times that without; the healthy endpoint had %d of %d, at most %.2f s after the last write of a round\n",
		during/before, arrived.Load(), expected, slowest.Seconds())
}

// writes makes 1,000 writes, some rounds of it, and returns the p99 of all: that
// of one round would be its ten slowest.
func (t *target) writes(name string, write func(int) string, between func()) float64 {
	all := &result{}
	var took time.Duration
	for range rounds {
		start := time.Now()
		r := t.sequence(measuredWrites, "POST", "/sessions/create", write)
		all.times = append(all.times, r.times...)
		took += time.Since(start)
		between()
	}
	all.perSecond = float64(len(all.times)) / took.Seconds()
	all.print(name)
	return all.percentile(0.99)
}
