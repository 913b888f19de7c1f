// Package tracing sends what requests and jobs did, with their statements, to a collector by OTLP over HTTP. It never
// delays the traced code: spans wait in a queue of limited size and are dropped when that is full.
package tracing

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
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
