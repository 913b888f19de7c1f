package moves_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/store"
)

// rowsOf returns the rows that a move could not import, as a file.
func rowsOf(t *testing.T, f *modelstest.Fixture, m *moves.Move) string {
	t.Helper()
	var out bytes.Buffer
	modelstest.Fine(t, moves.Of(asker(f)).WriteFaults(t.Context(), m, &out))
	return out.String()
}

// TestRowsThatCannotComeAreCorrectedAndComeAlone: the file has all of them, also those that the page does not list,
// with the other rows of the same session; sessions that are not in that file are not gone.
func TestRowsThatCannotComeAreCorrectedAndComeAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var table strings.Builder
		table.WriteString("Title,Where,Start,Speaker,E-mail\nTides,Hall,2027-05-20 10:00,Ada,ada@x.org\nKeynote,Hall,2027-05-20 09:00,Bo,bo@x.org\n" +
			"Keynote,Hall,2027-05-21,Bo,bo@x.org\n")
		for i := range 300 {
			fmt.Fprintf(&table, "Talk %d,Hall,soon,Cy,cy@x.org\n", i)
		}
		table.WriteString(strings.Repeat("Long ", 200) + ",Hall,,Dee,dee@x.org\n")
		table.WriteString("Ships," + strings.Repeat("Hall ", 200) + ",,Dee,dee@x.org\n")
		begins := func(content string) *moves.Move {
			t.Helper()
			m := begin(t, f, moves.Asked{Kind: "sheet", File: file("sessions.csv", content)})
			held := m.Choices.Held
			held[1] = "room"
			modelstest.Must(moves.Of(asker(f)).Choose(t.Context(), m.ID, held))(t)
			return worked(t, f, m.ID)
		}
		m := begins(table.String())
		if p := m.Preview; p.Sessions.New != 3 || p.SkippedAll != 303 || len(p.Skipped) != 200 {
			t.Errorf("%+v, %d", p.Sessions, p.SkippedAll)
		}
		brought(t, f, m.ID)
		rows := rowsOf(t, f, m)
		lines := strings.Split(strings.TrimSpace(rows), "\r\n")
		if len(lines) != 1+2+300+2 || lines[0] != "\ufeffTitle,Where,Start,Speaker,E-mail,Row in the file,What is wrong" ||
			lines[1] != "Keynote,Hall,2027-05-20 09:00,Bo,bo@x.org,3," ||
			lines[2] != `Keynote,Hall,2027-05-21,Bo,bo@x.org,4,“2027-05-21” has no time of day. Write it as 09:30.` {
			t.Errorf("%d, %q", len(lines), lines[:3])
		}
		rows = strings.NewReplacer("2027-05-21,", "2027-05-21 09:00,", ",soon,", ",,", strings.Repeat("Long ", 200), "Short").
			Replace(strings.Replace(rows, strings.Repeat("Hall ", 199), "", 1))
		part := begins(rows)
		modelstest.Want(t, "held", strings.Join(part.Choices.Held, " "), "title room start people email  ")
		r := brought(t, f, part.ID).Report
		if r.Abstracts.Created != 302 || r.Abstracts.Unchanged != 2 || r.SkippedAll != 0 || r.GoneAll != 0 {
			t.Errorf("%+v, %d skipped, %d gone", r.Abstracts, r.SkippedAll, r.GoneAll)
		}
		modelstest.Want(t, "keynotes",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM sessions WHERE title = 'Keynote' AND starts_at IS NOT NULL"), 2)
		schedule := worked(t, f, begin(t, f, moves.Asked{Kind: "schedule", File: file("a.xml", scheduleOf(2))}).ID)
		var out bytes.Buffer
		modelstest.WantKind(t, "no table", moves.Of(asker(f)).WriteFaults(t.Context(), schedule, &out), store.NotFound)
		modelstest.Fine(t, f.Store.Options.Files.Delete(t.Context(), m.FileKey))
		modelstest.WantKind(t, "no file", moves.Of(asker(f)).WriteFaults(t.Context(), m, &out), store.Invalid)
	})
}

// A row that cannot be imported keeps its identity until it is corrected: it is never taken for a later row of the same
// title.
func TestACorrectedRowIsNotTakenForALaterOne(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := lookedAt(t, f, moves.Of(asker(f)), "Title,Start,Speaker,E-mail\nKeynote,2027-05-21,Bo,bo@x.org\nKeynote,2027-05-20 09:00,Cy,cy@x.org\n"+
			"Keynote,2027-05-21,Di,di@x.org\n")
		if r := brought(t, f, m.ID).Report; r.Abstracts.Created != 1 || r.SkippedAll != 2 {
			t.Errorf("%+v, %d skipped", r.Abstracts, r.SkippedAll)
		}
		const there = "SELECT count(*) FROM sessions WHERE id = (SELECT min(id) FROM sessions) AND title = 'Keynote' " +
			"AND CAST(starts_at AS text) LIKE '2027-05-20%'"
		rows := strings.ReplaceAll(rowsOf(t, f, m), "2027-05-21,", "2027-05-21 09:00,")
		r := brought(t, f, lookedAt(t, f, moves.Of(asker(f)), rows).ID).Report
		if r.Abstracts.Created != 1 || r.Abstracts.Unchanged != 1 || r.SkippedAll != 0 || modelstest.RowsOf(t, f, there) != 1 {
			t.Errorf("%+v, %d skipped, and of the first %d", r.Abstracts, r.SkippedAll, modelstest.RowsOf(t, f, there))
		}
	})
}
