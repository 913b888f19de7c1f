package jobs_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/staff"
	"lectern/models/store"
)

const harbour = `<schedule><conference><title>Harbour</title></conference><day date="2027-05-20"><room name="Hall">
	<event id="1"><start>10:00</start><duration>00:30</duration><title>Tides</title></event></room></day></schedule>`

// organizer returns the programme as an organizer of all events sees it.
func organizer(t *testing.T, f *modelstest.Fixture) *models.Programme {
	return f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: f.Hire(t, "organizer", staff.Organizer).ID,
		ActorName: "Test key"})
}

// reaches waits until a move is no longer at work.
func reaches(t *testing.T, f *modelstest.Fixture, id string) *moves.Move {
	t.Helper()
	var m *moves.Move
	modelstest.Await(t, "the move ends", func() bool {
		m = modelstest.Must(moves.Of(f.Programme()).Move(t.Context(), id))(t)
		return !m.IsAtWork()
	})
	return m
}

func TestTwoProcessesMoveAConferenceOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var asked atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Write([]byte(harbour))
		}))
		defer server.Close()
		ctx, processes := t.Context(), 2
		if f.Store.Embedded() { // whose one process takes up what it finds begun as it starts
			processes = 1
		}
		for range processes {
			works(t, jobs.New(f.Store, jobs.Options{AllowNets: loopback, UserAgent: "Lectern/test"}).RunMoves)
		}
		e := moves.Of(organizer(t, f))
		m := modelstest.Must(e.Begin(ctx, moves.Asked{Kind: "schedule", Address: server.URL}))(t)
		if m = reaches(t, f, m.ID); m.State != moves.Looked {
			t.Fatalf("%s: %s", m.State, m.Reason)
		}
		modelstest.Must(e.Bring(ctx, m.ID))(t)
		if m = reaches(t, f, m.ID); m.State != moves.Brought || m.Report.Sessions != (arrival.Counts{Created: 1}) {
			t.Errorf("%s: %s %+v", m.State, m.Reason, m.Report)
		}
		modelstest.Want(t, "requests", asked.Load(), 2)
	})
}

func TestAPrivateNetworkIsNotAskedForAConference(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
		defer server.Close()
		works(t, jobs.New(f.Store, jobs.Options{}).RunMoves)
		asked := moves.Asked{Kind: "schedule", Address: server.URL}
		m := modelstest.Must(moves.Of(organizer(t, f)).Begin(t.Context(), asked))(t)
		if m = reaches(t, f, m.ID); m.State != moves.Stopped || !strings.Contains(m.Reason, "in a private network") {
			t.Errorf("%s: %s", m.State, m.Reason)
		}
	})
}

// TestAMoveThatIsStoppedEndsAtOnce stops one while the other side does not answer, and goes on with it after a restart.
func TestAMoveThatIsStoppedEndsAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		asked, left, slow := make(chan struct{}, 1), make(chan struct{}, 9), atomic.Bool{}
		slow.Store(true)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if slow.Load() {
				asked <- struct{}{}
				<-r.Context().Done()
				left <- struct{}{}
				return
			}
			w.Write([]byte(harbour))
		}))
		defer server.Close()
		serve := func() (end func()) { return works(t, jobs.New(f.Store, jobs.Options{AllowNets: loopback}).RunMoves) }
		e, end := moves.Of(organizer(t, f)), serve()
		m := modelstest.Must(e.Begin(t.Context(), moves.Asked{Kind: "schedule", Address: server.URL}))(t)
		<-asked
		modelstest.Must(e.Stop(t.Context(), m.ID))(t)
		select {
		case <-left:
		case <-time.After(time.Minute): // an answer is waited for longer
			t.Error("the worker goes on")
		}
		end()
		if m = modelstest.Must(e.Move(t.Context(), m.ID))(t); m.State != moves.Stopped || m.Reason != "Stopped by Test key." {
			t.Errorf("%s: %s", m.State, m.Reason)
		}
		modelstest.Must(e.Look(t.Context(), m.ID))(t)
		end = serve()
		<-asked
		end() // a server that ends leaves it to the next one
		slow.Store(false)
		serve()
		if m = reaches(t, f, m.ID); m.State != moves.Looked {
			t.Errorf("%s: %s", m.State, m.Reason)
		}
	})
}
