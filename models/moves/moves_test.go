package moves_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/fetch"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/staff"
	"lectern/models/store"
)

// web is a client that never waits.
var web = &fetch.Client{HTTP: &http.Client{Timeout: modelstest.Patience},
	Wait: func(context.Context, time.Duration) error { return nil }}

// asking is who organizes all events, of each fixture.
var asking sync.Map

// asker returns the programme for an organizer of all events.
func asker(f *modelstest.Fixture) *models.Programme {
	id, isThere := asking.Load(f)
	if !isThere {
		user, err := f.Staff.CreateUser(context.Background(), staff.NewUser{Email: "asker@example.org", Name: "Ada",
			Role: staff.Organizer, Password: "correct horse battery"})
		if err != nil {
			panic(err)
		}
		id, _ = asking.LoadOrStore(f, user.ID)
	}
	return f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: id.(string), ActorName: "Ada"})
}

func begin(t *testing.T, f *modelstest.Fixture, a moves.Asked) *moves.Move {
	t.Helper()
	return modelstest.Must(moves.Of(asker(f)).Begin(t.Context(), a))(t)
}

func file(name, content string) *models.Upload {
	return &models.Upload{Name: name, Content: []byte(content)}
}

// worked runs the job until nothing waits, and returns the move as it is then.
func worked(t *testing.T, f *modelstest.Fixture, id string) *moves.Move {
	t.Helper()
	for modelstest.Must(moves.Run(t.Context(), f.Store, web))(t) {
	}
	return modelstest.Must(moves.Of(asker(f)).Move(t.Context(), id))(t)
}

// ends runs the job until nothing waits, and returns the move, which must be in a state then.
func ends(t *testing.T, f *modelstest.Fixture, id string, in moves.State) *moves.Move {
	t.Helper()
	m := worked(t, f, id)
	if m.State != in {
		t.Fatalf("%s: %s", m.State, m.Reason)
	}
	return m
}

// stops runs the job until nothing waits, and checks that the move stopped for a reason with these words.
func stops(t *testing.T, f *modelstest.Fixture, id, words string) {
	t.Helper()
	if m := ends(t, f, id, moves.Stopped); !strings.Contains(m.Reason, words) {
		t.Errorf("%q in place of %q", m.Reason, words)
	}
}

// brought imports a move that was previewed.
func brought(t *testing.T, f *modelstest.Fixture, id string) *moves.Move {
	t.Helper()
	modelstest.Must(moves.Of(asker(f)).Bring(t.Context(), id))(t)
	m := ends(t, f, id, moves.Brought)
	if m.Report == nil {
		t.Fatal("it reports nothing")
	}
	return m
}

// lookedAt begins with a sheet, whose columns hold what is proposed, and previews it.
func lookedAt(t *testing.T, f *modelstest.Fixture, e *moves.AtEvent, content string) *moves.Move {
	t.Helper()
	m := modelstest.Must(e.Begin(t.Context(), moves.Asked{Kind: "sheet", File: file("sessions.csv", content)}))(t)
	modelstest.Must(e.Choose(t.Context(), m.ID, m.Choices.Held))(t)
	return worked(t, f, m.ID)
}

// refused checks that an operation answered Invalid with these words.
func refused(_ *moves.Move, err error) func(t *testing.T, words string) {
	return func(t *testing.T, words string) {
		t.Helper()
		if modelstest.WantKind(t, words, err, store.Invalid); err != nil && !strings.Contains(err.Error(), words) {
			t.Errorf("%v in place of %q", err, words)
		}
	}
}

// endsAt runs the job once, and ends it at one of its statements, as if the process ended there.
func endsAt(t *testing.T, f *modelstest.Fixture, statement int) error {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ran atomic.Int32
	defer f.Statement.Watch(func(string) {
		if int(ran.Add(1)) == statement {
			cancel()
		}
	})()
	return modelstest.ErrorOf(moves.Run(ctx, f.Store, web))
}

const table = "Title,Speakers,Track,Room,Date,Start,End,Needs\n" +
	"Tides,Ada Ng <ada@example.org>,Data,Hall,2027-05-20,10:00,11:00,A boat\n" +
	"Ships,Bo Li <bo@example.org>,Data,Hall,2027-05-20,11:00,12:00,\n" +
	",Cy,Data,Hall,,,,\n"

