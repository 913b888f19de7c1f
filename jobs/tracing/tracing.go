// Package tracing sends what requests and jobs did, with their statements, to a collector by OTLP over HTTP. It never
// delays the traced code: spans wait in a queue of limited size and are dropped when that is full.
package tracing

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

const (
	// Room is how many spans may wait, and atOnce how many are sent together.
	Room, atOnce = 4096, 512
	// every is how often spans are sent, and sendLimit how long that may take with all its attempts.
	every, sendLimit = 5 * time.Second, 20 * time.Second
	// flushLimit is how long the end of the process waits for the collector.
	flushLimit = time.Second
)

// Options say where traces go.
type Options struct {
	URL      string            // the collector's address for traces, such as http://127.0.0.1:4318/v1/traces
	Headers  map[string]string // headers that the collector requires
	Share    float64           // the share of requests and jobs to trace, from 0 to 1
	Version  string            // of the program
	Instance string            // the machine and process
	Database string            // sqlite or postgres
}

// Tracer makes traces. A nil Tracer makes none and costs nothing.
type Tracer struct {
	tracer   trace.Tracer
	provider *sdk.TracerProvider
	sender   *sender
	database attribute.KeyValue
}

// Start returns a tracer; End ends it. Start does not wait for the collector, which may start later.
func Start(o Options) (*Tracer, error) {
	client := &http.Client{
		Timeout:   sendLimit,
		Transport: &http.Transport{MaxIdleConns: 2, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 5 * time.Second},
		// After a redirect another server would get the headers.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if o.Headers == nil {
		o.Headers = map[string]string{}
	}
	// Every option is given: the library reads missing ones from the environment.
	exporter, err := otlptracehttp.New(context.Background(), otlptracehttp.WithEndpointURL(o.URL), otlptracehttp.WithHeaders(o.Headers),
		otlptracehttp.WithTimeout(sendLimit), otlptracehttp.WithCompression(otlptracehttp.GzipCompression),
		otlptracehttp.WithHTTPClient(client), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true,
			InitialInterval: time.Second, MaxInterval: 5 * time.Second, MaxElapsedTime: sendLimit}))
	if err != nil {
		return nil, err
	}
	t := &Tracer{sender: &sender{SpanExporter: exporter}, database: attribute.String("db.system.name", systems[o.Database])}
	t.provider = sdk.NewTracerProvider(
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(o.Share))), sdk.WithRawSpanLimits(limits),
		sdk.WithBatcher(t.sender, sdk.WithMaxQueueSize(Room), sdk.WithMaxExportBatchSize(atOnce), sdk.WithBatchTimeout(every),
			sdk.WithExportTimeout(sendLimit)),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "lectern"),
			attribute.String("service.version", o.Version), attribute.String("service.instance.id", o.Instance))))
	t.tracer = t.provider.Tracer("lectern")
	return t, nil
}

var systems = map[string]string{"sqlite": "sqlite", "postgres": "postgresql"}

// limits limit a span; none of ours comes near them.
var limits = sdk.SpanLimits{AttributeValueLengthLimit: 200, AttributeCountLimit: 16, EventCountLimit: 8, LinkCountLimit: 1,
	AttributePerEventCountLimit: 4, AttributePerLinkCountLimit: 4}

// End sends the waiting spans, within a second, and drops the rest.
func (t *Tracer) End() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushLimit)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		slog.Warn("the last traces were not taken", "error", reason(err))
	}
	t.sender.Shutdown(ctx) // gives up what is still under way
}

// sender logs, once each, when the collector stops taking traces and when it takes them again.
type sender struct {
	sdk.SpanExporter
	failing atomic.Bool
}

// ExportSpans sends spans, or drops them if that fails.
func (s *sender) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := s.SpanExporter.ExportSpans(ctx, spans)
	switch {
	case err != nil && !s.failing.Swap(true):
		slog.Warn("traces are not taken and dropped until they are", "error", reason(err))
	case err == nil && s.failing.Swap(false):
		slog.Info("traces are taken again")
	}
	return nil // the library would print an error each time
}

// reason returns an error's text without the collector's answer or address, which may contain a secret.
func reason(err error) string {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "the collector did not answer in time"
	}
	return "the collector refused them"
}

// mostStatements is how many statements of a request or job get spans; further ones are only counted.
const mostStatements = 200

// unit collects the statements of one request or job.
type unit struct {
	mu         sync.Mutex
	statements []statement
	many       int
}

// statement is a statement that ended, without its values.
type statement struct {
	does, table  string
	began, ended time.Time
	failed       bool
}

