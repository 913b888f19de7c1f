package moves_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/store"
)

// TestTheNextWorkWaitsUntilAStoppedOneIsOver stops a move while its worker is at it, and asks for its undoing at once.
func TestTheNextWorkWaitsUntilAStoppedOneIsOver(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var meanwhile func()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if now := meanwhile; now != nil {
				meanwhile = nil
				now()
			}
			w.Write([]byte(scheduleOf(2)))
		}))
		defer server.Close()
		e, before := moves.Of(asker(f)), rowsIn(t, f)
		m := begin(t, f, moves.Asked{Kind: "schedule", Address: server.URL})
		other := begin(t, f, moves.Asked{Kind: "schedule", File: file("b.xml", scheduleOf(3))})
		worked(t, f, m.ID)
		modelstest.Must(e.Bring(t.Context(), m.ID))(t)
		meanwhile = func() {
			modelstest.Must(e.Stop(t.Context(), m.ID))(t)
			modelstest.Answers(e.Bring(t.Context(), other.ID))(t, "bringing another one", store.Invalid)
			modelstest.Must(e.Undo(t.Context(), m.ID))(t)
			modelstest.Want(t, "the undo begins under the worker before",
				modelstest.Must(moves.Run(t.Context(), f.Store, web))(t), false)
		}
		modelstest.Must(moves.Run(t.Context(), f.Store, web))(t)
		if m = modelstest.Must(e.Move(t.Context(), m.ID))(t); m.State != moves.Undoing || m.ClaimedUntil != nil {
			t.Fatalf("%s, claimed until %v", m.State, m.ClaimedUntil)
		}
		if m = worked(t, f, m.ID); m.State != moves.Undone {
			t.Errorf("%s: %s", m.State, m.Reason)
		}
		if after := rowsIn(t, f); after != before {
			t.Errorf("undone there is\n%s, and before\n%s", after, before)
		}
	})
}

// TestGoingOnAtOnceIsAnotherWork goes on with a move in the right of somebody else before its worker saw the stop.
func TestGoingOnAtOnceIsAnotherWork(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var meanwhile func()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if now := meanwhile; now != nil {
				meanwhile = nil
				now()
			}
			w.Write([]byte(scheduleOf(2)))
		}))
		defer server.Close()
		e := moves.Of(asker(f))
		m := begin(t, f, moves.Asked{Kind: "schedule", Address: server.URL})
		meanwhile = func() {
			modelstest.Must(e.Stop(t.Context(), m.ID))(t)
			modelstest.Must(moves.Of(ofOneEvent(t, f)).Look(t.Context(), m.ID))(t)
		}
		modelstest.Must(moves.Run(t.Context(), f.Store, web))(t)
		if m = modelstest.Must(e.Move(t.Context(), m.ID))(t); m.State != moves.Looking || m.ActorName != "Bo" {
			t.Errorf("%s by %s: the worker before said how it ended", m.State, m.ActorName)
		}
		if m = worked(t, f, m.ID); m.State != moves.Looked {
			t.Errorf("%s: %s", m.State, m.Reason)
		}
	})
}
