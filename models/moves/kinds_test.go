package moves_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/xuri/excelize/v2"

	"lectern/jobs"
	"lectern/models"
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
		answer.Store("<!doctype html>")
		m = begin(t, f, moves.Asked{Kind: "calendar", Address: server.URL + "/programme.ics"})
		if m = worked(t, f, m.ID); m.State != moves.Stopped || !strings.Contains(m.Reason, "calendar") {
			t.Errorf("%s %s", m.State, m.Reason)
		}
	})
}

// TestASpreadsheetOfSessionizeIsATable: its columns are shown, and its rows are told from those of another sheet.
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
		other := begin(t, f, moves.Asked{Kind: "sheet", File: file("sessions.csv", "Id,Title\n7,Ships\n")})
		modelstest.Must(moves.Of(asker(f)).Choose(t.Context(), other.ID, other.Choices.Held))(t)
		worked(t, f, other.ID)
		if r := brought(t, f, other.ID).Report; r.Abstracts.Created != 1 || r.GoneAll != 0 {
			t.Errorf("%+v", r)
		}
		m = begin(t, f, moves.Asked{Kind: "sessionize", File: file("grid.json", `[{"date": "2027-05-20", "rooms": []}]`)})
		if m = worked(t, f, m.ID); m.State != moves.Stopped || !strings.Contains(m.Reason, "view/All") {
			t.Errorf("the grid: %s %s", m.State, m.Reason)
		}
	})
}

// TestNoMoveAsksAPrivateNetwork has a server there that would answer.
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
		if n := asked.Load(); n > 0 {
			t.Errorf("it was asked %d times", n)
		}
	})
}
