package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
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

// backlog is the number of due deliveries while readiness is measured.
const backlog = 1_000_000

// measureBacklog measures readiness and writes while a million deliveries wait for an endpoint that never answers. The
// tables are not analysed after the insert.
func measureBacklog(dialect, dir, binary string) {
	if dialect != "postgres" {
		return
	}
	t, remove := newTarget(dialect, dir, binary)
	defer remove()
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer func() { close(release); hanging.Close() }()
	t.command(nil, "webhook", "create", "--url", hanging.URL)
	t.serve()
	defer t.stop()
	create := func(i int) string { return fmt.Sprintf(`{"title": "Measured %d"}`, i) }
	t.send("POST", "/sessions/create", create(0))
	// Each delivery has its own emission, as in real life. Foreign keys are not checked: that took minutes.
	execute(t.database, fmt.Sprintf(`SET session_replication_role = replica;
		WITH told AS (INSERT INTO emissions (id, organization_id, event_id, type, resource_id, data, occurred_at, fanned_at)
			SELECT e.id || '-' || n, organization_id, event_id, type, resource_id, '{}', now(), now()
			FROM (SELECT * FROM emissions ORDER BY seq LIMIT 1) e, generate_series(1, %d) n RETURNING *)
		INSERT INTO deliveries_due (emission_seq, webhook_id, organization_id, resource_id)
		SELECT e.seq, w.id, e.organization_id, e.resource_id FROM told e, webhook_endpoints w`, backlog))
	fmt.Printf("%-34s %10s %9s %9s\n", "postgres, 1,000,000 due", "per s", "p50 ms", "p99 ms")
	name, ready := "ready, 1,000,000 deliveries due", &result{}
	for range 10 {
		time.Sleep(1100 * time.Millisecond) // readiness is cached for a second
		ready.time(func() { t.ask("GET", t.base+"/readyz", "", "", func(*fasthttp.Request, *fasthttp.Response) {}) })
	}
	ready.print(name)
	keep(dialect, name, ready.percentile(0.5))
	t.sequence(300, "POST", "/sessions/create", create).print("create, one at a time")
	t.measureUpkeep()
	fmt.Println()
}

// measureUpkeep measures what runs without a request while all these deliveries are due: the metrics, and the upkeep
// after start-up, for which every emission is old enough to delete and none may be deleted.
func (t *target) measureUpkeep() {
	metrics := &result{}
	for range 10 {
		metrics.time(func() { t.ask("GET", t.metrics, "", "", func(*fasthttp.Request, *fasthttp.Response) {}) })
	}
	metrics.print("metrics, 1,000,000 due")
	keep(t.dialect, "metrics, 1,000,000 due", metrics.percentile(0.5))
	t.stop()
	execute(t.database, "UPDATE emissions SET occurred_at = now() - interval '1 year'")
	execute(t.database, "VACUUM ANALYZE emissions") // as autovacuum would within hours
	t.serve()
	const window = 20 * time.Second
	before := t.spent()
	time.Sleep(window)
	spent := t.spent().since(before)
	fmt.Printf("sweepings of the first %v, 1,000,000 due and old: %v\n", window, spent)
	keep(t.dialect, "sweepings, 1,000,000 due", ms(spent.server+spent.database))
}

// measureWrites creates and updates sessions, one request after the other.
func (t *target) measureWrites(ids []string) {
	for _, write := range []struct {
		name, method, path string
		times              int
		body               func(int) string
	}{
		{"create, one at a time", "POST", "/sessions/create", 300, func(i int) string {
			return fmt.Sprintf(`{"title": "Measured %d", "is_abstract": true, "description": "<p>Some text</p>"}`, i)
		}},
		{"update, one at a time", "PUT", "/sessions/", 300, func(i int) string {
			return ids[i%len(ids)] + fmt.Sprintf(` {"title": "Changed %d"}`, i)
		}},
		{"bulk of 100 creates", "POST", "/sessions/bulk", 20, bulkOf100},
		{"bulk of 100 updates", "POST", "/sessions/bulk", 20, func(i int) string { return updatesOf(ids, i) }},
	} {
		r := t.sequence(write.times, write.method, write.path, write.body)
		r.print(write.name)
		keep(t.dialect, write.name, r.percentile(0.5))
	}
}

func bulkOf100(i int) string {
	var items []string
	for n := range 100 {
		items = append(items, fmt.Sprintf(`{"action": "create", "data": {"title": "Bulk %d %d", "is_abstract": true}}`, i, n))
	}
	return `{"operations": [` + strings.Join(items, ",") + `]}`
}

// updatesOf returns updates of the sessions' titles, texts and, in turn, statuses.
func updatesOf(ids []string, i int) string {
	statuses := []string{"pending", "accept_queue", "decline_queue", "withdrawn"}
	items := make([]string, len(ids))
	for n, id := range ids {
		items[n] = fmt.Sprintf(`{"action": "update", "id": %q, "data": {"title": "Bulk %d %d", "status": %q,
			"description": "<p>What it is about in draft %d, and whom it is for</p>"}}`, id, i, n, statuses[(i+n)%len(statuses)], i)
	}
	return `{"operations": [` + strings.Join(items, ",") + `]}`
}
