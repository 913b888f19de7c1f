package jobs_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/staff"
)

// received is a request as the receiver saw it.
type received struct {
	header http.Header
	body   string
	path   string
}

// receiver is a real HTTP server that keeps what it is sent.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []received
}

// newReceiver answers the n-th request, from 1, as answer says; nil is 200.
func newReceiver(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *receiver {
	rec := &receiver{}
	rec.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		rec.mu.Lock()
		rec.got = append(rec.got, received{r.Header, string(body), r.URL.Path})
		n := len(rec.got)
		rec.mu.Unlock()
		if answer != nil {
			answer(n, w, r)
		}
	}))
	t.Cleanup(func() { rec.CloseClientConnections(); rec.Close() })
	return rec
}

func (r *receiver) requests() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// start runs deliveries until the test ends, or stop is called.
func start(t *testing.T, f *modelstest.Fixture, o jobs.Options) (stop func()) {
	if o.AllowNets == nil {
		o.AllowNets = loopback
	}
	if o.Total == 0 {
		o.Connect, o.Total = 5*time.Second, 15*time.Second
	}
	o.UserAgent = "Lectern/test"
	runner := jobs.New(f.Store, o)
	return works(t, func(ctx context.Context) { runner.Run(ctx, 5*time.Second) }, func(ctx context.Context) {
		for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) { // in place of the store, opened without it
			runner.Wake()
		}
	})
}

// works does some work beside the test until it ends, or stop is called, and waits for its end.
func works(t *testing.T, all ...func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	for _, work := range all {
		working.Go(func() { work(ctx) })
	}
	stop = func() { cancel(); working.Wait() }
	t.Cleanup(stop)
	return stop
}

func endpoint(t *testing.T, f *modelstest.Fixture, url string) (id, secret string) {
	t.Helper()
	e, secret := modelstest.NewEndpoint(t, f.Webhooks(), url)
	return e.ID, secret
}

func create(t *testing.T, f *modelstest.Fixture, title string) *models.Session {
	t.Helper()
	return modelstest.Must(f.Programme().CreateSession(context.Background(),
		models.NewSession{Title: title, IsAbstract: true}))(t)
}

// settled waits until the log has n rows and none is under way, and returns
// them, the oldest first.
func settled(t *testing.T, f *modelstest.Fixture, n int) []*outbox.Delivery {
	t.Helper()
	var rows []*outbox.Delivery
	modelstest.Comes(func() (settled bool) {
		var err error
		rows, err = f.Attempts(context.Background())
		return err == nil && len(rows) >= n && !slices.ContainsFunc(rows, func(d *outbox.Delivery) bool {
			return d.Outcome == outbox.Sending
		})
	})
	if len(rows) != n {
		t.Fatalf("%d rows in the delivery log, want %d: %+v", len(rows), n, labels(rows))
	}
	slices.Reverse(rows)
	return rows
}

func labels(rows []*outbox.Delivery) []string {
	var out []string
	for _, d := range rows {
		out = append(out, fmt.Sprintf("%s %d %s %s", d.EventType, d.Attempt, d.Label(), d.ErrorClass))
	}
	return out
}

// wantStandard fails the test unless a request has the headers of Standard Webhooks: an id that a retry has too, when it
// was signed, and the signature of both and the body.
func wantStandard(t *testing.T, r received, secret, id string) {
	t.Helper()
	seconds, err := strconv.ParseInt(r.header.Get("webhook-timestamp"), 10, 64)
	if at := time.Unix(seconds, 0); err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("signed at %q", r.header.Get("webhook-timestamp"))
	}
	want := http.Header{}
	jobs.SignStandard(want, secret, id, time.Unix(seconds, 0), []byte(r.body))
	for name := range want {
		modelstest.Want(t, name, r.header.Get(name), want.Get(name))
	}
	if len(want) != 3 {
		t.Errorf("the secret gives %v", want)
	}
}

func TestEmissionIsSignedAndDeliveredOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		rec := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "thanks\x00") })
		id, secret := endpoint(t, f, rec.URL+"/hook")
		start(t, f, jobs.Options{})
		s := create(t, f, "Grüße <b>")
		rows := settled(t, f, 1)
		d := rows[0]
		if d.Label() != "Delivered" || d.Driver != outbox.Builtin || *d.WebhookID != id || *d.ResponseStatus != 200 ||
			d.DurationMS == nil || d.ResponseExcerpt != "thanks" {
			t.Errorf("log row: %+v", d)
		}
		got := rec.requests()
		if len(got) != 1 {
			t.Fatalf("%d requests", len(got))
		}
		r := got[0]
		if !jobs.Verify(secret, []byte(r.body), r.header.Get("x-service-signature")) ||
			!strings.HasPrefix(r.header.Get("x-service-signature"), "sha256=") {
			t.Error("the signature is not that of the body")
		}
		wantStandard(t, r, secret, d.EmissionID)
		for header, want := range map[string]string{
			"content-type": "application/json", "user-agent": "Lectern/test", "x-service-event": "session.created",
			"x-service-event-id": d.EmissionID, "x-service-attempt": "1",
		} {
			modelstest.Want(t, header, r.header.Get(header), want)
		}
		var envelope struct {
			Data     models.Session
			Metadata map[string]any
		}
		modelstest.Fine(t, json.Unmarshal([]byte(r.body), &envelope))
		if envelope.Data.ID != s.ID || envelope.Metadata["event"] != "session.created" ||
			envelope.Metadata["resourceId"] != s.ID ||
			envelope.Metadata["eventId"] != d.EmissionID || envelope.Metadata["version"] != 1.0 || len(envelope.Metadata) != 5 {
			t.Errorf("envelope: %s", r.body)
		}
		modelstest.Want(t, "the log has another body than was sent", d.RequestBody, r.body)
	})
}

func TestRetryOnlyAfterNetworkFailureOr5xx(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		status := func(codes ...int) func(int, http.ResponseWriter, *http.Request) {
			return func(n int, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(codes[min(n, len(codes))-1])
			}
		}
		type course struct {
			name   string
			answer func(int, http.ResponseWriter, *http.Request)
			labels []string
			class  outbox.ErrorClass
			*receiver
		}
		of, total := map[string]*course{}, 0
		for _, c := range []*course{
			{"5xx then 2xx", status(503, 204), []string{"Failed", "Delivered"}, "", nil},
			{"5xx twice", status(500, 502), []string{"Failed", "Failed after retry"}, outbox.StatusError, nil},
			{"4xx", status(404), []string{"Rejected (4xx, not retried)"}, outbox.StatusError, nil},
			{"redirect", status(302), []string{"Failed"}, outbox.StatusError, nil},
			{"closed before an answer", func(_ int, w http.ResponseWriter, _ *http.Request) {
				hangUp(w, "")
			}, []string{"Failed", "Failed after retry"}, outbox.ConnectError, nil},
			{"closed in the middle of a 200", func(_ int, w http.ResponseWriter, _ *http.Request) {
				hangUp(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
			}, []string{"Delivered"}, "", nil},
			{"slow", func(_ int, _ http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
			}, []string{"Failed", "Failed after retry"}, outbox.TimeoutError, nil},
			{"10 MB", func(_ int, w http.ResponseWriter, _ *http.Request) {
				for range 10 {
					w.Write(make([]byte, 1<<20))
				}
			}, []string{"Delivered"}, "", nil},
		} {
			c.receiver = newReceiver(t, c.answer)
			id, _ := endpoint(t, f, c.URL+"/?"+strings.ReplaceAll(c.name, " ", "-"))
			of[id], total = c, total+len(c.labels)
		}
		start(t, f, jobs.Options{Connect: 2 * time.Second, Total: 3 * time.Second})
		create(t, f, "One")
		got, last := map[string][]string{}, map[string]outbox.ErrorClass{}
		for _, d := range settled(t, f, total) {
			got[*d.WebhookID] = append(got[*d.WebhookID], d.Label())
			last[*d.WebhookID] = d.ErrorClass
		}
		for id, c := range of {
			if !slices.Equal(got[id], c.labels) || last[id] != c.class {
				t.Errorf("%s: %v %q, want %v %q", c.name, got[id], last[id], c.labels, c.class)
			}
			requests := c.requests()
			if len(requests) != len(c.labels) {
				t.Errorf("%s: %d requests, want %d", c.name, len(requests), len(c.labels))
			} else if len(requests) == 2 && (requests[0].body != requests[1].body ||
				requests[1].header.Get("x-service-attempt") != "2") {
				t.Error("the retry is not the same body as attempt 2")
			}
		}
	})
}

