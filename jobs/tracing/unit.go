package tracing

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

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
