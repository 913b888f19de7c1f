package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/sheet"
	"lectern/models/store"
)

// importer runs imports into the event of a fixture.
type importer struct {
	*testing.T
	f   *modelstest.Fixture
	dir string
}

// run returns the standard output and standard error of a command; the error in place of the output if it fails.
func (i importer) run(args ...string) (out, said string) {
	i.Helper()
	out, said, err := attempt(i.T, append(args, "--database-url", i.f.Address, "--data-dir", i.dir)...)
	if err != nil {
		out = err.Error()
	}
	return out, said
}

// file writes a file to import, and returns its path.
func (i importer) file(name, content string) string {
	i.Helper()
	name = filepath.Join(i.dir, name)
	modelstest.Fine(i, os.WriteFile(name, []byte(content), 0o600))
	return name
}

// has checks how many submissions and sessions were imported.
func (i importer) has(want int) {
	i.Helper()
	modelstest.Want(i, "submissions and sessions came",
		modelstest.RowsOf(i.T, i.f, "SELECT count(*) FROM imported WHERE kind IN ('abstract', 'session')"), want)
}

func eachImporter(t *testing.T, work func(importer)) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels")}))(t)
		work(importer{t, f, t.TempDir()})
	})
}

func TestASheetComesByTheCommandLine(t *testing.T) {
	eachImporter(t, func(i importer) {
		file := i.file("sessions.csv", "Title,Where,Start,Mood\nTides,Hall,2027-05-20 10:00,Calm\nShips,Hall,soon,\n")
		args := []string{"import", "sheet", file, "--event", "conf"}
		out, said := i.run(append(args, "--check")...)
		wants(i, "the check", out, `"sessions":1`, `"scheduled":1`, `"rooms":0`, `"row 3"`, "“soon” is no date")
		wants(i, "what is said of columns", said, "Title: Title", "Where: An answer", "Start: Start", "Mood: An answer")
		i.has(0)
		args = append(args, "--column", "where = room", "--column", "Mood=")
		out, said = i.run(append(args, "--check")...)
		wants(i, "the check", out, `"rooms":1`)
		wants(i, "what is said of columns", said, "Where: Room", "Mood: Left out")
		out, said = i.run(args...)
		wants(i, "the report", out, `"abstracts":{"created":1`, `"sessions":{"created":1`, `"rooms_created":1`, `"row 3"`)
		wants(i, "how far it is", said, "1 submissions, 1 sessions")
		i.has(2)
		out, _ = i.run(args...)
		wants(i, "the report of the second time", out, `"abstracts":{"created":0,"updated":0,"unchanged":1}`)
		out, _ = i.run(append(args, "--as", "work/shops")...)
		wants(i, "a name with a slash", out, "must have no slash")
		out, _ = i.run("import", "sheet", i.file("a.xlsx", "PK\x03\x04"), "--event", "conf")
		wants(i, "no workbook", out, "a.xlsx: ", "cannot be read as an XLSX file")
		out, _ = i.run("import", "sheet", file, "--event", "nowhere")
		wants(i, "no event", out, "no event with this id or slug")
		i.has(2)
	})
}

func TestWhatIsSaidOfColumnsCounts(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"":                          "title room answer email",
		"Where=track":               "title track answer email",
		"  mood = room":             "title  room email",
		"Where=":                    "title  answer email",
		"Mood=answer":               "title room answer email",
		"Mood=track;Where=level":    "title level track email",
		"Nowhere=room":              `--column "Nowhere=room" names no column of the file`,
		"Mood":                      `--column "Mood" names no column of the file`,
		"Mood=nonsense":             `--column "Mood=nonsense": a column may hold answer, key, title, `,
		"Mood=track;Contact=track":  `--column "Contact=track": another column holds track already`,
		"Mood=answer;Where=answer":  "title answer answer email",
		"Where=;Mood=room;Title=":   "  room email",
		"Contact=answer;Mood=email": "title room email answer",
	} {
		table := modelstest.Must(sheet.Open(strings.NewReader("Title,Room,Mood,Contact\nTides,Hall,Calm,a@b.org\n")))(t)
		table.Columns[1].Name = "Where"
		var all []string
		if said != "" {
			all = strings.Split(said, ";")
		}
		held, err := heldBy(table, all)
		is := strings.Join(held, " ")
		if err != nil {
			is = err.Error()
		}
		if is != want && (err == nil || !strings.HasPrefix(is, want)) {
			t.Errorf("%s: %s, want %s", said, is, want)
		}
	}
}