func hangUp(w http.ResponseWriter, first string) {
	conn, buffer, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	buffer.WriteString(first)
	buffer.Flush()
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

func TestClassesOfFailure(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		plain := newReceiver(t, nil)
		secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		secure.Config.ErrorLog = nil
		secure.TLS = &tls.Config{}
		secure.StartTLS()
		t.Cleanup(secure.Close)
		closed := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
		dead := closed.Addr().String()
		closed.Close()
		want := map[string]outbox.ErrorClass{}
		for address, class := range map[string]outbox.ErrorClass{
			"http://" + dead:         outbox.ConnectError,
			secure.URL:               outbox.TLSError, // nobody vouches for its certificate
			"https" + plain.URL[4:]:  outbox.TLSError,
			"http://nowhere.invalid": outbox.DNSError,
			"http://10.0.0.1":        outbox.BlockedError,
		} {
			id, _ := endpoint(t, f, address)
			want[id] = class
		}
		start(t, f, jobs.Options{})
		create(t, f, "One")
		for _, d := range settled(t, f, 9) { // all but the blocked one are tried twice
			if d.ErrorClass != want[*d.WebhookID] || d.Outcome != outbox.Failure {
				t.Errorf("%s: %s %q, want %q", d.URL, d.Outcome, d.ErrorClass, want[*d.WebhookID])
			}
		}
		modelstest.Want(t, "plain text reached a receiver that was to be asked by TLS", len(plain.requests()), 0)
	})
}

func TestPrivateAddressesAreBlockedAtDialTime(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		rec := newReceiver(t, nil)
		port := rec.URL[strings.LastIndex(rec.URL, ":"):]
		addresses := []string{"127.0.0.1", "localhost", "[::1]", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1",
			"169.254.169.254",
			"100.64.0.1", "224.0.0.1", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]", "[::ffff:127.0.0.1]"}
		for _, a := range addresses {
			endpoint(t, f, "http://"+a+port+"/")
		}
		start(t, f, jobs.Options{AllowNets: []netip.Prefix{}})
		create(t, f, "One")
		for _, d := range settled(t, f, len(addresses)) {
			if d.Label() != "Blocked" || d.Attempt != 1 {
				t.Errorf("%s: %s %q", d.URL, d.Label(), d.ErrorClass)
			}
		}
		modelstest.Want(t, "requests came through", len(rec.requests()), 0)
	})
}

func TestTheReceiverBesideIsReachedAndNothingElseOnLoopback(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		beside, other := newReceiver(t, nil), newReceiver(t, nil)
		endpoint(t, f, beside.URL)
		endpoint(t, f, other.URL)
		start(t, f, jobs.Options{AllowNets: []netip.Prefix{},
			Beside: netip.MustParseAddrPort(strings.TrimPrefix(beside.URL, "http://"))})
		create(t, f, "One")
		for _, d := range settled(t, f, 2) {
			if want := map[string]string{beside.URL: "Delivered", other.URL: "Blocked"}[d.URL]; d.Label() != want {
				t.Errorf("%s: %s %q, not %s", d.URL, d.Label(), d.ErrorClass, want)
			}
		}
		modelstest.Want(t, "requests came through", len(other.requests()), 0)
	})
}

