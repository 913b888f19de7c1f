package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"sync/atomic"
	"time"
)

const measuredWrites, rounds = 1000, 3

// measureWebhooks compares writes without endpoints with the same writes while
// three are active, one of which hangs and one of which is dead, and tells when
// the healthy one has all.
func (t *target) measureWebhooks() {
	write := func(i int) string { return fmt.Sprintf(`{"title": "Written %d", "is_abstract": true}`, i) }
	before := t.writes("1,000 writes, no endpoint", write)

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
	during := t.writes("1,000 writes, three endpoints", write)
	last := time.Now()
	const all = rounds * measuredWrites
	for arrived.Load() < all && time.Since(last) < time.Minute {
		time.Sleep(5 * time.Millisecond)
	}
	fmt.Printf("p99 with endpoints is %.2f times that without; the healthy endpoint had %d of %d %.2f s after the last write\n",
		during/before, arrived.Load(), all, time.Since(last).Seconds())
}

// writes makes 1,000 writes, some rounds of it, and returns the median of the
// rounds' p99: one round's are ten samples.
func (t *target) writes(name string, write func(int) string) float64 {
	var p99 []float64
	for range rounds {
		r := t.sequence(measuredWrites, "POST", "/sessions/create", write)
		r.print(name)
		p99 = append(p99, r.percentile(0.99))
	}
	slices.Sort(p99)
	return p99[rounds/2]
}