// columns returns the headings of the table, in their order.
var columns = []string{"title", "people", "track", "room", "date", "start", "end", "answer"}

// scheduleOf returns a schedule of n sessions with two speakers each.
func scheduleOf(sessions int) string {
	var b strings.Builder
	b.WriteString(`<schedule><conference><title>Harbour</title></conference><day date="2027-05-20"><room name="Hall">`)
	for i := range sessions {
		fmt.Fprintf(&b, `<event id="%d" guid="e0d0a1d4-0000-4000-8000-%012d"><start>%02d:%02d</start>
			<duration>00:05</duration><title>Talk %d</title><track>Data</track><type>talk</type>
			<persons><person id="%d">Ada %d</person>
			<person id="x">Bo Li</person></persons></event>`, i, i, i/12%24, i%12*5, i, i, i)
	}
	b.WriteString(`</room></day></schedule>`)
	return b.String()
}

func TestASheetIsChosenLookedAtAndBrought(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Elsewhere().CreateContact(t.Context(), models.NewContact{FirstName: "Ada", LastName: "Ng",
			Email: "ada@example.org"}))(t)
		m := begin(t, f, moves.Asked{Kind: "sheet", File: file("sessions.csv", table)})
		if m.State != moves.Choosing || m.Choices.As != "sessions" {
			t.Fatalf("%+v", m)
		}
		e := moves.Of(asker(f))
		all, rows, err := e.Columns(t.Context(), m)
		if err != nil || rows != 3 || len(all) != 8 || all[0].Holds != "title" || !all[0].IsSure ||
			all[7].Holds != "answer" || all[0].Samples[1] != "Ships" {
			t.Errorf("%+v, %d, %v", all, rows, err)
		}
		for _, held := range [][]string{nil, {"", "", "", "", "", "", "", ""}, {"title", "title", "", "", "", "", "", ""},
			{"title", "nonsense", "", "", "", "", "", ""}} {
			modelstest.Answers(e.Choose(t.Context(), m.ID, held))(t, fmt.Sprint(held), store.Invalid)
		}
		modelstest.Must(e.Choose(t.Context(), m.ID, columns))(t)
		m = worked(t, f, m.ID)
		if p := m.Preview; m.State != moves.Looked || p.Sessions.New != 2 || p.Placed != 2 || p.People.New != 1 ||
			p.People.Here != 1 || p.Labels.New != 2 || p.Questions.New != 1 || p.SkippedAll != 1 || p.Skipped[0].ID != "row 4" {
			t.Fatalf("%s %s %+v", m.State, m.Reason, p)
		}
		modelstest.Want(t, "rows that a look wrote", modelstest.RowsOf(t, f, "SELECT count(*) FROM imported"), 0)
		m = brought(t, f, m.ID)
		if r := m.Report; r.Abstracts.Created != 2 || r.Sessions.Created != 2 || r.Contacts.Created != 1 ||
			r.SkippedAll != 1 || r.StartsOn != "2027-05-20" || m.EndedAt == nil || m.ClaimedUntil != nil {
			t.Errorf("%+v", m.Report)
		}
		// The same columns are known the next time, and nothing comes twice.
		again := lookedAt(t, f, e, table)
		if p := again.Preview; p.Sessions.Here != 2 || p.Sessions.New+p.People.New+p.Labels.New+p.Questions.New != 0 {
			t.Errorf("%+v", p)
		}
		if r := brought(t, f, again.ID).Report; r.Abstracts.Unchanged != 2 || r.Abstracts.Created+r.Abstracts.Updated != 0 {
			t.Errorf("%+v", r)
		}
	})
}