const ofSessionize = `{"sessions": [
	{"id": "101", "title": "Tides", "startsAt": "2027-05-20T09:00:00", "endsAt": "2027-05-20T09:45:00", "speakers": ["a1"], "roomId": 11},
	{"id": "102", "title": "Backwards", "startsAt": "2027-05-21T12:00:00", "endsAt": "2027-05-21T11:00:00", "speakers": []}],
	"speakers": [{"id": "a1", "firstName": "Ada", "lastName": "Lovelace"}], "rooms": [{"id": 11, "name": "Dock One"}]}`

func TestSessionizeComesByTheCommandLine(t *testing.T) {
	eachImporter(t, func(i importer) {
		args := []string{"import", "sessionize", i.file("all.json", ofSessionize), "--event", "conf"}
		out, _ := i.run(append(args, "--check")...)
		wants(i, "the check", out, `"people":{"new":1,"here":0}`, `"sessions":{"new":2,"here":0}`, `"Backwards"`,
			`"starts":"2027-05-20"`)
		i.has(0)
		out, _ = i.run(args...)
		wants(i, "the report", out, `"abstracts":{"created":2`, `"Backwards"`)
		i.has(3)
		out, _ = i.run(append(args, "--check")...)
		wants(i, "the second check", out, `"sessions":{"new":0,"here":2}`)
		for given, want := range map[string]string{
			i.file("grid.json", `[{"date": "2027-05-20", "rooms": []}]`): "view/All",
			"nonsense!": "nor is it a file",
			"https://127.0.0.1:1/api/v2/abcd1234/view/All": "is in a private network, which is not asked unless LECTERN_WEBHOOK_ALLOW_NETS names it",
		} {
			out, _ := i.run("import", "sessionize", given, "--event", "conf", "--check")
			wants(i, given, out, want)
		}
		i.has(3)
	})
}

const aCalendar = "BEGIN:VCALENDAR\nX-WR-CALNAME:Harbour\nBEGIN:VEVENT\nUID:1@there\nSUMMARY:Tides\nDTSTART:20270520T090000\n" +
	"DTEND:20270520T094500\nEND:VEVENT\nBEGIN:VEVENT\nUID:2@there\nSUMMARY:Lunch\nDTSTART:20270520T120000\n" +
	"DTEND:20270520T130000\nTRANSP:TRANSPARENT\nEND:VEVENT\nEND:VCALENDAR\n"

func TestACalendarComesByTheCommandLine(t *testing.T) {
	eachImporter(t, func(i importer) {
		args := []string{"import", "calendar", i.file("programme.ics", aCalendar), "--event", "conf"}
		out, _ := i.run(append(args, "--check")...)
		wants(i, "the check", out, `"submissions":1`, `"breaks":1`)
		i.has(0)
		out, _ = i.run(args...)
		wants(i, "the report", out, `"abstracts":{"created":1`, `"breaks":{"created":1`)
		i.has(2)
		out, _ = i.run("import", "calendar", i.file("page.ics", "<html>"), "--event", "conf")
		wants(i, "no calendar", out, "page.ics: ")
	})
}

func TestAnEventIsCopiedByTheCommandLine(t *testing.T) {
	eachImporter(t, func(i importer) {
		p := i.f.Programme()
		modelstest.Must(p.UpdateEvent(i.Context(),
			models.EventChange{StartsOn: store.Some("2027-05-20"), EndsOn: store.Some("2027-05-22")}))(i.T)
		modelstest.Must(p.CreateSession(i.Context(), models.NewSession{Title: "Tides"}))(i.T)
		args := []string{"event", "copy", "conf", "--name", "Conference 2028", "--slug", "conf-2028", "--starts-on"}
		out, _ := i.run(append(args, "soon")...)
		wants(i, "no day", out, "starts_on")
		out, _ = i.run(append(args, "2028-05-18")...)
		wants(i, "the copy", out, `"slug":"conf-2028"`, `"name":"Conference 2028"`)
		out, _ = i.run(append(args, "2028-05-18")...)
		wants(i, "the copy again", out, "taken")
		out, _ = i.run("event", "copy", "nothing", "--name", "A", "--slug", "b")
		wants(i, "no event", out, "no event with this id or slug")
		modelstest.Want(i, "the days of the copy are others",
			modelstest.RowsOf(i.T, i.f, `SELECT count(*) FROM events WHERE slug = 'conf-2028' AND starts_on = '2028-05-18'
			AND ends_on = '2028-05-20'`), 1)
		modelstest.Want(i, "sessions came along",
			modelstest.RowsOf(i.T, i.f, `SELECT count(*) FROM sessions s JOIN events e ON e.id = s.event_id
			WHERE e.slug = 'conf-2028'`), 0)
	})
}