func TestATestEventIsSignedSentAndRetriedLikeAnyOther(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		fails := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		bystander := newReceiver(t, nil)
		id, secret := endpoint(t, f, fails.URL)
		endpoint(t, f, bystander.URL)
		start(t, f, jobs.Options{})
		modelstest.Fine(t, f.Webhooks().SendTest(t.Context(), id, outbox.SessionPublished))
		rows := settled(t, f, 2)
		got := fails.requests()
		if len(got) != 2 || len(bystander.requests()) != 0 {
			t.Fatalf("%d requests, and %d at the bystander", len(got), len(bystander.requests()))
		}
		for i, r := range got {
			if r.header.Get("x-service-signature") != jobs.Sign(secret, []byte(r.body)) ||
				r.header.Get("x-service-event") != "session.published" || r.body != rows[i].RequestBody ||
				!strings.Contains(r.body, `"data":{"test":true}`) || !rows[i].IsTest {
				t.Errorf("attempt %d: %s %v", i+1, r.body, r.header)
			}
			wantStandard(t, r, secret, rows[i].EmissionID)
		}
		modelstest.Want(t, "label", rows[1].Label(), "Failed after retry")
	})
}

func TestEachEmissionHasOneRoundAmongSeveralProcesses(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	rec := newReceiver(t, nil)
	endpoint(t, f, rec.URL)
	for range 3 {
		replica := modelstest.Replica(t, f)
		start(t, replica, jobs.Options{})
	}
	const n = 40
	for i := range n {
		create(t, f, fmt.Sprint("Session ", i))
	}
	settled(t, f, n)
	modelstest.Want(t, "requests", len(rec.requests()), n)
}

func TestStoppedRunnerFinishesWhatIsUnderWayAndKeepsTheRest(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		release := make(chan struct{})
		arrived := make(chan struct{}, 10)
		rec := newReceiver(t, func(int, http.ResponseWriter, *http.Request) { arrived <- struct{}{}; <-release })
		endpoint(t, f, rec.URL)
		stop := start(t, f, jobs.Options{Total: 10 * time.Second, Connect: time.Second})
		first := create(t, f, "First")
		modelstest.Must(f.Programme().UpdateSession(t.Context(), first.ID, models.SessionChange{Title: new("Second")}))(t)
		<-arrived
		go func() { time.Sleep(100 * time.Millisecond); close(release) }()
		stop()
		if rows := settled(t, f, 1); rows[0].Label() != "Delivered" {
			t.Errorf("after the stop: %v", labels(rows))
		}
		start(t, f, jobs.Options{})
		settled(t, f, 2)
	})
}

func TestInterruptedAttemptIsNeverRepeated(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := context.Background()
		rec := newReceiver(t, nil)
		id, _ := endpoint(t, f, rec.URL)
		create(t, f, "First")
		create(t, f, "Second")
		// A process takes the first delivery and is killed at once.
		modelstest.Want(t, "put in line", modelstest.Must(f.Outbox.FanOut(ctx, false, 10))(t), 2)
		if modelstest.Must(f.NextRound(ctx, id, "", nil))(t) == nil {
			t.Fatal("no round")
		}
		start(t, f, jobs.Options{})
		rows := settled(t, f, 2)
		if rows[0].ErrorClass != outbox.InterruptedError || rows[1].Label() != "Delivered" || len(rec.requests()) != 1 {
			t.Errorf("%v, %d requests", labels(rows), len(rec.requests()))
		}
	})
}

func TestOldLoginsAndAnswersAreForgottenThoughNobodyComes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.FirstOwner(t, f)
		modelstest.First(modelstest.SignIn(t, f, "ada@example.org", modelstest.SecretPhrase))(t)
		answer := func(context.Context) (string, error) { return "a", nil }
		modelstest.First(f.Once(t.Context(), models.OnceByForm("f", "r"), answer))(t)
		f.Clock.Move(staff.LoginLifetime + time.Minute)
		start(t, f, jobs.Options{})
		modelstest.Await(t, "no login and no answer is kept", func() bool {
			return modelstest.RowsOf(t, f, "SELECT (SELECT count(*) FROM logins) + (SELECT count(*) FROM kept_answers)") == 0
		})
	})
}