func TestAMoveThatWasKilledGoesOnWhereItEndedAndTellsOfTheWhole(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := begin(t, f, moves.Asked{Kind: "schedule", File: file("schedule.xml", scheduleOf(150)), AsSubmissions: true})
		if m = worked(t, f, m.ID); m.State != moves.Looked || m.Preview.Sessions.New != 150 || m.Preview.People.New != 151 {
			t.Fatalf("%s %s %+v", m.State, m.Reason, m.Preview)
		}
		modelstest.Must(moves.Of(asker(f)).Bring(t.Context(), m.ID))(t)
		for _, at := range []int{30, 60, 25} {
			err := endsAt(t, f, at)
			if m = modelstest.Must(moves.Of(asker(f)).Move(t.Context(), m.ID))(t); m.State != moves.Bringing || err != nil &&
				m.ClaimedUntil != nil {
				t.Fatalf("after %d statements: %s, %v", at, m.State, err)
			}
			f.Clock.Move(time.Minute) // as if it was killed without a word
		}
		m = worked(t, f, m.ID)
		if r := m.Report; m.State != moves.Brought || r.Sessions != (arrival.Counts{Created: 150}) ||
			r.Abstracts != (arrival.Counts{Created: 150}) || r.Contacts != (arrival.Counts{Created: 151}) ||
			r.Rooms != 1 || r.Tracks != 1 || r.Formats != 1 {
			t.Errorf("%s %s %+v", m.State, m.Reason, m.Report)
		}
	})
}

func TestOneMoveAtATimeBringsSomething(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		e := moves.Of(asker(f))
		first := begin(t, f, moves.Asked{Kind: "schedule", File: file("a.xml", scheduleOf(2))})
		second := begin(t, f, moves.Asked{Kind: "schedule", File: file("b.xml", scheduleOf(3))})
		worked(t, f, first.ID)
		modelstest.Must(e.Bring(t.Context(), first.ID))(t)
		refused(e.Bring(t.Context(), second.ID))(t, "Ada")
		modelstest.Answers(e.Bring(t.Context(), first.ID))(t, "the first once more", store.Stale)
		stopped := modelstest.Must(e.Stop(t.Context(), first.ID))(t)
		if stopped.State != moves.Stopped || stopped.Reason != "Stopped by Ada." || !stopped.CanBring() {
			t.Errorf("%+v", stopped)
		}
		brought(t, f, second.ID)
		brought(t, f, first.ID)
		modelstest.WantKind(t, "forgetting it", e.Forget(t.Context(), first.ID), store.Stale)
		modelstest.Answers(moves.Of(f.Elsewhere()).Move(t.Context(), first.ID))(t, "from another event", store.NotFound)
	})
}

func TestAMoveThatKillsItsServerIsGivenUp(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := begin(t, f, moves.Asked{Kind: "schedule", File: file("a.xml", scheduleOf(2))})
		modelstest.Exec(t, f.SQL, "UPDATE moves SET deaths = 3, claimed_until = '2020-01-01T00:00:00.000Z'")
		stops(t, f, m.ID, "several times")
		modelstest.Must(moves.Of(asker(f)).Look(t.Context(), m.ID))(t)
		ends(t, f, m.ID, moves.Looked)
	})
}

func TestWhatTheOtherSideDoesIsSaidInASentence(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasPrefix(r.URL.Path, "/broken"):
				w.WriteHeader(500)
			case strings.Contains(r.URL.Path, "/api/events/rights"):
				w.WriteHeader(403)
			default:
				fmt.Fprint(w, "<!doctype html><p>Hello")
			}
		}))
		defer server.Close()
		for _, of := range []struct {
			asked moves.Asked
			want  string
		}{
			{moves.Asked{Kind: "schedule", Address: server.URL + "/broken"}, "fails (status 500)."},
			{moves.Asked{Kind: "schedule", Address: server.URL + "/page"}, "Line 1"},
			{moves.Asked{Kind: "schedule", Address: "http://127.0.0.1:1/x"}, "cannot be reached"},
			{moves.Asked{Kind: "sessionize", Address: server.URL + "/api/v2/abcd1234/view/All"}, "This is a web page"},
			{moves.Asked{Kind: "sessionize", Address: "nonsense!"}, "no address of Sessionize's API"},
			{moves.Asked{Kind: "pretalx", Address: server.URL + "/rights", Token: "hidden"}, "the token may not read this"},
			{moves.Asked{Kind: "pretalx", Address: server.URL + "/page", Token: "hidden"}, "a web page in place of data"},
			{moves.Asked{Kind: "pretalx", Address: server.URL, Token: "hidden"}, "Which event?"},
			{moves.Asked{Kind: "schedule", File: file("x.json", "{}")}, ""},
		} {
			m := begin(t, f, of.asked)
			m = worked(t, f, m.ID)
			if m.State != moves.Stopped || m.StoppedIn != moves.Looking || !strings.Contains(m.Reason, of.want) ||
				strings.Contains(m.Reason, "our side") {
				t.Errorf("%+v: %s %q", of.asked, m.State, m.Reason)
			}
			modelstest.Fine(t, moves.Of(asker(f)).Forget(t.Context(), m.ID))
		}
	})
}

