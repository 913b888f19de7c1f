package jobs_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// wire stands between a store and its PostgreSQL.
type wire struct {
	address string      // of the database through it
	frozen  atomic.Bool // nothing goes through any more, as with a network that swallows all
	// cut, when set, tells by what is sent to the database whether the connection is
	// to break before the answer comes.
	cut func(from net.Conn, sent []byte) bool
}

func newWire(t *testing.T, f *modelstest.Fixture) *wire {
	u, err := url.Parse(f.Address)
	if err != nil {
		t.Fatal(err)
	}
	behind := u.Host
	listener := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	u.Host = listener.Addr().String()
	w := &wire{address: u.String()}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", behind)
			if err != nil {
				client.Close()
				continue
			}
			t.Cleanup(func() { client.Close(); server.Close() })
			go w.pass(server, client, nil)
			go w.pass(client, server, func(sent []byte) bool { return w.cut != nil && w.cut(client, sent) })
		}
	}()
	return w
}

func (w *wire) pass(from, to net.Conn, cut func([]byte) bool) {
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		for w.frozen.Load() {
			time.Sleep(10 * time.Millisecond)
		}
		if cut != nil && cut(buffer[:n]) {
			from.Close() // the database still gets it
			to.Write(buffer[:n])
			time.Sleep(100 * time.Millisecond)
			return
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// commits recognises the end of the first transaction with a statement, on the connection that sent it.
func (w *wire) commits(statement string) func(from net.Conn, sent []byte) bool {
	var of atomic.Value
	var ended atomic.Bool
	return func(from net.Conn, sent []byte) bool {
		if bytes.Contains(sent, []byte(statement)) {
			of.CompareAndSwap(nil, from)
		}
		return of.Load() == from && bytes.Contains(sent, []byte("commit")) && ended.CompareAndSwap(false, true)
	}
}

func (w *wire) store(t *testing.T) *models.Store {
	store := modelstest.Must(models.Open(context.Background(), w.address,
		store.Options{SecretKey: make([]byte, store.SecretKeySize)}))(t)
	t.Cleanup(func() { w.frozen.Store(false); store.Close() })
	return store
}

// run delivers until stop is called, which returns how long the end took.
func run(store *models.Store, lease, drain time.Duration) (stop func() time.Duration) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	runner := jobs.New(store, jobs.Options{AllowNets: loopback, Lease: lease, Total: time.Hour})
	go func() { runner.Run(ctx, drain); close(done) }()
	return func() time.Duration {
		start := time.Now()
		cancel()
		<-done
		return time.Since(start)
	}
}

func TestAttemptThatIsCutAtTheEndIsClosedAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		arrived := make(chan struct{})
		once := sync.OnceFunc(func() { close(arrived) })
		rec := newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) { once(); <-r.Context().Done() })
		endpoint(t, f, rec.URL)
		stop := run(f.Store, 0, 4*time.Second)
		create(t, f, "One")
		<-arrived
		if took := stop(); took > time.Minute {
			t.Errorf("the end took %s of 4 s", took)
		}
		rows, err := f.Attempts(t.Context())
		if err != nil || len(rows) != 1 || rows[0].ErrorClass != outbox.InterruptedError {
			t.Errorf("%v, %v", labels(rows), err)
		}
	})
}

func TestDeliveriesEndInTimeThoughTheDatabaseHangs(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		arrived, answer := make(chan struct{}), make(chan struct{})
		once := sync.OnceFunc(func() { close(arrived) })
		rec := newReceiver(t, func(int, http.ResponseWriter, *http.Request) { once(); <-answer })
		endpoint(t, f, rec.URL)
		store, hang := f.Store, func() { giveBack := takeAway(t, f); t.Cleanup(giveBack) }
		if !f.Embedded() {
			w := newWire(t, f)
			store, hang = w.store(t), func() { w.frozen.Store(true) }
		}
		stop := run(store, 0, time.Second)
		create(t, f, "One")
		<-arrived
		hang()
		close(answer)
		time.Sleep(100 * time.Millisecond) // the outcome is on its way to the database
		if took := stop(); took > 4*time.Second {
			t.Errorf("the end took %s of 1 s", took)
		}
	})
}

// TestRoundsWhoseBeginningWasKeptUnseenAreSent breaks the connection after the
// database has been told to commit, before it answers.
func TestRoundsWhoseBeginningWasKeptUnseenAreSent(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{"a first attempt": `INSERT INTO "webhook_deliveries"`,
		"a retry": `UPDATE "webhook_deliveries"`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := modelstest.Open(t, "postgres")
			rec := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
				if name == "a retry" && n == 1 {
					w.WriteHeader(503)
				}
			})
			endpoint(t, f, rec.URL)
			w := newWire(t, f)
			var broke atomic.Bool
			commits := w.commits(statement)
			w.cut = func(from net.Conn, sent []byte) bool { return commits(from, sent) && broke.CompareAndSwap(false, true) }
			stop := run(w.store(t), 0, time.Second)
			defer stop()
			create(t, f, "One")
			want := map[string]int{"a first attempt": 1, "a retry": 2}[name]
			rows := settled(t, f, want)
			if rows[want-1].Label() != "Delivered" || len(rec.requests()) != want || !broke.Load() {
				t.Errorf("%v after %d requests; the connection broke: %t", labels(rows), len(rec.requests()), broke.Load())
			}
		})
	}
}

// TestLeaderThatWakesUpDoesNotSend lets the network swallow the answer to a commit
// until another process has the lead.
func TestLeaderThatWakesUpDoesNotSend(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	rec := newReceiver(t, nil)
	endpoint(t, f, rec.URL)
	w := newWire(t, f)
	commits := w.commits(`INSERT INTO "webhook_deliveries"`)
	w.cut = func(from net.Conn, sent []byte) bool {
		if commits(from, sent) {
			w.frozen.Store(true)
		}
		return false
	}
	defer run(w.store(t), time.Second, time.Second)()
	create(t, f, "One")
	waitFor(t, "the network swallows", w.frozen.Load)
	defer run(f.Store, time.Second, time.Second)()
	waitFor(t, "the other process has closed the round", func() bool {
		rows, err := f.Attempts(t.Context())
		return err == nil && len(rows) == 1 && rows[0].ErrorClass == outbox.InterruptedError
	})
	w.frozen.Store(false)
	time.Sleep(500 * time.Millisecond)
	create(t, f, "Two")
	got := labels(settled(t, f, 2))
	slices.Sort(got)
	if !slices.Equal(got, []string{"session.created 1 Delivered ", "session.created 1 Failed interrupted"}) ||
		len(rec.requests()) != 1 {
		t.Errorf("%v after %d requests", got, len(rec.requests()))
	}
}
