package sheet_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/moving"
	"lectern/models/sheet"
	"lectern/models/store"
)

// brings reads a table and imports it into the event.
func brings(t *testing.T, f *modelstest.Fixture, table []byte) *moving.Report {
	t.Helper()
	return modelstest.Must(moving.Into(t.Context(), f.Programme(), read(t, f, table), nil))(t)
}

func read(t *testing.T, f *modelstest.Fixture, table []byte) *sheet.Sheet {
	t.Helper()
	file := modelstest.Must(sheet.Open(bytes.NewReader(table)))(t)
	return modelstest.Must(sheet.Read(file, "sessions", sheet.Guess(file), f.Programme().Event().Location()))(t)
}

// told returns the sessions of the event, a line each.
func told(t *testing.T, f *modelstest.Fixture, isAbstract bool) (lines []string) {
	t.Helper()
	q := models.SessionSearch{Sort: models.ByTitle, Ascending: true, Filter: models.SessionFilter{IsAbstract: &isAbstract},
		Page: store.Page{Size: 100}}
	rows := modelstest.First(f.Programme().SearchSessions(t.Context(), q))(t)
	zone := f.Programme().Event().Location()
	name := func(m *models.Track) string {
		if m == nil {
			return "-"
		}
		return m.Name
	}
	for _, s := range rows {
		at := "-"
		if s.StartsAt != nil {
			at = s.StartsAt.In(zone).Format("2 Jan 15:04")
			if s.EndsAt != nil {
				at += s.EndsAt.In(zone).Format(" to 15:04")
			}
		}
		room := "-"
		if s.Room != nil {
			room = s.Room.Name
		}
		people := store.Map(s.Participants, func(p *models.Participant) string { return p.FullName })
		lines = append(lines, strings.Join([]string{s.Title, string(s.Status), name(s.Track), room, at,
			strings.Join(people, ", ")}, "|"))
	}
	return lines
}

const table = `Title;Abstract;Category;Room;Date;Start;Duration;Speaker;Email;Needs a piano
Moving forty years;"First.

Second <b>.";Systems;Dock One;20.05.2027;09:00;45 min;Ada Lovelace;ada@example.org;yes
Quiet queues;;Systems;;;;;"Bo Li; Cy Twombly";"bo@example.org; cy@example.org";
A night;;Music;Dock One;20.05.2027;23:30;60;Ada Lovelace;ada@example.org;
;nobody;;;;;;;;
Late;;Music;Dock One;33.05.2027;09:00;;;;
`

func TestATableBecomesSubmissionsAndSessions(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels")}))(t)
		report := brings(t, f, []byte(table))
		if report.Abstracts.Created != 3 || report.Sessions.Created != 2 || report.Contacts.Created != 3 || report.Rooms != 1 ||
			report.Tracks != 2 || report.StartsOn != "2027-05-20" || report.EndsOn != "2027-05-20" {
			t.Errorf("%+v", report)
		}
		skipped := store.Map(report.Skipped, func(s frab.Skipped) string { return s.ID + " " + s.Reason })
		modelstest.WantAll(t, "skipped", skipped, []string{"row 5 has no title", "row 6 “33.05.2027” is no date. Write it as 2027-05-20"})
		modelstest.WantAll(t, "sessions", told(t, f, false), []string{
			"A night|accepted|Music|Dock One|20 May 23:30 to 00:30|Ada Lovelace",
			"Moving forty years|accepted|Systems|Dock One|20 May 09:00 to 09:45|Ada Lovelace"})
		modelstest.WantAll(t, "submissions", told(t, f, true)[2:], []string{"Quiet queues|pending|Systems|-|-|Bo Li, Cy Twombly"})
		again := brings(t, f, []byte(table))
		if again.Abstracts.Created+again.Abstracts.Updated+again.Sessions.Created+again.Sessions.Updated != 0 ||
			again.Contacts.Created != 0 {
			t.Errorf("done again: %+v", again)
		}
		moved := strings.Replace(table, "20.05.2027;09:00", "20.05.2027;10:00", 1)
		if changed := brings(t, f, []byte(moved)); changed.Sessions.Updated != 1 || changed.Sessions.Created != 0 {
			t.Errorf("what changed: %+v", changed)
		}
		if line := told(t, f, false)[1]; !strings.Contains(line, "20 May 10:00 to 10:45") {
			t.Error(line)
		}
	})
}