type unitKey struct{}

// Answer is the outcome of a request: its route is the template, without the values of its parameters.
type Answer struct {
	Route, RequestID string
	Status           int
}

// Request begins the span of a request. parent is the traceparent of a trusted caller, or "": the span joins that
// trace, and the caller decides whether it is sampled. A request within another one joins the outer one's trace.
func (t *Tracer) Request(ctx context.Context, method, parent string) (context.Context, func(Answer)) {
	if parent != "" && !trace.SpanContextFromContext(ctx).IsValid() {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
	}
	ctx, span := t.tracer.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer))
	if !span.IsRecording() {
		return ctx, func(Answer) { span.End() }
	}
	u := &unit{}
	ctx = context.WithValue(ctx, unitKey{}, u)
	return ctx, func(a Answer) {
		span.SetName(method + " " + a.Route)
		span.SetAttributes(attribute.String("http.request.method", method), attribute.String("http.route", a.Route),
			attribute.Int("http.response.status_code", a.Status), attribute.String("lectern.request_id", a.RequestID))
		if a.Status >= 500 {
			span.SetStatus(codes.Error, "")
		}
		t.end(ctx, span, u, time.Now())
	}
}

// Work begins the trace of a job. The returned function ends it and takes whether there was anything to do: a look that
// found nothing leaves no trace.
func (t *Tracer) Work(ctx context.Context, name string) (context.Context, func(worked bool, err error)) {
	if t == nil {
		return ctx, ended
	}
	u, began := &unit{}, time.Now()
	return context.WithValue(ctx, unitKey{}, u), func(worked bool, err error) {
		if !worked && err == nil {
			return
		}
		ctx, span := t.tracer.Start(ctx, name, trace.WithNewRoot(), trace.WithTimestamp(began))
		if err != nil {
			span.SetStatus(codes.Error, "")
		}
		t.end(ctx, span, u, time.Now())
	}
}

func ended(bool, error) {}

// Upkeep is Work that leaves no trace if it ran no statement.
func (t *Tracer) Upkeep(ctx context.Context, name string) (context.Context, func(error)) {
	ctx, done := t.Work(ctx, name)
	u, _ := ctx.Value(unitKey{}).(*unit)
	return ctx, func(err error) { done(t != nil && u.any(), err) }
}

// any reports whether there was a statement.
func (u *unit) any() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.many > 0
}

// Within counts what is done with ctx towards the request or job of of, even after that has ended.
func Within(ctx, of context.Context) context.Context {
	if u, is := of.Value(unitKey{}).(*unit); is {
		return context.WithValue(ctx, unitKey{}, u)
	}
	return ctx
}

// end ends a span and adds one for each of its statements.
func (t *Tracer) end(ctx context.Context, span trace.Span, u *unit, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	span.SetAttributes(attribute.Int("lectern.statements", u.many))
	for _, s := range u.statements {
		_, child := t.tracer.Start(ctx, strings.TrimSpace(s.does+" "+s.table), trace.WithSpanKind(trace.SpanKindClient),
			trace.WithTimestamp(s.began), trace.WithAttributes(t.database, attribute.String("db.operation.name", s.does)))
		if s.table != "" {
			child.SetAttributes(attribute.String("db.collection.name", s.table))
		}
		if s.failed {
			child.SetStatus(codes.Error, "")
		}
		child.End(trace.WithTimestamp(s.ended))
	}
	u.statements = nil
	span.End(trace.WithTimestamp(at))
}

// Statement records a statement that ended, if its request or job is traced. sql returns its text, with placeholders
// for its values.
func (t *Tracer) Statement(ctx context.Context, began time.Time, sql func() string, err error) {
	u, _ := ctx.Value(unitKey{}).(*unit)
	if u == nil {
		return
	}
	now := time.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.many++; u.many > mostStatements {
		return
	}
	does, table := nameOf(sql())
	u.statements = append(u.statements, statement{does, table, began, now, err != nil})
}

var tables = regexp.MustCompile("(?i)\\b(?:from|into|update)\\s+[\"`]?([a-z_]{1,63})\\b")

// nameOf returns a statement's verb and its first table.
func nameOf(sql string) (does, table string) {
	sql = strings.TrimSpace(sql)
	end := strings.IndexFunc(sql, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if end < 0 {
		end = len(sql)
	}
	does = strings.ToUpper(sql[:min(end, 16)])
	if m := tables.FindStringSubmatch(sql); m != nil {
		table = strings.ToLower(m[1])
	}
	return does, table
}
