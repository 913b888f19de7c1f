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

const measuredWrites = 1000

// measureWebhooks compares writes without endpoints with the same writes while
// three are active, one of which hangs and one of which is dead, and tells when
// the healthy one has all.
func (t *target) measureWebhooks() {
	write := func(i int) string { return fmt.Sprintf(`{"title": "Written %d", "is_abstract": true}`, i) }
	before := t.sequence(measuredWrites, "POST", "/sessions/create", write)
	before.print("1,000 writes, no endpoint")

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
	during := t.sequence(measuredWrites, "POST", "/sessions/create", write)
	last := time.Now()
	during.print("1,000 writes, three endpoints")
	for arrived.Load() < measuredWrites && time.Since(last) < time.Minute {
		time.Sleep(5 * time.Millisecond)
	}
	fmt.Printf("p99 with endpoints is %.2f times that without; the healthy endpoint had %d of %d %.2f s after the last write\n",
		during.percentile(0.99)/before.percentile(0.99), arrived.Load(), measuredWrites, time.Since(last).Seconds())
}
