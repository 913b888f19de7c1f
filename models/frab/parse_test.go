package frab

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func excerpt(t *testing.T) *Schedule { t.Helper(); return parsed(t, "testdata/schedule.xml") }

// must returns the result of what must succeed.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func parsed(t *testing.T, path string) *Schedule {
	t.Helper()
	f := must(os.Open(path))(t)
	defer f.Close()
	return must(Parse(f, time.UTC))(t)
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %#v\nwant %#v", what, got, want)
	}
}

func TestScheduleNamesItsRoomsAndTracksInTheOrderFirstSeen(t *testing.T) {
	s := excerpt(t)
	equal(t, "title", s.Title, "Lanterns & Ledgers 2025")
	equal(t, "dates", [2]string{s.Start, s.End}, [2]string{"2025-10-25", "2025-10-26"})
	equal(t, "rooms", names(s.Rooms), []string{"Great Hall", "Courtyard", "Empty Room"})
	equal(t, "tracks", s.Tracks, []Track{
		{"Archives", "#aa3300"}, {"Light", "#00aa33"}, {"Unused", ""}, {"Outdoors", ""},
	})
}

func TestEventCarriesEverythingTheFileSays(t *testing.T) {
	equal(t, "event", excerpt(t).Events[0], Event{
		Index:       1,
		Key:         "6d3c9d2e-0001",
		GUID:        "6d3c9d2e-0001",
		ID:          "1",
		Title:       "Opening",
		Subtitle:    "and a word on lamps",
		Abstract:    "<p>Welcome &amp; hello.</p>",
		Description: "<p>Longer, in <em>HTML</em>.</p>",
		Type:        "keynote",
		Language:    "en",
		Track:       "Light",
		Room:        "Great Hall",
		URL:         "https://example.org/talks/1",
		Start:       time.Date(2025, 10, 25, 8, 0, 0, 0, time.UTC),
		End:         time.Date(2025, 10, 25, 8, 45, 0, 0, time.UTC),
		Persons: []Person{
			{ID: "7", GUID: "p-7", Name: "Ada Ng", Email: "ada@example.org", Biography: "Writes."},
			{ID: "8", Name: "李小龙"},
		},
	})
}

func TestEventWithoutGUIDIsKeyedByItsID(t *testing.T) {
	equal(t, "key", excerpt(t).Events[1].Key, "2")
}

func TestPersonsNameIsFoundWhereverTheDialectPutsIt(t *testing.T) {
	s := excerpt(t)
	equal(t, "name element", s.Events[1].Persons, []Person{{ID: "10", Name: "مريم حداد"}})
	equal(t, "name attribute", s.Events[4].Persons, []Person{{ID: "QWERTY", Name: "Ada Ng"}})
}

func TestTimes(t *testing.T) {
	s := excerpt(t)
	for i, c := range []struct{ what, start, end string }{
		{"in the zone the file names", "2025-10-25T08:00:00Z", "2025-10-25T08:45:00Z"},
		{"over midnight, with a duration in minutes", "2025-10-25T21:30:00Z", "2025-10-25T23:00:00Z"},
		{"before the day change is the night after, here past the end of summer time", "2025-10-26T02:15:00Z",
			"2025-10-26T03:15:00Z"},
		{"the event's own date wins", "2025-10-26T07:00:00Z", "2025-10-26T07:30:00Z"},
		{"a date without an offset is local, a zero duration is fine", "2025-10-26T11:00:00Z", "2025-10-26T11:00:00Z"},
	} {
		equal(t, c.what, s.Events[i].Start.Format(time.RFC3339Nano), c.start)
		equal(t, c.what, s.Events[i].End.Format(time.RFC3339Nano), c.end)
	}
}

func TestFallbackZoneServesAFileThatNamesNone(t *testing.T) {
	const xml = `<schedule><day date="2025-06-01"><room name="A">
		<event id="1"><start>00:30</start><duration>01:00</duration><title>T</title></event>
	</room></day></schedule>`
	for _, c := range []struct {
		zone *time.Location
		want string
	}{
		{nil, "2025-06-01T00:30:00Z"},
		{time.FixedZone("", 9*3600), "2025-05-31T15:30:00Z"},
	} {
		s := must(Parse(strings.NewReader(xml), c.zone))(t)
		equal(t, "start", s.Events[0].Start.Format(time.RFC3339), c.want)
	}
}

func TestEventsUnderTheirDaysAreReadWithTheirOwnRooms(t *testing.T) {
	s := parsed(t, "testdata/days.xml")
	equal(t, "dates", [2]string{s.Start, s.End}, [2]string{"2026-06-12", "2026-06-13"})
	equal(t, "rooms", names(s.Rooms), []string{"Warehouse", "Pier", "Deck"})
	var got []string
	for _, e := range s.Events {
		got = append(got, strings.Join([]string{e.ID, e.Title, e.Room, e.Start.Format(time.RFC3339)}, ", "))
	}
	equal(t, "events", got, []string{
		"1, Doors, Warehouse, 2026-06-12T07:00:00Z",
		"2, Tides for programmers, Pier, 2026-06-12T08:00:00Z",
		"4, Knots, Warehouse, 2026-06-13T07:30:00Z",
		"5, In a room all the same, Deck, 2026-06-13T09:00:00Z",
	})
	equal(t, "people", s.Events[1].Persons, []Person{{ID: "4", Name: "Siv Aas"}})
	equal(t, "skipped", s.Skipped, []Skipped{{Index: 3, ID: "3", Title: "Undecided",
		Reason: `start "later" is no time of day`}})
}