func TestASpeakerOfASessionMayHaveARow(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		brings(t, f, []byte("Session Id,Title,FirstName,LastName,Email,Tagline,Bio,Status\n"+
			"7,Harbours,Ada,Lovelace,ada@example.org,Engineer,Writes & reads,Accepted\n"+
			"7,Harbours,Bo,Li,bo@example.org,,,Accepted\n8,Tides,A.,Lovelace,ADA@example.org,,,Waitlisted\n"+
			"7,Other,Cy,Li,,,,\n9,Odd,,,,,,perhaps\n"))
		modelstest.WantAll(t, "submissions", told(t, f, true), []string{"Harbours|accepted|-|-|-|Ada Lovelace, Bo Li",
			"Tides|pending|-|-|-|Ada Lovelace"})
		rows := modelstest.First(f.Programme().Speakers(t.Context(), "Ada", store.Page{Size: 10}))(t)
		if len(rows) != 1 || rows[0].JobTitle != "Engineer" || rows[0].About != "<p>Writes &amp; reads</p>" {
			t.Errorf("%+v", rows)
		}
		file := read(t, f, []byte("Id,Title,First name,Last name,E-mail\n1,A,Ada,L,a@x.org\n2,B,Eda,L,a@x.org\n1,C,,,\n"))
		if skipped := file.Count().Skipped; len(skipped) != 2 ||
			skipped[0].Reason != "has the address of Ada L above, whose name is taken" ||
			skipped[1].Reason != "has the id of row 2, which is another session or held at another time" {
			t.Errorf("%+v", skipped)
		}
	})
}

func TestDaysAndTimesAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels")}))(t)
	for cells, want := range map[string]string{
		"2027-05-20,09:00,10:00":             "20 May 09:00 to 10:00",
		"2027-05-20,9:00 am,1:30 PM":         "20 May 09:00 to 13:30",
		"20/05/2027,9h30,":                   "20 May 09:30",
		"5/20/2027,23:00,01:00":              "20 May 23:00 to 01:00",
		`"Thursday, May 20, 2027",9.15,9.45`: "20 May 09:15 to 09:45",
		",2027-05-20T09:00:00Z,":             "20 May 11:00",
		",2027-05-20 09:00,2027-05-21 10:00": "20 May 09:00 to 10:00",
		`,"20 May 2027, 09:00",`:             "20 May 09:00",
		"20.5.27,9:00,":                      "20 May 09:00",
		"46527,0.375000,":                    "20 May 09:00",
		"3/5/2027,09:00,":                    "“3/5/2027” may be 3 May or 5 March. Write it as 2027-05-20",
		"2027-03-28,02:30,":                  "02:30 is not there on 28 March 2027, when the clocks go forward",
		",09:00,":                            "“09:00” has no day",
		"2027-05-20,soon,":                   "“soon” is no date. Write it as 2027-05-20",
		"2027-05-20,2027-05-20,":             "“2027-05-20” has no time of day. Write it as 09:30",
		",2027-05-20 09:00,2027-05-19 10:00": "it ends before it starts",
		"2027-02-30,09:00,":                  "“2027-02-30” is no date. Write it as 2027-05-20",
		"2027-05-20,,":                       "-",
		"2027-05-20 14:00,,":                 "20 May 14:00",
		",2027-05-20 09:00 Uhr,":             "20 May 09:00",
		"20-May-27,09:00,":                   "20 May 09:00",
	} {
		rows := read(t, f, []byte("Title,Date,Start,End\nOne,"+cells+"\n"))
		is := "-"
		if skipped := rows.Count().Skipped; len(skipped) > 0 {
			is = skipped[0].Reason
		}
		modelstest.Fine(t, rows.Submissions(context.Background(), func(some []moving.Submission) error {
			for _, slot := range some[0].Slots {
				zone := f.Programme().Event().Location()
				if is = slot.Start.In(zone).Format("2 Jan 15:04"); !slot.End.IsZero() {
					is += slot.End.In(zone).Format(" to 15:04")
				}
			}
			return nil
		}))
		modelstest.Want(t, cells, is, want)
	}
}

func TestPeopleAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	for cell, want := range map[string]string{
		"Lovelace,Ada;Li,Bo": "Ada Lovelace, Bo Li", "Plato; Li, Bo": "Plato, Bo Li", "Lovelace, Ada <a@b.org>": "Ada Lovelace a@b.org",
		"Dr. Ada Lovelace, PhD": "Dr. Ada Lovelace, PhD", "van der Berg, Jan": "Jan van der Berg", "Ada Lovelace, Bo Li": "Ada Lovelace, Bo Li",
		"Ada Lovelace (ada@b.org)": "Ada Lovelace ada@b.org", "Ada Lovelace ada@b.org": "Ada Lovelace ada@b.org",
		"a@b.org, c@d.org": "a a@b.org, c c@d.org", "Ada Lovelace <tbd>": "Ada Lovelace <tbd>", "Ada, Bo, Cy": "Ada, Bo, Cy",
	} {
		table := "Title;Speakers\nOne;\"" + cell + "\"\n"
		var names []string
		modelstest.Fine(t, read(t, f, []byte(table)).People(t.Context(), func(some []moving.Person) error {
			for _, p := range some {
				names = append(names, strings.Join(strings.Fields(p.FirstName+" "+p.LastName+" "+p.Email), " "))
			}
			return nil
		}))
		modelstest.Want(t, cell, strings.Join(names, ", "), want)
	}
}

func TestAFieldThatBreaksARuleTakesNoOtherAlong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		report := brings(t, f, []byte("Title,Speaker,E-mail,Job title,Bio\nOne,Ada A,ada@x.org,"+strings.Repeat("long ", 60)+
			",Writes\n"))
		ada := modelstest.First(f.Programme().Speakers(t.Context(), "Ada", store.Page{Size: 2}))(t)
		if len(ada) != 1 || ada[0].Email != "ada@x.org" || ada[0].About != "<p>Writes</p>" || ada[0].JobTitle != "" ||
			len(report.Skipped) != 1 || !strings.Contains(report.Skipped[0].Reason, "job_title") {
			t.Errorf("%+v, %+v", ada, report.Skipped)
		}
	})
}

func TestWhatLooksAlikeIsToldApart(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		twice := "Title,Start,Speaker,E-mail,Notes,notes\nKeynote,2027-05-20 09:00,Ada A,ada@x.org,a,b\n" +
			"Keynote,2027-05-21 09:00,Bo B,bo@x.org,,\nKeynote,,Cy C,-,,\nTwo,,Di D,n/a,,\n"
		for range 2 {
			brings(t, f, []byte(twice))
			modelstest.WantAll(t, "sessions", told(t, f, false), []string{"Keynote|accepted|-|-|20 May 09:00|Ada A, Cy C",
				"Keynote|accepted|-|-|21 May 09:00|Bo B"})
			modelstest.WantAll(t, "submissions", told(t, f, true)[2:], []string{"Two|pending|-|-|-|Di D"})
		}
		report := brings(t, f, []byte(strings.Replace(twice, "2027-05-21 09:00", "Tuesday", 1)))
		if len(report.Skipped) != 1 || len(report.Gone) > 1 {
			t.Errorf("%+v", report)
		}
	})
}

