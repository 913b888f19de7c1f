package server

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"lectern/jobs/tracing"
	"lectern/jobs/tracing/tracingtest"
	"lectern/models/apikey"
	"lectern/models/modelstest"
)

// TestTracesTellRoutesAndStatementsAndNothingElse asks with all that a trace must not tell.
func TestTracesTellRoutesAndStatementsAndNothingElse(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := tracingtest.Collect(t)
		tracer := modelstest.Must(tracing.Start(tracing.Options{URL: c.URL, Share: 1, Database: f.Store.Dialect()}))(t)
		f.Store.TraceStatements(tracer.Statement)
		key := modelstest.NewKey(t, f, apikey.Scopes...)
		const foreign = "4bf92f3577b34da6a3ce929d0e0e4736"
		ask := func(trusted []string, method, path string) {
			t.Helper()
			app := New(&Options{BaseURL: "http://127.0.0.1", TrustedProxies: trusted}, f.Store,
				Process{Key: []byte(strings.Repeat("k", 32)), Tracer: tracer})
			r := httptest.NewRequest(method, path, nil)
			r.Header.Set("x-access-token", key)
			r.Header.Set("x-request-id", "request-1")
			r.Header.Set("traceparent", "00-"+foreign+"-00f067aa0ba902b7-01")
			r.Header.Set("tracestate", "vendor=in-the-state")
			modelstest.Must(app.Test(r, -1))(t).Body.Close()
		}
		ask(nil, "GET", "/v1/event/"+f.Event.ID+"/deliverables?task=in-the-query")
		ask(nil, "GET", "/invitations/token-in-the-path")
		ask(nil, "GET", "/nowhere/in-the-path")
		ask(nil, "GET", "/healthz")
		ask([]string{"0.0.0.0"}, "GET", "/v1/events")
		tracer.End()

		raw, _ := c.Bytes()
		for _, secret := range []string{f.Event.ID, "in-the-query", "in-the-path", "in-the-state", key, "192.0.2.1", "0.0.0.0"} {
			if strings.Contains(raw, secret) {
				t.Errorf("the traces tell %q", secret)
			}
		}
		requests := slices.DeleteFunc(c.Spans(), func(s tracingtest.Span) bool { return s.Attributes["http.route"] == "" })
		if len(requests) != 4 {
			t.Fatalf("%d requests: %+v", len(requests), requests)
		}
		one := requests[0]
		if one.Name != "GET /v1/event/:eventId/deliverables" || one.Parent != "" || one.Attributes["lectern.request_id"] != "request-1" ||
			one.Attributes["http.response.status_code"] != "int_value:200" {
			t.Errorf("%+v", one)
		}
		for i, r := range requests {
			modelstest.Want(t, r.Name+" is in the trace that somebody named", r.Trace == foreign, i == 3)
		}
		statements := slices.DeleteFunc(c.Spans(), func(s tracingtest.Span) bool { return s.Parent != one.ID })
		if len(statements) == 0 || statements[0].Attributes["db.collection.name"] == "" {
			t.Errorf("its statements: %+v", statements)
		}
	})
}

// TestTheLogHasNothingThatOpensADoor asks of each address with a token what the log says of it.
func TestTheLogHasNothingThatOpensADoor(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/invitations/secret": "/invitations/…", "/reset/secret": "/reset/…", "/downloads/secret": "/downloads/…",
		"/events/harbour/place/link/secret": "/events/harbour/place/link/…", "/events/harbour/place/join/secret": "/events/harbour/place/join/…",
		"/events/harbour/place/fresh/secret": "/events/harbour/place/fresh/…", "/events/harbour/agenda": "/events/harbour/agenda",
	} {
		modelstest.Want(t, path+" is logged as", loggedPath(path), want)
	}
}
