// Package tracingtest is a collector of traces that reads OTLP over HTTP by the protocol's own definition. Only tests
// import it.
package tracingtest

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Span is a span that arrived.
type Span struct {
	Name              string
	Trace, ID, Parent string
	Attributes        map[string]string // numbers as text
	Failed            bool
	Nanoseconds       uint64
}

// Collector collects what is sent to its URL.
type Collector struct {
	URL  string
	mu   sync.Mutex
	all  []Span
	raw  []byte
	head http.Header
}

// Collect starts a collector, which ends with the test.
func Collect(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(unpacked)
		message := &collector.ExportTraceServiceRequest{}
		if err != nil || r.Header.Get("Content-Type") != "application/x-protobuf" || proto.Unmarshal(body, message) != nil {
			t.Errorf("no OTLP: %v %v", err, r.Header)
		}
		c.take(message, body, r.Header)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(server.Close)
	c.URL = server.URL + "/v1/traces"
	return c
}

func (c *Collector) take(message *collector.ExportTraceServiceRequest, body []byte, head http.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw, c.head = append(c.raw, body...), head
	for _, resource := range message.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				one := Span{Name: s.Name, Trace: hex.EncodeToString(s.TraceId), ID: hex.EncodeToString(s.SpanId),
					Parent: hex.EncodeToString(s.ParentSpanId), Attributes: map[string]string{}, Failed: s.Status.GetCode() == 2,
					Nanoseconds: s.EndTimeUnixNano - s.StartTimeUnixNano}
				for _, a := range slices.Concat(resource.Resource.Attributes, s.Attributes) {
					one.Attributes[a.Key] = a.Value.GetStringValue()
					if number := a.Value.String(); one.Attributes[a.Key] == "" {
						one.Attributes[a.Key] = number
					}
				}
				c.all = append(c.all, one)
			}
		}
	}
}

// Spans returns the spans that have arrived so far.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.all)
}

// Named returns the spans with this name.
func (c *Collector) Named(name string) []Span {
	return slices.DeleteFunc(c.Spans(), func(s Span) bool { return s.Name != name })
}

// Bytes returns all bodies received so far, decompressed, and the header of the last request.
func (c *Collector) Bytes() (string, http.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.raw), c.head
}
