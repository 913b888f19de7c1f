package tracing

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/jobs/tracing/tracingtest"
	"lectern/models/modelstest"
)

func start(t *testing.T, o Options) *Tracer {
	t.Helper()
	o.Version, o.Instance, o.Database = "1.0", "host/7", "postgres"
	tracer := modelstest.Must(Start(o))(t)
	t.Cleanup(tracer.End)
	return tracer
}

func text(sql string) func() string { return func() string { return sql } }

func TestARequestTakesItsStatementsAlong(t *testing.T) {
	c := tracingtest.Collect(t)
	tracer := start(t, Options{URL: c.URL, Share: 1, Headers: map[string]string{"authorization": "Bearer hush"}})
	ctx, end := tracer.Request(t.Context(), "GET", "")
	tracer.Statement(ctx, time.Now().Add(-time.Millisecond), text(`SELECT * FROM "sessions" WHERE id = $1`), nil)
	tracer.Statement(ctx, time.Now(), text("INSERT INTO activity VALUES ($1)"), errors.New("its values: hush"))
	tracer.Statement(t.Context(), time.Now(), text("SELECT 1 FROM users"), nil) // nobody's
	end(Answer{Route: "/v1/event/:eventId", RequestID: "request-1", Status: 503})
	tracer.End()
	request, one, two := c.Named("GET /v1/event/:eventId"), c.Named("SELECT sessions"), c.Named("INSERT activity")
	if len(c.Spans()) != 3 || len(request) != 1 || len(one) != 1 || len(two) != 1 {
		t.Fatalf("%+v", c.Spans())
	}
	if a := request[0].Attributes; !request[0].Failed || a["service.name"] != "lectern" || a["service.version"] != "1.0" ||
		a["service.instance.id"] != "host/7" || a["http.route"] != "/v1/event/:eventId" || a["lectern.request_id"] != "request-1" {
		t.Errorf("%+v", request[0])
	}
	if one[0].Parent != request[0].ID || one[0].Trace != request[0].Trace || one[0].Failed || !two[0].Failed ||
		one[0].Attributes["db.system.name"] != "postgresql" || one[0].Nanoseconds < 1e6 {
		t.Errorf("%+v, %+v", one[0], two[0])
	}
	if raw, head := c.Bytes(); head.Get("Authorization") != "Bearer hush" || raw == "" || strings.Contains(raw, "hush") || strings.Contains(raw, "$1") {
		t.Errorf("%q, %v", raw, head)
	}
}

func TestOneWhoIsTrustedSaysWhichTraceItIs(t *testing.T) {
	c := tracingtest.Collect(t)
	tracer := start(t, Options{URL: c.URL, Share: 0})
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	for _, parent := range []string{"", "00-" + trace + "-00f067aa0ba902b7-01", "00-" + trace + "-00f067aa0ba902b7-00",
		"not at all", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"} {
		ctx, end := tracer.Request(t.Context(), "GET", parent)
		_, within := tracer.Request(ctx, "POST", "00-11111111111111111111111111111111-00f067aa0ba902b7-01")
		within(Answer{Route: "/within"})
		end(Answer{Route: "/"})
	}
	tracer.End()
	spans := c.Spans()
	if len(spans) != 2 || spans[0].Name != "POST /within" || spans[1].Name != "GET /" || spans[0].Parent != spans[1].ID ||
		spans[1].Trace != trace || spans[1].Parent != "00f067aa0ba902b7" {
		t.Errorf("%+v", spans)
	}
}

func TestALookThatFoundNothingLeavesNoTrace(t *testing.T) {
	c := tracingtest.Collect(t)
	tracer := start(t, Options{URL: c.URL, Share: 1})
	work := func(statements int, worked bool, err error) {
		ctx, done := tracer.Work(t.Context(), "batch")
		for range statements {
			tracer.Statement(ctx, time.Now(), text("UPDATE sessions SET x = ?"), nil)
		}
		done(worked, err)
	}
	work(2, false, nil)
	work(mostStatements+50, true, nil)
	work(1, false, errors.New("a fault"))
	tracer.End()
	if n := len(c.Named("UPDATE sessions")); n != mostStatements+1 {
		t.Errorf("%d statements", n)
	}
	jobs := c.Named("batch")
	if len(jobs) != 2 || jobs[0].Failed || !jobs[1].Failed || jobs[0].Attributes["lectern.statements"] != "int_value:250" {
		t.Errorf("%+v", jobs)
	}
}

func TestNothingIsTracedForNothing(t *testing.T) {
	var tracer *Tracer
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		_, done := tracer.Work(ctx, "batch")
		done(true, nil)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	tracer.End()
}

// TestACollectorThatIsAwayOrSlowHoldsNobodyUp has more spans made than have room.
func TestACollectorThatIsAwayOrSlowHoldsNobodyUp(t *testing.T) {
	closed := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	closed.Close()
	held := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}))
	defer silent.Close()
	defer close(held)
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, silent.URL, http.StatusTemporaryRedirect)
	}))
	defer refusing.Close()
	for what, address := range map[string]string{"away": "http://" + closed.Addr().String(), "silent": silent.URL,
		"refusing": refusing.URL} {
		t.Run(what, func(t *testing.T) {
			tracer := start(t, Options{URL: address + "/v1/traces", Share: 1})
			began := time.Now()
			for i := range 3 * Room {
				ctx, end := tracer.Request(context.Background(), "GET", "")
				tracer.Statement(ctx, time.Now(), text("SELECT 1"), nil)
				end(Answer{Route: fmt.Sprint("/", i%7), Status: 200})
			}
			// Measured are 40 ms; one that waited for the collector would take its 20 s.
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("requests took %s", took)
			}
			began = time.Now()
			tracer.End()
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("the end took %s", took)
			}
		})
	}
}

func TestAStatementIsNamedByWhatItDoesAndItsFirstTable(t *testing.T) {
	for sql, want := range map[string]string{
		`SELECT count(*) FROM (SELECT 1 FROM letters WHERE state = 'queued') x`: "SELECT letters",
		"\n\tupdate `sessions` SET title = ?":                                   "UPDATE sessions",
		"WITH n AS (SELECT 1) DELETE FROM deliveries_due":                       "WITH deliveries_due",
		"SET LOCAL lock_timeout = 900":                                          "SET ",
		"":                                                                      " ",
	} {
		if does, table := nameOf(sql); does+" "+table != want {
			t.Errorf("%q: %q %q", sql, does, table)
		}
	}
}
