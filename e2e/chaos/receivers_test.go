package chaos

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type receiverKind string

const (
	healthy receiverKind = "healthy"
	slow    receiverKind = "slow"    // answers after 50 ms
	failing receiverKind = "failing" // answers 503
	hanging receiverKind = "hanging" // answers nothing
)

// receiver is an endpoint that keeps what it is sent.
type receiver struct {
	kind   receiverKind
	id     string // of its endpoint
	secret atomic.Value
	server *httptest.Server
	mu     sync.Mutex
	seen   map[arrival]int
	events map[string]map[string]bool // the ids that each event came with
	forged int
}

// arrival is what a receiver gets once.
type arrival struct{ id, attempt string }

func newReceiver(x *trial, kind receiverKind) *receiver {
	r := &receiver{kind: kind, seen: map[arrival]int{}, events: map[string]map[string]bool{}}
	r.server = httptest.NewServer(r)
	x.Cleanup(func() {
		r.server.CloseClientConnections() // the hanging ones too
		r.server.Close()
	})
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender was killed
	}
	r.keep(body, request.Header)
	switch r.kind {
	case slow:
		time.Sleep(50 * time.Millisecond)
	case failing:
		w.WriteHeader(http.StatusServiceUnavailable)
	case hanging:
		<-request.Context().Done()
	}
}

// envelope is the body of an emission.
type envelope struct {
	Data     struct{ Title string }
	Metadata struct{ Event, EventID string }
}

func (e *envelope) event() string { return event(e.Metadata.Event, e.Data.Title) }

func (r *receiver) keep(body []byte, header http.Header) {
	secret, _ := r.secret.Load().(string)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	given, _ := hex.DecodeString(strings.TrimPrefix(header.Get("x-service-signature"), "sha256="))
	var e envelope
	err := json.Unmarshal(body, &e)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
		r.forged++
		return
	}
	r.seen[arrival{e.Metadata.EventID, header.Get("x-service-attempt")}]++
	name := e.event()
	if e.Data.Title == "" { // of a person, whose changes have no name
		return
	}
	if r.events[name] == nil {
		r.events[name] = map[string]bool{}
	}
	r.events[name][e.Metadata.EventID] = true
}

func (r *receiver) has(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.events[name]) > 0
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.seen)
}

func (r *receiver) audit(b *book) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.forged > 0 {
		b.other.add("%d deliveries to the %s receiver were not signed, or are no JSON", r.forged, r.kind)
	}
	for what, n := range r.seen {
		if n > 1 {
			b.doubled.add("the %s receiver had attempt %s of an event %d times", r.kind, what.attempt, n)
		}
	}
	for _, ids := range r.events {
		if len(ids) > 1 {
			b.doubled.add("the %s receiver had a write under %d event ids", r.kind, len(ids))
		}
	}
}