func TestATokenIsSealedAndGoes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := begin(t, f, moves.Asked{Kind: "pretalx", Address: "http://127.0.0.1:1/harbour", Token: "hidden-token"})
		modelstest.WantAll(t, "the token stands in", modelstest.TablesWith(t, f, "hidden-token"), nil)
		m = worked(t, f, m.ID)
		f.Clock.Move(25 * time.Hour)
		modelstest.Fine(t, moves.ForgetSecrets(t.Context(), f.Store))
		m = modelstest.Must(moves.Of(asker(f)).Move(t.Context(), m.ID))(t)
		_, err := moves.Of(asker(f)).Look(t.Context(), m.ID)
		if modelstest.WantKind(t, "a day later", err, store.Invalid); m.SealedToken != "" ||
			!strings.Contains(err.Error(), "a day") {
			t.Error(m.SealedToken, err)
		}
	})
}

func TestAFormIsRefusedInWords(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for want, asked := range map[string]moves.Asked{
			"kind must":    {Kind: "nonsense"},
			"token is":     {Kind: "pretalx", Address: "https://pretalx.com/x"},
			"address is":   {Kind: "sessionize"},
			"file is":      {Kind: "sheet", Address: "https://example.org"},
			"no name and":  {Kind: "schedule", Address: "https://me:word@example.org/x"},
			"address must": {Kind: "schedule", Address: "https://me@example.org/x"},
			"event_there":  {Kind: "pretalx", Address: "https://pretalx.com", Token: "x", EventThere: "a/b"},
			"read":         {Kind: "sheet", File: file("bomb.xlsx", "PK\x03\x04nonsense")},
			"file is em":   {Kind: "schedule", File: file("x.xml", "")},
		} {
			refused(moves.Of(asker(f)).Begin(t.Context(), asked))(t, want)
		}
	})
}

// TestWhoOrganizesOneEventChangesNobodyElsesPeople imports a person whom another event knows, twice.
func TestWhoOrganizesOneEventChangesNobodyElsesPeople(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.Must(f.Elsewhere().CreateContact(t.Context(), models.NewContact{FirstName: "Ada", LastName: "Ng",
			Email: "ada@example.org"}))(t)
		e := moves.Of(ofOneEvent(t, f))
		for i, name := range []string{"Ada Ng", "Eva Other"} {
			content := "Title,Speakers,E-mail,Biography\nTides," + name + ",ada@example.org,Sails\n"
			m := lookedAt(t, f, e, content)
			if p := m.Preview; p.People.New != 1-i || p.People.Here != i {
				t.Errorf("%d: the look tells that somebody else knows them: %+v", i, p.People)
			}
			modelstest.Must(e.Bring(t.Context(), m.ID))(t)
			if m = worked(t, f, m.ID); m.State != moves.Brought || m.Report.Contacts.Created != 1-i {
				t.Errorf("%d: %s %s %+v", i, m.State, m.Reason, m.Report.Contacts)
			}
		}
		is := modelstest.Must(f.Elsewhere().Contact(t.Context(), ada.ID))(t)
		modelstest.Want(t, "name and biography", [2]string{is.FullName, is.About}, [2]string{"Ada Ng", ""})
		modelstest.Want(t, "guests",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM event_contacts WHERE guest_since IS NOT NULL"), 1)
	})
}

func TestAServerThatStartsTakesUpWhatTheLastOneLeft(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := begin(t, f, moves.Asked{Kind: "schedule", File: file("a.xml", scheduleOf(2))})
		modelstest.Exec(t, f.SQL, "UPDATE moves SET claims = 1, claimed_until = '2030-01-01T00:00:00.000Z'")
		ends(t, f, m.ID, moves.Looking)
		modelstest.Fine(t, moves.Release(t.Context(), f.Store))
		if !f.Store.Embedded() { // there another process may be at it, until its claim ends
			f.Clock.Move(5 * 365 * 24 * time.Hour)
		}
		if m = worked(t, f, m.ID); m.State != moves.Looked || m.Claims != 2 {
			t.Errorf("%s %s, %d claims", m.State, m.Reason, m.Claims)
		}
	})
}