func TestSheetsOfSessionizeBringAllSpeakersAndNoOwnerWhoIsNone(t *testing.T) {
	const begin = "Session Id,Title,Description,Owner,Owner Email,"
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for _, of := range []struct {
			file         string
			people, kept []string
		}{
			{begin + "Speakers,Session format,Track,Level,Status,Date Submitted,Owner Notes,Speaker Ids\n" +
				"1,Harbours,On tides,Cy Twombly,cy@example.org,\"Ada Lovelace, Bo Li\",Talk,Data,All,Accepted,1 May,Early,a b\n",
				[]string{"Ada Lovelace ", "Bo Li "},
				[]string{"Owner: Cy Twombly", "Owner Email: cy@example.org", "Date Submitted: 1 May", "Owner Notes: Early", "Speaker Ids: a b"}},
			{begin + "Session format,Track,Status,Speaker Id,FirstName,LastName,Email,TagLine,Bio,Twitter\n" +
				"1,Harbours,On tides,Cy Twombly,cy@example.org,Talk,Data,Accepted,a,Ada,Lovelace,ada@example.org,Engineer,Writes,@ada\n" +
				"1,Harbours,On tides,Cy Twombly,cy@example.org,Talk,Data,Accepted,b,Bo,Li,bo@example.org,,Reads,@bo\n",
				[]string{"Ada Lovelace ada@example.org", "Bo Li bo@example.org"},
				[]string{"Owner: Cy Twombly", "Owner Email: cy@example.org", "Speaker Id: a\nb", "Twitter: @ada\n@bo"}},
			{begin + "Status\n1,Harbours,,Cy Twombly,cy@example.org,Accepted\n", []string{"Cy Twombly cy@example.org"}, nil},
		} {
			rows := read(t, f, []byte(of.file))
			modelstest.Want(t, "skipped", len(rows.Count().Skipped), 0)
			people, kept := saidBy(t, rows)
			modelstest.WantAll(t, "people", people, of.people)
			modelstest.WantAll(t, "answers", kept, of.kept)
		}
		brings(t, f, []byte(begin+"FirstName,LastName,Email\n1,Harbours,,Cy T,cy@example.org,Ada,Lovelace,ada@example.org\n"+
			"1,Harbours,,Cy T,cy@example.org,Bo,Li,bo@example.org\n"))
		modelstest.WantAll(t, "submissions", told(t, f, true), []string{"Harbours|pending|-|-|-|Ada Lovelace, Bo Li"})
	})
}

// saidBy returns the people of a table with their addresses, and what it keeps as answers.
func saidBy(t *testing.T, rows *sheet.Sheet) (people, kept []string) {
	t.Helper()
	modelstest.Fine(t, rows.People(t.Context(), func(some []moving.Person) error {
		for _, p := range some {
			people = append(people, p.FirstName+" "+p.LastName+" "+p.Email)
		}
		return nil
	}))
	labels := map[string]string{}
	for _, q := range modelstest.Must(rows.Frame(t.Context()))(t).Questions {
		labels[q.Key] = q.Label
	}
	modelstest.Fine(t, rows.Submissions(t.Context(), func(some []moving.Submission) error {
		for _, one := range some {
			for _, a := range one.Answers {
				kept = append(kept, labels[a.Question]+": "+a.Values[0])
			}
		}
		return nil
	}))
	return people, kept
}

// saved returns a workbook as a file.
func saved(t *testing.T, book *excelize.File) []byte {
	t.Helper()
	var out bytes.Buffer
	modelstest.Must(book.WriteTo(&out))(t)
	return out.Bytes()
}

// written returns a workbook whose rows hold these texts.
func written(t *testing.T, rows ...[]any) *excelize.File {
	t.Helper()
	book := excelize.NewFile()
	for i := range rows {
		at := modelstest.Must(excelize.CoordinatesToCellName(1, i+1))(t)
		modelstest.Fine(t, book.SetSheetRow("Sheet1", at, &rows[i]))
	}
	return book
}

func TestAWorksheetIsReadAsItLooks(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	book := excelize.NewFile()
	put := func(at string, value any, format int) {
		style := modelstest.Must(book.NewStyle(&excelize.Style{NumFmt: format}))(t)
		modelstest.Fine(t, book.SetCellValue("Sheet1", at, value))
		modelstest.Fine(t, book.SetCellStyle("Sheet1", at, at, style))
	}
	for i, heading := range []string{"Title", "Start", "End", "Room", "Seats wanted", "Sum", "Link"} {
		put(string(rune('A'+i))+"2", heading, 0)
	}
	start := time.Date(2027, 5, 20, 9, 30, 0, 0, time.UTC)
	put("A3", "Dated", 0)
	put("B3", start, 22)
	put("C3", start.Add(time.Hour), 20)
	put("D3", "Dock", 0)
	put("E3", 120, 0)
	put("F3", 162, 0)
	modelstest.Fine(t, book.SetCellFormula("Sheet1", "F3", "E3+42"))
	modelstest.Fine(t, book.SetCellFormula("Sheet1", "G3", `HYPERLINK("http://x")`)) // which nobody calculated
	put("A4", "A plain number", 0)
	put("B4", 46527.5, 0)
	put("C4", "13:15", 0)
	file := saved(t, book)
	if report := brings(t, f, file); report.Sessions.Created != 2 || len(report.Skipped) != 0 {
		t.Errorf("%+v", report)
	}
	modelstest.WantAll(t, "sessions", told(t, f, false), []string{"A plain number|accepted|-|-|20 May 12:00 to 13:15|",
		"Dated|accepted|-|Dock|20 May 09:30 to 10:30|"})
	_, kept := saidBy(t, read(t, f, file))
	modelstest.WantAll(t, "answers", kept, []string{"Seats wanted: 120", "Sum: 162"})
}