func TestEventsAreFoundWhereverTheyStand(t *testing.T) {
	event := func(id, more string) string {
		return `<event id="` + id + `"><date>2026-06-12T10:00:00Z</date><duration>1:00</duration><title>T</title>` +
			more + `</event>`
	}
	s := must(Parse(strings.NewReader(`<schedule>`+event("1", "")+`<conference>`+event("2", "")+`</conference>
		<rooms><room name="A"><slots><slot>`+event("3", "")+`</slot></slots></room></rooms>
		<day date="2026-06-12"><room name="B">`+event("4", `<parts>`+event("5", "<room>C</room>")+`</parts>`)+event("6", "<slug>"+event("7", "")+"</slug>")+`</room></day>
		<track>`+event("8", "")+`</track></schedule>`), nil))(t)
	var got []string
	for _, e := range s.Events {
		got = append(got, e.ID+e.Room)
	}
	equal(t, "found", got, []string{"1", "2", "3A", "4B", "5C", "6B", "7B"})
	equal(t, "skipped", s.Skipped, []Skipped{{Index: 8, Reason: "it stands inside an element where none is read"}})
}

func TestDaysAreThoseOfTheFileWhereTheConferenceTellsNone(t *testing.T) {
	const event = `<event id="1"><date>2026-06-12T23:30:00Z</date><duration>1:00</duration><title>T</title></event>`
	for _, c := range []struct{ xml, start, end string }{
		{`<conference><start>12 June</start></conference><day date="2026-06-13"/><day date="2026-06-11">` + event +
			`</day><day date="soon"/>`, "2026-06-11", "2026-06-13"},
		{`<conference><start>2026-06-14</start><end>2026-06-11</end><time_zone_name>Europe/Oslo</time_zone_name></conference>` + event, "2026-06-13", "2026-06-13"},
		{`<event/>`, "", ""},
	} {
		s := must(Parse(strings.NewReader("<schedule>"+c.xml+"</schedule>"), nil))(t)
		equal(t, c.xml, [2]string{s.Start, s.End}, [2]string{c.start, c.end})
	}
}

func TestUnusableItemsAreSkippedWithAReason(t *testing.T) {
	s := excerpt(t)
	equal(t, "usable", len(s.Events), 5)
	equal(t, "skipped", s.Skipped, []Skipped{
		{Index: 6, ID: "6", Reason: `no title`},
		{Index: 7, Title: "Nameless key", Reason: `no guid and no id`},
		{Index: 8, ID: "8", Title: "Late", Reason: `start "25:00" is no time of day`},
		{Index: 9, ID: "9", Title: "Vague", Reason: `duration "soon" is neither HH:MM nor minutes`},
		{Index: 10, ID: "10", Title: "Endless", Reason: `no duration`},
		{Index: 11, ID: "11", Title: "Whenever", Reason: `no start`},
		{Index: 12, ID: "12", Title: "Undated", Reason: `date "tomorrow" is no timestamp`},
		{Index: 13, ID: "4", Title: "Once more", Reason: `an earlier item has the same guid or id "4"`},
		{Index: 14, ID: "13", Title: "Long ago", Reason: `the start's year 1 is out of range`},
		{Index: 15, ID: "14", Title: "On no day", Reason: `its day's date "the day after" is no date`},
	})
}

