package main

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/valyala/fasthttp"
)

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
		began := time.Now()
		t.ask("GET", t.base+"/readyz", "", "", func(*fasthttp.Request, *fasthttp.Response) {})
		ready.times = append(ready.times, time.Since(began))
	}
	ready.print(name)
	keep(dialect, name, measurement{p50: ready.percentile(0.5)})
	t.sequence(300, "POST", "/sessions/create", create).print("create, one at a time")
	t.measureUpkeep()
	fmt.Println()
}

// measureUpkeep measures what runs without a request while all these deliveries are due: the metrics, and the upkeep
// after start-up, for which every emission is old enough to delete and none may be deleted.
func (t *target) measureUpkeep() {
	metrics := &result{}
	for range 10 {
		began := time.Now()
		status, _, err := t.client.Get(nil, t.metrics)
		if check(err); status != fasthttp.StatusOK {
			log.Fatalf("metrics: %d", status)
		}
		metrics.times = append(metrics.times, time.Since(began))
	}
	metrics.print("metrics, 1,000,000 due")
	keep(t.dialect, "metrics, 1,000,000 due", measurement{p50: metrics.percentile(0.5)})
	t.stop()
	execute(t.database, "UPDATE emissions SET occurred_at = now() - interval '1 year'")
	execute(t.database, "VACUUM ANALYZE emissions") // as autovacuum would within hours
	t.serve()
	const window = 20 * time.Second
	before := t.spent()
	time.Sleep(window)
	spent := t.spent().since(before)
	fmt.Printf("sweepings of the first %v, 1,000,000 due and old: %v\n", window, spent)
	took := spent.server + spent.database
	keep(t.dialect, "sweepings, 1,000,000 due", measurement{p50: float64(took.Milliseconds())})
}
