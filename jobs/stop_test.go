package jobs_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
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

// commits recognises, once, that the first transaction with a statement was committed on the connection that sent it.
func commits(statement string, ended *atomic.Bool) func(conn net.Conn, said []byte, isAnswer bool) bool {
	var of atomic.Value
	return func(conn net.Conn, said []byte, isAnswer bool) bool {
		if !isAnswer && bytes.Contains(said, []byte(statement)) {
			of.CompareAndSwap(nil, conn)
		}
		return of.Load() == conn && isAnswer && bytes.Contains(said, modelstest.Committed) &&
			ended.CompareAndSwap(false, true)
	}
}

// through opens a store that reaches its database through a wire.
func through(t *testing.T, w *modelstest.Wire) *models.Store {
	store := modelstest.Must(models.Open(context.Background(), w.Address,
		store.Options{SecretKey: make([]byte, store.SecretKeySize)}))(t)
	t.Cleanup(func() { w.Frozen.Store(false); store.Close() })
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
			w := modelstest.NewWire(t, f)
			store, hang = through(t, w), func() { w.Frozen.Store(true) }
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
			w := modelstest.NewWire(t, f)
			var broke atomic.Bool
			w.Cut = commits(statement, &broke)
			stop := run(through(t, w), 0, time.Second)
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
	w := modelstest.NewWire(t, f)
	commits := commits(`INSERT INTO "webhook_deliveries"`, &atomic.Bool{})
	w.Cut = func(conn net.Conn, said []byte, isAnswer bool) bool {
		if commits(conn, said, isAnswer) {
			w.Frozen.Store(true)
		}
		return false
	}
	defer run(through(t, w), time.Second, time.Second)()
	create(t, f, "One")
	modelstest.Await(t, "the network swallows", w.Frozen.Load)
	defer run(f.Store, time.Second, time.Second)()
	modelstest.Await(t, "the other process has closed the round", func() bool {
		rows, err := f.Attempts(t.Context())
		return err == nil && len(rows) == 1 && rows[0].ErrorClass == outbox.InterruptedError
	})
	w.Frozen.Store(false)
	time.Sleep(500 * time.Millisecond)
	create(t, f, "Two")
	got := labels(settled(t, f, 2))
	slices.Sort(got)
	if !slices.Equal(got, []string{"session.created 1 Delivered ", "session.created 1 Failed interrupted"}) ||
		len(rec.requests()) != 1 {
		t.Errorf("%v after %d requests", got, len(rec.requests()))
	}
}
