package moves_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/moves"
)

const aCalendar = "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Harbour\r\nBEGIN:VEVENT\r\nUID:1@there\r\nSUMMARY:Tides\r\nLOCATION:Dock One\r\n" +
	"DTSTART:20270520T090000\r\nDTEND:20270520T094500\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

func TestACalendarComesByItsAddressAndAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var answer atomic.Value
		answer.Store(aCalendar)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(answer.Load().(string)))
		}))
		defer server.Close()
		m := begin(t, f, moves.Asked{Kind: "calendar", Address: server.URL + "/programme.ics"})
		if m = worked(t, f, m.ID); m.State != moves.Looked || m.Preview.Sessions.New != 1 || m.Preview.Placed != 1 {
			t.Fatalf("%s %s %+v", m.State, m.Reason, m.Preview)
		}
		if r := brought(t, f, m.ID).Report; r.Sessions.Created != 1 || r.Rooms != 1 || r.From != "Harbour" {
			t.Errorf("%+v", r)
		}
		answer.Store(strings.Replace(aCalendar, "SUMMARY:Tides", "SUMMARY:High tides", 1))
		m = begin(t, f, moves.Asked{Kind: "calendar", Address: server.URL + "/programme.ics"})
		worked(t, f, m.ID)
		if r := brought(t, f, m.ID).Report; r.Sessions.Created != 0 || r.Sessions.Updated != 1 {
			t.Errorf("%+v", r)
		}
		m = begin(t, f, moves.Asked{Kind: "calendar", File: file("programme.ics", answer.Load().(string))})
		worked(t, f, m.ID)
		modelstest.Want(t, "unchanged in a file", brought(t, f, m.ID).Report.Sessions.Unchanged, 1)
		answer.Store("<!doctype html>")
		m = begin(t, f, moves.Asked{Kind: "calendar", Address: server.URL + "/programme.ics"})
		stops(t, f, m.ID, "calendar")
	})
}

// TestASpreadsheetOfSessionizeIsATable: its columns are shown, and its rows are kept apart from those of another sheet.
func TestASpreadsheetOfSessionizeIsATable(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		book := excelize.NewFile()
		for i, row := range [][]any{{"Session Id", "Title", "Owner", "Owner Email", "Speaker Id", "FirstName", "LastName", "Email"},
			{"7", "Tides", "Cy Roe", "cy@example.org", "a", "Ada", "Ng", "ada@example.org"},
			{"7", "Tides", "Cy Roe", "cy@example.org", "b", "Bo", "Li", "bo@example.org"}} {
			at := modelstest.Must(excelize.CoordinatesToCellName(1, i+1))(t)
			modelstest.Fine(t, book.SetSheetRow("Sheet1", at, &row))
		}
		var content bytes.Buffer
		modelstest.Must(book.WriteTo(&content))(t)
		m := begin(t, f, moves.Asked{Kind: "sessionize", File: &models.Upload{Name: "all.xlsx", Content: content.Bytes()}})
		want := []string{"key", "title", "answer", "answer", "answer", "first_name", "last_name", "email"}
		if m.Kind != "sheet" || m.State != moves.Choosing || m.Choices.As != "sessionize" || !slices.Equal(m.Choices.Held, want) {
			t.Fatalf("%+v", m)
		}
		modelstest.Must(moves.Of(asker(f)).Choose(t.Context(), m.ID, m.Choices.Held))(t)
		worked(t, f, m.ID)
		if r := brought(t, f, m.ID).Report; r.Abstracts.Created != 1 || r.Contacts.Created != 2 || r.SkippedAll != 0 {
			t.Errorf("%+v", r)
		}
		other := lookedAt(t, f, moves.Of(asker(f)), "Id,Title\n7,Ships\n")
		if r := brought(t, f, other.ID).Report; r.Abstracts.Created != 1 || r.GoneAll != 0 {
			t.Errorf("%+v", r)
		}
		m = begin(t, f, moves.Asked{Kind: "sessionize", File: file("grid.json", `[{"date": "2027-05-20", "rooms": []}]`)})
		stops(t, f, m.ID, "view/All")
	})
}

// TestNoMoveAsksAPrivateNetwork runs a server there that would answer.
func TestNoMoveAsksAPrivateNetwork(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var asked atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
		defer server.Close()
		guarded := jobs.NewFetch(nil, "test")
		for _, k := range moves.Kinds {
			if k.Address == "" {
				continue
			}
			a := moves.Asked{Kind: k.Name, Address: server.URL + "/api/v2/abcd1234/view/All"}
			if k.HasToken {
				a.Address, a.Token = server.URL+"/democon", "hidden"
			}
			m := begin(t, f, a)
			modelstest.Must(moves.Run(t.Context(), f.Store, guarded))(t)
			m = modelstest.Must(moves.Of(asker(f)).Move(t.Context(), m.ID))(t)
			if m.State != moves.Stopped || !strings.Contains(m.Reason, "is in a private network, which is not asked") {
				t.Errorf("%s: %s %s", k.Name, m.State, m.Reason)
			}
		}
		modelstest.Want(t, "times that it was asked", asked.Load(), 0)
	})
}

