package moves_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/store"
)

// tables are those that a move writes, without the activity and the like.
var tables = []string{"sessions", "participants", "session_tags", "contacts", "event_contacts", "metadata",
	"agenda_breaks", "imported WHERE made_by <> ''", "participations", "speaker_answers", "reviews", "call_questions",
	"events", "letters", "review_results"}

// rowsIn counts the rows of each of these tables.
func rowsIn(t *testing.T, f *modelstest.Fixture) string {
	t.Helper()
	var b strings.Builder
	for _, table := range tables {
		fmt.Fprint(&b, table, " ", modelstest.RowsOf(t, f, "SELECT count(*) FROM "+table), "\n")
	}
	return b.String()
}

// came imports a sheet, which meets Ada, a track and an event without days.
func came(t *testing.T, f *modelstest.Fixture) *moves.Move {
	t.Helper()
	m := begin(t, f, moves.Asked{Kind: "sheet", File: file("sessions.csv", table)})
	modelstest.Must(moves.Of(asker(f)).Choose(t.Context(), m.ID, columns))(t)
	worked(t, f, m.ID)
	m = brought(t, f, m.ID)
	f.Clock.Move(time.Minute)
	return m
}

func TestAMoveThatNobodyChangedIsTakenBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "Ada", LastName: "Ng",
			Email: "ada@example.org"}))(t)
		modelstest.RowOf(t, f.Programme(), models.Tracks, "Data")
		modelstest.Fine(t, call.Of(f.Programme()).Start(t.Context())) // a call that it begins stays
		before := rowsIn(t, f)
		for range 2 { // once undone, it comes anew
			m := came(t, f)
			if r := m.Report; r.Abstracts.Created != 2 || r.Contacts.Created != 1 || r.Rooms != 1 || r.Tracks != 0 {
				t.Fatalf("%+v", r)
			}
			e := moves.Of(asker(f))
			held, made, err := e.Obstacles(t.Context(), m)
			if err != nil || held.Any() || made["abstract"] != 2 || made["contact"] != 1 || made["rooms"] != 1 {
				t.Fatalf("%+v, %v, %v", held, made, err)
			}
			modelstest.Must(e.Undo(t.Context(), m.ID))(t)
			ends(t, f, m.ID, moves.Undone)
			modelstest.Want(t, "rows once it is undone", rowsIn(t, f), before)
			modelstest.Want(t, "the event's first day", store.Fact(f.Programme().Event().StartsOn), nil)
			modelstest.Answers(e.Undo(t.Context(), m.ID))(t, "once more", store.Stale)
		}
		modelstest.WantSound(t, f)
	})
}

func TestAScheduleIsTakenBackInSteps(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		before := rowsIn(t, f)
		m := begin(t, f, moves.Asked{Kind: "schedule", File: file("schedule.xml", scheduleOf(120)), AsSubmissions: true})
		worked(t, f, m.ID)
		m = brought(t, f, m.ID)
		f.Clock.Move(time.Minute)
		modelstest.Must(moves.Of(asker(f)).Undo(t.Context(), m.ID))(t)
		ends(t, f, m.ID, moves.Undone)
		modelstest.Want(t, "rows once it is undone", rowsIn(t, f), before)
		modelstest.WantSound(t, f)
	})
}

func TestWhatWasChangedSinceIsToldAndStays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := came(t, f)
		e, p := moves.Of(asker(f)), f.Programme()
		s := modelstest.SessionsByTitle(t, p, models.SessionFilter{IsAbstract: new(false)})["Tides"]
		var change models.SessionChange
		change.Capacity = store.Some(12)
		modelstest.Must(p.UpdateSession(t.Context(), s.ID, change))(t)
		held, _, err := e.Obstacles(t.Context(), m)
		if err != nil || len(held.Rows) != 1 || held.Rows[0].Title != "Tides" || !held.Any() {
			t.Errorf("%+v, %v", held, err)
		}
		refused(e.Undo(t.Context(), m.ID))(t, "changed since")
		// Changed once the work at it has begun, it stays too, and the page says what.
		again := came(t, f)
		modelstest.Answers(e.Undo(t.Context(), m.ID))(t, "under a later move", store.Invalid)
		modelstest.Must(e.Undo(t.Context(), again.ID))(t) // which made nothing
		ends(t, f, again.ID, moves.Undone)
		modelstest.Want(t, "titles are left", len(modelstest.SessionsByTitle(t, p, models.SessionFilter{})), 2)
	})
}

func TestPeopleWhomSomebodyElseKnowsStay(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := came(t, f)
		bo := modelstest.PersonBy(t, f, "bo@example.org")
		s := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Elsewhere",
			People: []models.Participation{{ContactID: bo.ID, Role: models.Speaking}}}))(t)
		modelstest.Must(moves.Of(asker(f)).Undo(t.Context(), m.ID))(t)
		ends(t, f, m.ID, moves.Undone)
		s = modelstest.Must(f.Elsewhere().Session(t.Context(), s.ID))(t)
		modelstest.Want(t, "people elsewhere", len(s.Participants), 1)
		modelstest.Want(t, "who is known by nobody stays",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts WHERE email = 'ada@example.org'"), 0)
	})
}

// asks serves a schedule, and does something meanwhile, once, when it is asked for it.
func asks(t *testing.T, meanwhile *func()) (address string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if now := *meanwhile; now != nil {
			*meanwhile = nil
			now()
		}
		w.Write([]byte(scheduleOf(2)))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestTheNextWorkWaitsUntilAStoppedOneIsOver stops a move while its worker runs, and undoes it at once.
func TestTheNextWorkWaitsUntilAStoppedOneIsOver(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var meanwhile func()
		address := asks(t, &meanwhile)
		e, before := moves.Of(asker(f)), rowsIn(t, f)
		m := begin(t, f, moves.Asked{Kind: "schedule", Address: address})
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
		ends(t, f, m.ID, moves.Undone)
		modelstest.Want(t, "rows once it is undone", rowsIn(t, f), before)
	})
}

// TestGoingOnAtOnceIsAnotherWork has another person go on with a stopped move before its worker sees the stop.
func TestGoingOnAtOnceIsAnotherWork(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var meanwhile func()
		address := asks(t, &meanwhile)
		e := moves.Of(asker(f))
		m := begin(t, f, moves.Asked{Kind: "schedule", Address: address})
		goneOn := make(chan struct{})
		meanwhile = func() {
			defer close(goneOn)
			modelstest.Must(e.Stop(t.Context(), m.ID))(t)
			modelstest.Must(moves.Of(ofOneEvent(t, f)).Look(t.Context(), m.ID))(t)
		}
		modelstest.Must(moves.Run(t.Context(), f.Store, web))(t)
		<-goneOn // the stop ends the worker before somebody goes on
		if m = modelstest.Must(e.Move(t.Context(), m.ID))(t); m.State != moves.Looking || m.ActorName != "Bo" {
			t.Errorf("%s by %s: the worker before said how it ended", m.State, m.ActorName)
		}
		ends(t, f, m.ID, moves.Looked)
	})
}
