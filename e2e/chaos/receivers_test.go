package chaos

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "github.com/glebarez/sqlite" // the drivers that read the delivery log
	_ "github.com/jackc/pgx/v5/stdlib"
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

// attempt is a row of the delivery log.
type attempt struct {
	emission, endpoint, outcome string
	number                      int
	event                       string // of the healthy receiver's alone
}

// attempts reads the delivery log.
func (s *site) attempts() (all []attempt) {
	s.Helper()
	driver, address := "pgx", s.address
	if path, embedded := strings.CutPrefix(s.address, "sqlite://"); embedded {
		driver, address = "sqlite", "file:"+path+"?_pragma=busy_timeout(5000)"
	}
	db, err := sql.Open(driver, address)
	s.check(err)
	defer db.Close()
	rows, err := db.QueryContext(s.ctx, `SELECT emission_id, coalesce(webhook_id, ''), attempt, outcome,
		CASE WHEN webhook_id = $1 THEN request_body ELSE '' END FROM webhook_deliveries`, s.receivers[0].id)
	s.check(err)
	defer rows.Close()
	for rows.Next() {
		var a attempt
		var body string
		s.check(rows.Scan(&a.emission, &a.endpoint, &a.number, &a.outcome, &body))
		if body != "" {
			var e envelope
			s.check(json.Unmarshal([]byte(body), &e))
			a.event = e.event()
		}
		all = append(all, a)
	}
	s.check(rows.Err())
	return all
}

// missing are the events of acknowledged writes that the healthy receiver has not had.
func (s *site) missing() map[string]bool {
	s.mu.Lock()
	missing := maps.Clone(s.expected)
	s.mu.Unlock()
	maps.DeleteFunc(missing, func(name string, _ bool) bool { return s.receivers[0].has(name) })
	return missing
}

// awaitEvents waits until the healthy receiver had each event of an acknowledged
// write, or the log says that its delivery began. It gives up when nothing came
// for a while: then events are lost.
func (s *site) awaitEvents() {
	s.Helper()
	const stuck = 40 * time.Second
	for had, since := s.receivers[0].count(), time.Now(); time.Since(since) < stuck; s.pause(250 * time.Millisecond) {
		missing := s.missing()
		if n := s.receivers[0].count(); n != had {
			had, since = n, time.Now()
			if len(missing) > 0 {
				continue
			}
		}
		if len(missing) > 0 {
			for _, a := range s.attempts() {
				delete(missing, a.event)
			}
		}
		if len(missing) == 0 {
			return
		}
	}
}

// auditEvents compares what the receivers had with what they were owed. One
// round for each event and endpoint is right, of one attempt or two.
func (s *site) auditEvents() {
	missing, log := s.missing(), s.attempts()
	s.mu.Lock()
	defer s.mu.Unlock()
	rounds := map[attempt]bool{}
	for _, a := range log {
		if missing[a.event] {
			delete(missing, a.event)
			s.cut++
		}
		a = attempt{emission: a.emission, endpoint: a.endpoint, number: a.number}
		if rounds[a] {
			s.doubled.add("a second round in the log")
		}
		rounds[a] = true
	}
	for range missing {
		s.lost.add("an event of an acknowledged write did not set out")
	}
	for _, r := range s.receivers {
		r.audit(s.book)
	}
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