// TestMergedCellsHoldTheirTextInEachRow, except for headings, for cells beside each other, and in rows that hold
// nothing else.
func TestMergedCellsHoldTheirTextInEachRow(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		book := written(t, []any{"Title", "Room", "Track", "Speaker", "Note"}, []any{"Tides", "Dock", "Data", "Ada Ng", "A boat"},
			[]any{"", "", "", "Bo Li"}, []any{"Ships", "", "", "Cy Roe", "Wide"}, []any{}, []any{"Late", "", "", "Dee Ito"},
			[]any{}, []any{"Beyond", "", "", "Eve Om"})
		for _, area := range [][2]string{{"A2", "A3"}, {"B2", "B4"}, {"C2", "C6"}, {"E4", "F4"}, {"D1", "D2"}, {"B6", "B9"}} {
			modelstest.Fine(t, book.MergeCell("Sheet1", area[0], area[1]))
		}
		if report := brings(t, f, saved(t, book)); report.Abstracts.Created != 4 || len(report.Skipped) != 0 {
			t.Errorf("%+v", report)
		}
		modelstest.WantAll(t, "submissions", told(t, f, true), []string{"Beyond|pending|-|-|-|Eve Om", "Late|pending|Data|-|-|Dee Ito",
			"Ships|pending|Data|-|-|Cy Roe", "Tides|pending|Data|-|-|Bo Li"})
	})
}

// bomb returns an XLSX file with a part that is this large once it is unpacked.
func bomb(t *testing.T, bytesWithin int64) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	part := modelstest.Must(w.Create("xl/worksheets/sheet1.xml"))(t)
	modelstest.Must(io.CopyN(part, endless{}, bytesWithin))(t)
	modelstest.Fine(t, w.Close())
	return out.String()
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte(" "), len(p))), nil }

func TestOddFilesAreRefusedInWords(t *testing.T) {
	t.Parallel()
	wide := written(t, []any{"Title"}, []any{"One"})
	modelstest.Fine(t, wide.SetCellValue("Sheet1", "GT2", "lost"))
	merged := written(t, []any{"Title"})
	rows := modelstest.Must(merged.NewStreamWriter("Sheet1"))(t)
	modelstest.Fine(t, rows.SetRow("A1", []any{"Title"}))
	for i := range csv.MaxRows + 1 {
		modelstest.Fine(t, rows.MergeCell(fmt.Sprint("A", 2*i+2), fmt.Sprint("A", 2*i+3)))
	}
	modelstest.Fine(t, rows.Flush())
	for name, c := range map[string]struct{ file, want string }{
		"no title":    {"Room,When\nA,B\n", "title"},
		"nothing":     {"", "The file is empty."},
		"no workbook": {"PK\x03\x04 nothing", "The file cannot be read as an XLSX file."},
		"a bomb":      {bomb(t, 201<<20), "unpacks to more than 200 MB"},
		"too wide":    {string(saved(t, wide)), "more than 200 columns: cell GT2 holds something"},
		"all merged":  {string(saved(t, merged)), "more than 50000 merged cells"},
		"locked":      {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 nothing", "Save it as"},
	} {
		file, err := sheet.Open(strings.NewReader(c.file))
		if err == nil {
			_, err = sheet.Read(file, "sessions", sheet.Guess(file), time.UTC)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
