package jobs_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/modelstest"
)

// told is the event of a request.
type told struct {
	Data     struct{ Title string }
	Metadata struct{ ResourceID, EventID string }
}

func tellOf(t *testing.T, r received) (e told) {
	modelstest.WantKind(t, "a request", json.Unmarshal([]byte(r.body), &e), 0)
	return e
}

func TestEmissionsOfOneResourceComeInOrderAndNeverTwoAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		const sessions, changes = 6, 8
		var mu sync.Mutex
		under, all := map[string]int{}, 0
		two := make(chan struct{})
		isSecond := sync.OnceFunc(func() { close(two) })
		var rec *receiver
		rec = newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
			id := tellOf(t, rec.requests()[n-1]).Metadata.ResourceID
			mu.Lock()
			under[id], all = under[id]+1, all+1
			if all > 1 {
				isSecond()
			}
			if under[id] > 1 {
				t.Errorf("%d emissions of one resource are under way", under[id])
			}
			mu.Unlock()
			if n == 1 {
				select {
				case <-two:
				case <-time.After(modelstest.Patience):
					t.Error("never two deliveries are under way at once")
				}
			}
			time.Sleep(time.Duration(5+7*(n%5)) * time.Millisecond)
			mu.Lock()
			under[id], all = under[id]-1, all-1
			mu.Unlock()
		})
		endpoint(t, f, rec.URL)
		var ids []string
		for range sessions {
			ids = append(ids, create(t, f, "0").ID)
		}
		for i := range changes {
			for _, id := range ids {
				modelstest.Must(f.Programme().UpdateSession(t.Context(), id,
					models.SessionChange{Title: new(fmt.Sprint(i + 1))}))(t)
			}
		}
		start(t, f, jobs.Options{Total: 2 * modelstest.Patience})
		modelstest.Await(t, "all arrived", func() bool { return len(rec.requests()) >= sessions*(changes+1) })
		got := map[string][]string{}
		for _, r := range rec.requests() {
			e := tellOf(t, r)
			got[e.Metadata.ResourceID] = append(got[e.Metadata.ResourceID], e.Data.Title)
		}
		for _, id := range ids {
			modelstest.WantAll(t, "the changes of one session came as",
				got[id], []string{"0", "1", "2", "3", "4", "5", "6", "7", "8"})
		}
	})
}

func TestHangingReceiverDelaysNobody(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		hanging := newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		healthy := newReceiver(t, nil)
		endpoint(t, f, hanging.URL)
		endpoint(t, f, healthy.URL)
		start(t, f, jobs.Options{Total: modelstest.Patience}) // none is given up and tried again
		const n = 60
		for i := range n {
			create(t, f, fmt.Sprint("Session ", i))
		}
		modelstest.Await(t, "the healthy receiver has all", func() bool { return len(healthy.requests()) == n })
		if most := len(hanging.requests()); most > 8 {
			t.Errorf("the hanging receiver has %d requests at once", most)
		}
		hanging.CloseClientConnections()
	})
}

func TestLaterRoundsWaitLongerWhileAReceiverFails(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		const failing, n = 4, 30
		var mu sync.Mutex
		var came []time.Time
		rec := newReceiver(t, func(i int, w http.ResponseWriter, _ *http.Request) {
			mu.Lock()
			came = append(came, time.Now())
			mu.Unlock()
			switch {
			case i <= 2*failing:
				w.WriteHeader(503)
			case i%2 == 0:
				w.WriteHeader(404) // one that refuses does not fail
			}
		})
		endpoint(t, f, rec.URL)
		start(t, f, jobs.Options{})
		create(t, f, "First")
		settled(t, f, 2)
		for i := range n - 1 {
			create(t, f, fmt.Sprint("Session ", i))
		}
		settled(t, f, n+failing)
		requests := rec.requests()
		for i := range failing {
			first, second := tellOf(t, requests[2*i]), tellOf(t, requests[2*i+1])
			if first != second {
				t.Errorf("round %d was not repeated at once", i+1)
			}
			if pause, least := came[2*i+2].Sub(came[2*i+1]), 100*time.Millisecond<<i; pause < least {
				t.Errorf("after %d failures the next round came in %s, before %s", i+1, pause, least)
			}
		}
		modelstest.Want(t, "requests", len(requests), n+failing)
	})
}
