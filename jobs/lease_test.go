package jobs_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lectern/e2e/child"
	"lectern/jobs"
	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// delivering names the variable with the database of TestDeliveringProcess.
const delivering = "LECTERN_TEST_DELIVERING"

// shortLease is that of the processes under test.
const shortLease = 2 * time.Second

// TestDeliveringProcess is what other tests start as a process of its own, that
// can be stopped. It ends with its standard input.
func TestDeliveringProcess(t *testing.T) {
	address := os.Getenv(delivering)
	if address == "" {
		t.Skip("a process of other tests")
	}
	store := modelstest.Must(models.Open(context.Background(), address,
		store.Options{SecretKey: make([]byte, store.SecretKeySize)}))(t)
	defer store.Close()
	ctx, stop := context.WithCancel(context.Background())
	go func() { io.Copy(io.Discard, os.Stdin); stop() }()
	jobs.New(store, jobs.Options{AllowNets: loopback, Lease: shortLease}).Run(ctx, 2*time.Second)
}

// process is one that delivers.
type process struct{ *exec.Cmd }

func startProcess(t *testing.T, f *modelstest.Fixture) *process {
	p := &process{child.EndsWithUs(exec.Command(os.Args[0], "-test.run=^TestDeliveringProcess$"))} // also while it stands still
	p.Env = append(os.Environ(), delivering+"="+f.Address)
	in, err := p.StdinPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Signal(syscall.SIGCONT); in.Close(); p.Wait() })
	return p
}

// pause returns once the process stands still.
func (p *process) pause(t *testing.T) {
	t.Helper()
	modelstest.Fine(t, p.Process.Signal(syscall.SIGSTOP))
	modelstest.Await(t, "the process stands still", func() bool {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
		return err != nil || strings.Contains(string(state), ") T ") // elsewhere than on Linux it is not known
	})
}

func (p *process) resume(t *testing.T) {
	t.Helper()
	modelstest.Fine(t, p.Process.Signal(syscall.SIGCONT))
}

// leader waits until one of the processes has the lead.
func leader(t *testing.T, f *modelstest.Fixture, among ...*process) (leads *process) {
	t.Helper()
	modelstest.Await(t, "a process leads", func() bool {
		state := modelstest.Must(f.Outbox.DeliveryState(t.Context()))(t)
		pid, _ := strconv.Atoi(state.Leader[strings.LastIndex(state.Leader, "/")+1:])
		for _, p := range among {
			if p.Process.Pid == pid {
				leads = p
			}
		}
		return leads != nil
	})
	return leads
}

// byTitle are the attempts in the log of the session with a title.
func byTitle(t *testing.T, f *modelstest.Fixture, title string) []string {
	t.Helper()
	rows := modelstest.Must(f.Attempts(t.Context()))(t)
	var out []string
	for _, d := range rows {
		if strings.Contains(d.RequestBody, fmt.Sprintf(`"title":%q`, title)) {
			out = append(out, d.Label()+" "+string(d.ErrorClass))
		}
	}
	return out
}

func TestPausedLeaderLosesTheLeadAndSaysWhatBecameOfItsAttempts(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	answer, arrived := make(chan struct{}), make(chan string, 100)
	var rec *receiver
	rec = newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		title := tellOf(t, rec.requests()[n-1]).Data.Title
		arrived <- title
		if title == "Answered 200" || title == "Answered 503" {
			<-answer
		}
		if title == "Answered 503" {
			w.WriteHeader(503)
		}
	})
	endpoint(t, f, rec.URL)
	one := startProcess(t, f)
	leader(t, f, one)
	other := startProcess(t, f)
	create(t, f, "Answered 200")
	create(t, f, "Answered 503")
	<-arrived
	<-arrived
	one.pause(t)
	close(answer)
	leader(t, f, other)
	create(t, f, "Later")
	delivered := func(title string) func() bool {
		return func() bool { return slices.Equal(byTitle(t, f, title), []string{"Delivered "}) }
	}
	modelstest.Await(t, "the other process delivers", delivered("Later"))
	for _, title := range []string{"Answered 200", "Answered 503"} {
		if got := byTitle(t, f, title); len(got) != 1 || got[0] != "Failed interrupted" {
			t.Errorf("while the leader is paused, %q is %v", title, got)
		}
	}
	one.resume(t)
	modelstest.Await(t, "the log says what the paused process knows", func() bool {
		return delivered("Answered 200")() && slices.Equal(byTitle(t, f, "Answered 503"), []string{"Failed status"})
	})
	create(t, f, "Last")
	modelstest.Await(t, "the last one arrived", delivered("Last"))
	modelstest.Want(t, "requests for 4 emissions", len(rec.requests()), 4)
}

// TestPausesOfTheLeaderDoubleNothing pauses whichever process leads, wherever it
// stands, while changes go on.
func TestPausesOfTheLeaderDoubleNothing(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	rec := newReceiver(t, func(int, http.ResponseWriter, *http.Request) { time.Sleep(10 * time.Millisecond) })
	endpoint(t, f, rec.URL)
	processes := []*process{startProcess(t, f), startProcess(t, f)}
	stop, emitted := make(chan struct{}), 0
	var writing sync.WaitGroup
	writing.Go(func() {
		for ; ; emitted++ {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				create(t, f, fmt.Sprint("Session ", emitted))
			}
		}
	})
	for i := range 3 {
		leads := leader(t, f, processes...)
		time.Sleep(time.Duration(137*(i+1)) * time.Millisecond)
		leads.pause(t)
		for _, p := range processes {
			if p != leads {
				leader(t, f, p)
			}
		}
		leads.resume(t)
	}
	close(stop)
	writing.Wait()
	ended := func() (under, interrupted int) {
		modelstest.Fine(t, f.SQL.QueryRow(`SELECT count(*) FILTER (WHERE outcome = 'sending') + (SELECT count(*) FROM deliveries_due)
			+ (SELECT count(*) FROM emissions WHERE fanned_at IS NULL), count(*) FILTER (WHERE error_class = 'interrupted') FROM webhook_deliveries`).Scan(&under, &interrupted))
		return under, interrupted
	}
	modelstest.Await(t, "nothing is under way", func() bool { under, _ := ended(); return under == 0 })
	seen := map[string]int{}
	for _, r := range rec.requests() {
		id := tellOf(t, r).Metadata.EventID
		if seen[id]++; seen[id] > 1 {
			t.Errorf("emission %s came %d times", id, seen[id])
		}
	}
	if _, interrupted := ended(); len(seen)+interrupted < emitted || interrupted > 3*8 {
		t.Errorf("of %d emissions %d arrived, and %d were interrupted", emitted, len(seen), interrupted)
	}
}

func TestLeadIsReleasedAtTheEnd(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	stop := start(t, f, jobs.Options{Lease: time.Hour})
	modelstest.Await(t, "it leads", func() bool {
		return modelstest.Must(f.Outbox.DeliveryState(t.Context()))(t).Leader != ""
	})
	stop()
	rec := newReceiver(t, nil)
	endpoint(t, f, rec.URL)
	start(t, modelstest.Replica(t, f), jobs.Options{})
	create(t, f, "One")
	settled(t, f, 1)
}