// democon are the answers of a pretalx, by path.
var democon = map[string]string{
	"": `{"name": {"en": "Demo"}, "slug": "democon", "date_from": "2027-05-20", "date_to": "2027-05-21",
		"locale": "en"}`,
	"tracks/": `{"count": 1, "results": [{"id": 1, "name": {"en": "Boats"}, "color": "#00ff00"}]}`,
	"rooms/":  `{"count": 1, "results": [{"id": 1, "name": "Hall", "capacity": 80}]}`, "tags/": `{"results": []}`,
	"submission-types/": `{"results": [{"id": 1, "name": {"en": "Talk"}, "default_duration": 30}]}`,
	"questions/": `{"results": [{"id": 4, "question": {"en": "Needs"}, "variant": "text",
		"target": "submission", "options": []},
		{"id": 5, "question": {"en": "Diet"}, "variant": "text", "target": "speaker", "options": []},
		{"id": 6, "question": {"en": "Video"}, "variant": "url", "target": "submission", "options": [],
			"is_visible_to_reviewers": true},
		{"id": 7, "question": {"en": "Slides"}, "variant": "file", "target": "submission", "options": []}]}`,
	"schedules/wip/": `{"id": 3}`,
	"slots/": `{"results": [
		{"id": 9, "room": 1, "start": "2027-05-20T14:00:00+01:00", "end": "2027-05-20T15:00:00+01:00", "submission": "ABC"},
		{"id": 6, "room": 1, "start": "2027-05-21T12:00:00+01:00", "end": "2027-05-21T13:00:00+01:00",
			"description": {"en": "Lunch"}}]}`,
	"speakers/": `{"count": 1, "results": [{"code": "S", "name": "Ada Ng", "email": "ada@example.org",
		"biography": "Sails",
		"avatar_url": "BASE/ada.png", "internal_notes": "Kind", "submissions": ["ABC"],
		"answers": [{"question": 5, "answer": "Fish", "options": []}]}]}`,
	"submissions/": `{"count": 2, "results": [{"code": "ABC", "title": "Boats", "speakers": ["S"], "submission_type": 1,
		"track": 1, "tags": [], "state": "confirmed", "abstract": "Short", "answers": [{"question": 4, "answer": "x",
		"options": []}]}, {"code": "DEF", "title": "Fish", "speakers": ["S"], "submission_type": 1, "track": 1, "tags": [],
		"state": "submitted", "abstract": "", "answers": []}]}`,
	"reviews/": `{"count": 1, "results": [{"id": 1, "submission": "DEF", "text": "Good", "user": {"name": "R",
		"email": "r@example.org"}, "scores": [{"value": "2.00", "label": "Yes", "category": {"id": 1, "name": {"en": "Fun"},
		"weight": "1.0"}}], "answers": []}]}`,
}

// TestAPretalxIsLookedAtBroughtAndTakenBack is one with photo, note, answers, review and break.
func TestAPretalxIsLookedAtBroughtAndTakenBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/ada.png" {
				png.Encode(w, image.NewGray(image.Rect(0, 0, 40, 40)))
				return
			}
			if r.Header.Get("Authorization") != "Token hidden" {
				w.WriteHeader(401)
				return
			}
			answer := democon[strings.TrimPrefix(r.URL.Path, "/api/events/democon/")]
			fmt.Fprint(w, strings.ReplaceAll(answer, "BASE", "http://"+r.Host))
		}))
		defer server.Close()
		modelstest.Fine(t, call.Of(f.Programme()).Start(t.Context()))
		before := rowsIn(t, f)
		m := begin(t, f, moves.Asked{Kind: "pretalx", Address: server.URL + "/democon", Token: "hidden"})
		m = worked(t, f, m.ID)
		if p := m.Preview; m.State != moves.Looked || p.Sessions.New != 2 || p.People.New != 1 || p.Reviews.New != 1 ||
			p.Breaks.New != 1 || p.Labels.New != 3 || p.Starts != "2027-05-20" || p.From != "Demo" {
			t.Fatalf("%s %s %+v", m.State, m.Reason, p)
		}
		modelstest.Want(t, "a look wrote", rowsIn(t, f), before)
		m = brought(t, f, m.ID)
		if r := m.Report; r.Abstracts.Created != 2 || r.Sessions.Created != 1 || r.Contacts.Created != 1 || r.Photos != 1 ||
			r.Answers != 1 || r.Reviews.Created != 1 || r.Breaks.Created != 1 || m.SealedToken != "" {
			t.Errorf("%+v", r)
		}
		form := modelstest.Must(call.Of(f.Programme()).Form(t.Context()))(t)
		for label, want := range map[string]call.Audience{"Needs": call.StaffOnly, "Video": call.Reviewers, "Slides": call.StaffOnly} {
			if at := slices.IndexFunc(form.Questions(), func(q *call.Question) bool { return q.Label == label }); at < 0 ||
				form.Questions()[at].SeenBy != want {
				t.Errorf("%s is not for %s, as the other system says", label, want)
			}
		}
		f.Clock.Move(time.Minute)
		modelstest.Must(moves.Of(asker(f)).Undo(t.Context(), m.ID))(t)
		ends(t, f, m.ID, moves.Undone)
		modelstest.Want(t, "rows once it is undone", rowsIn(t, f), before)
		modelstest.WantSound(t, f)
	})
}