func TestBrokenFilesAreRefusedInPlainWords(t *testing.T) {
	for name, c := range map[string]struct{ xml, want string }{
		"empty":         {"", "the file holds no XML element"},
		"no XML":        {"hello", "the file holds no XML element"},
		"another root":  {"\n<rss/>", "line 2: expected element type <schedule> but have <rss>"},
		"cut short":     {"<schedule>\n<day>\n", "line 3: unexpected EOF"},
		"crossed":       {"<schedule>\n<day></room></schedule>", "line 2: element <day> closed by </room>"},
		"second root":   {"<schedule/>\n<schedule/>", "line 2: <schedule> follows the end of the schedule"},
		"text after":    {"<schedule/>\nand more", "line 2: text follows the end of the schedule"},
		"NUL":           {"<schedule>\n\x00</schedule>", "line 2: illegal character code U+0000"},
		"NUL by number": {"<schedule>\n&#0;</schedule>", "line 2: illegal character code U+0000"},
		"invalid UTF-8": {"<schedule>\n\xff</schedule>", "line 2: invalid UTF-8"},
		"UTF-16":        {"\xff\xfe<\x00s\x00", "line 1: invalid UTF-8"},
		"other charset": {`<?xml version="1.0" encoding="ISO-8859-1"?><schedule/>`,
			`line 1: the file declares its charset as "ISO-8859-1", only UTF-8 is read`},
		"entity": {"<!DOCTYPE s [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n<schedule>&e;</schedule>",
			"line 2: invalid character entity &e;"},
		"no event":       {"<schedule><day><room name=\"A\"/></day></schedule>", "there is no event in this schedule"},
		"empty schedule": {"<schedule/>", "there is no event in this schedule"},
		"unknown zone": {"<schedule><conference><time_zone_name>Mars/Phobos</time_zone_name></conference></schedule>",
			`the conference's time_zone_name "Mars/Phobos" is not known`},
		"machine's zone": {"<schedule><conference><time_zone_name>Local</time_zone_name></conference></schedule>",
			`the conference's time_zone_name "Local" is not known`},
		"zone of a path": {"<schedule><conference><time_zone_name>../../etc/passwd</time_zone_name></conference></schedule>",
			`the conference's time_zone_name "../../etc/passwd" is not known`},
		"wrong daychange": {"<schedule><conference><day_change>dawn</day_change></conference></schedule>",
			`the conference's day_change "dawn" is no time of day`},
		"too deep": {strings.Repeat("<schedule>\n", 100), "line 51: elements nested deeper than 50"},
		"too many": {"<schedule>" + strings.Repeat("<a/>", maxElements), "line 1: more than 500000 elements"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Parse(strings.NewReader(c.xml), nil)
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, %v\nwant %s", s, err, c.want)
			}
		})
	}
}

func TestByteOrderMarkIsNoFault(t *testing.T) {
	must(Parse(strings.NewReader("\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?><schedule><event/></schedule>"), nil))(t)
}

func TestFileMayBeAsLargeAsTheBoundAndNoLarger(t *testing.T) {
	for left, want := range map[int]string{5: "", 6: "", 4: "the file is larger than 32 MiB"} {
		// One byte at a time, so that the bound falls between two reads as well.
		for _, r := range []io.Reader{strings.NewReader("12345"), iotest.OneByteReader(strings.NewReader("12345"))} {
			in := &limited{r: r, left: left}
			_, err := io.ReadAll(in)
			if err != in.err || (err == nil) != (want == "") || err != nil && err.Error() != want {
				t.Errorf("%d bytes allowed: got %v, %v", left, err, in.err)
			}
		}
	}
}

func TestFailingReaderIsNotTakenForABrokenFile(t *testing.T) {
	broken := errors.New("disk on fire")
	_, err := Parse(io.MultiReader(strings.NewReader("<schedule>"), iotest.ErrReader(broken)), nil)
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func names(rooms []Room) (names []string) {
	for _, room := range rooms {
		names = append(names, room.Name)
	}
	return names
}

// A real conference, compared with what regular expressions count in the same file.
func TestFOSDEM2024IsReadInFull(t *testing.T) {
	const path = "../../../shared/data/fosdem-2024.xml"
	file, err := os.ReadFile(path)
	if err != nil {
		t.Skip("the published schedule of FOSDEM 2024 is not part of this repository")
	}
	brussels := must(time.LoadLocation("Europe/Brussels"))(t)
	s := must(Parse(bytes.NewReader(file), brussels))(t)

	count := func(pattern string) int { return len(regexp.MustCompile(pattern).FindAll(file, -1)) }
	distinct := func(pattern string) int {
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(file, -1) {
			seen[string(m[1])] = true
		}
		return len(seen)
	}
	var persons, minutes int
	people, used := map[string]bool{}, map[string]bool{}
	for _, e := range s.Events {
		persons += len(e.Persons)
		minutes += int(e.End.Sub(e.Start).Minutes())
		used[e.Room] = true
		for _, p := range e.Persons {
			people[p.ID] = true
		}
		if day := e.Start.In(brussels).Format(time.DateOnly); day != s.Start && day != s.End {
			t.Errorf("%s is on %s", e.Title, day)
		}
	}
	var wantMinutes int
	for _, m := range regexp.MustCompile(`<duration>(\d\d):(\d\d)<`).FindAllSubmatch(file, -1) {
		wantMinutes += 60*(int(m[1][0]-'0')*10+int(m[1][1]-'0')) + int(m[2][0]-'0')*10 + int(m[2][1]-'0')
	}

	equal(t, "skipped", len(s.Skipped), 0)
	equal(t, "events", len(s.Events), count(`<event id=`))
	equal(t, "rooms", len(s.Rooms), distinct(`<room name="([^"]+)"`))
	equal(t, "rooms in use", len(used), distinct(`<room>([^<]+)</room>`))
	equal(t, "tracks", len(s.Tracks), count(`<track [^>]+>[^<]+</track>`))
	equal(t, "appearances", persons, count(`<person id=`))
	equal(t, "people", len(people), distinct(`<person id="(\d+)"`))
	equal(t, "minutes", minutes, wantMinutes)
	equal(t, "first", s.Events[0].Start, time.Date(2024, 2, 3, 9, 30, 0, 0, time.UTC))
}
