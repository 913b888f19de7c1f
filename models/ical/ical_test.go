package ical_test

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	reader "github.com/emersion/go-ical"

	"lectern/models/ical"
	"lectern/models/modelstest"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	return modelstest.Must(time.LoadLocation(name))(t)
}

// read has another library read a calendar and write it again, which it refuses for a calendar that breaks a rule.
func read(t *testing.T, c *ical.Calendar) *reader.Calendar {
	t.Helper()
	file := c.Bytes()
	for line := range bytes.SplitSeq(bytes.TrimSuffix(file, []byte("\r\n")), []byte("\r\n")) {
		if len(line) > 75 || bytes.ContainsAny(line, "\r\n") {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
	calendar, err := reader.NewDecoder(bytes.NewReader(file)).Decode()
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	if len(c.Entries) > 0 {
		if err := reader.NewEncoder(io.Discard).Encode(calendar); err != nil {
			t.Errorf("%v in\n%s", err, file)
		}
	}
	return calendar
}

func TestTextsAndTimesAreReadAsTheyWere(t *testing.T) {
	t.Parallel()
	lisbon := zone(t, "Europe/Lisbon")
	start := time.Date(2027, 5, 20, 9, 30, 0, 0, lisbon)
	title := `A "title", with; all: that\ is ` + strings.Repeat("Größe 東京 🌊 ", 20)
	calendar := read(t, &ical.Calendar{Name: "Harbour, 2027", Zone: lisbon, Refresh: time.Hour, Entries: []ical.Entry{
		{UID: ical.UID("1"), Sequence: 3, Changed: start.Add(-time.Hour), Start: start, End: start.Add(45 * time.Minute),
			Title: title, Description: "One,\ntwo\x00\x1b", Location: "Hall; 1", URL: "https://example.org/a,b;c",
			Categories: []string{"Web, APIs", "Sea"}},
		{UID: ical.UID("2"), Changed: start, Start: start, End: start, Title: "Gone", Cancelled: true},
		{UID: ical.UID("3"), Changed: start, Start: start, End: start.Add(time.Hour), Title: "Lunch", Free: true},
	}})
	events := calendar.Events()
	if len(events) != 3 {
		t.Fatalf("%d events", len(events))
	}
	text := func(e reader.Event, name string) string {
		t.Helper()
		if e.Props.Get(name) == nil {
			return ""
		}
		return modelstest.Must(e.Props.Get(name).Text())(t)
	}
	first := events[0]
	for name, want := range map[string]string{"SUMMARY": title, "DESCRIPTION": "One,\ntwo",
		"LOCATION": "Hall; 1", "UID": "1@lectern", "STATUS": "CONFIRMED"} {
		modelstest.Want(t, name, text(first, name), want)
	}
	modelstest.Want(t, "sequence", modelstest.Must(first.Props.Get("SEQUENCE").Int())(t), 3)
	modelstest.Want(t, "URL", first.Props.Get("URL").Value, "https://example.org/a,b;c")
	categories := modelstest.Must(first.Props.Get("CATEGORIES").TextList())(t)
	modelstest.WantAll(t, "categories", categories, []string{"Web, APIs", "Sea"})
	began := modelstest.Must(first.DateTimeStart(time.UTC))(t)
	ended := modelstest.Must(first.DateTimeEnd(time.UTC))(t)
	if !began.Equal(start) || ended.Sub(began) != 45*time.Minute ||
		first.Props.Get("DTSTART").Params.Get("TZID") != "Europe/Lisbon" {
		t.Errorf("it is from %v to %v", began, ended)
	}
	if text(events[1], "STATUS") != "CANCELLED" || events[1].Props.Get("DTEND") != nil ||
		text(events[2], "TRANSP") != "TRANSPARENT" {
		t.Error("of a cancelled one or a break")
	}
}

func TestAZoneIsDescribedAsFarAsItIsNeeded(t *testing.T) {
	t.Parallel()
	at := func(name string, from, to time.Time) string {
		c := &ical.Calendar{Zone: zone(t, name), Entries: []ical.Entry{{UID: "1", Changed: from, Start: from, End: to,
			Title: "T"}}}
		read(t, c)
		_, rest, _ := strings.Cut(string(c.Bytes()), "TZID:"+name+"\r\n")
		rest, _, _ = strings.Cut(rest, "END:VTIMEZONE")
		return strings.ReplaceAll(rest, "\r\n", " ")
	}
	day := func(month time.Month, day int) time.Time { return time.Date(2027, month, day, 12, 0, 0, 0, time.UTC) }
	const summer = "BEGIN:DAYLIGHT DTSTART:20270328T020000 TZOFFSETFROM:+0100 TZOFFSETTO:+0200 TZNAME:CEST END:DAYLIGHT "
	const winter = "BEGIN:STANDARD DTSTART:20271031T030000 TZOFFSETFROM:+0200 TZOFFSETTO:+0100 TZNAME:CET END:STANDARD "
	for _, c := range []struct {
		zone     string
		from, to time.Time
		want     string
	}{
		{"Europe/Brussels", day(5, 20), day(5, 21), summer},
		{"Europe/Brussels", day(10, 30), day(10, 31), summer + winter},
		{"Asia/Kolkata", day(5, 20), day(5, 21),
			"BEGIN:STANDARD DTSTART:19451015T000000 TZOFFSETFROM:+0630 TZOFFSETTO:+0530 TZNAME:IST END:STANDARD "},
		{"Etc/GMT+3", day(5, 20), day(5, 21),
			"BEGIN:STANDARD DTSTART:19700101T000000 TZOFFSETFROM:-0300 TZOFFSETTO:-0300 TZNAME:-03 END:STANDARD "},
		{"UTC", day(5, 20), day(5, 21), ""},
	} {
		modelstest.Want(t, c.zone, at(c.zone, c.from, c.to), c.want)
	}
}

func TestTheHourThatComesTwiceIsToldApart(t *testing.T) {
	t.Parallel()
	brussels := zone(t, "Europe/Brussels")
	first := time.Date(2027, 10, 31, 0, 30, 0, 0, time.UTC)
	for i, start := range []time.Time{first.Add(-time.Hour), first, first.Add(time.Hour), first.Add(2 * time.Hour)} {
		c := &ical.Calendar{Zone: brussels,
			Entries: []ical.Entry{{UID: "1", Changed: start, Start: start, End: start.Add(time.Hour), Title: "T"}}}
		if got := modelstest.Must(read(t, c).Events()[0].DateTimeStart(nil))(t); !got.Equal(start) {
			t.Errorf("%v is read as %v", start, got)
		}
		if local := strings.Contains(string(c.Bytes()), "DTSTART;TZID=Europe/Brussels:"); local != (i == 0 || i == 3) {
			t.Errorf("%v is told as\n%s", start, c.Bytes())
		}
	}
}

func TestACalendarMayBeEmpty(t *testing.T) {
	t.Parallel()
	got := read(t, &ical.Calendar{Name: "N", Zone: zone(t, "Europe/Lisbon")})
	modelstest.Want(t, "events", len(got.Events()), 0)
}

func TestWhatIsWrittenIsReadAsItWas(t *testing.T) {
	t.Parallel()
	lisbon := zone(t, "Europe/Lisbon")
	start := time.Date(2027, 5, 20, 9, 30, 0, 0, lisbon)
	night := time.Date(2027, 10, 31, 0, 30, 0, 0, time.UTC) // an hour that Lisbon's clocks show twice
	c := ical.Calendar{Name: "Harbour, 2027", Zone: lisbon, Entries: []ical.Entry{
		{UID: "1@x", Sequence: 3, Start: start, End: start.Add(45 * time.Minute), Title: `A "title", with; all: that\ is\n ` +
			strings.Repeat("Größe 東京 🌊 ", 20), Description: "One,\ntwo", Location: "Hall; 1", URL: "https://example.org/a,b;c",
			Categories: []string{"Web, APIs", `Sea\`}},
		{UID: "2@x", Start: start, End: start, Title: "Gone", Cancelled: true},
		{UID: "3@x", Start: night, End: night.Add(time.Hour), Title: "Lunch", Free: true},
	}}
	read, err := ical.Read(strings.NewReader(string(c.Bytes())), time.UTC)
	if err != nil || read.Name != c.Name || len(read.Entries) != len(c.Entries) {
		t.Fatalf("%+v, %v", read, err)
	}
	for i, got := range read.Entries {
		want := c.Entries[i]
		if !got.Start.Equal(want.Start) || !got.End.Equal(want.End) {
			t.Errorf("%s: %v to %v", want.UID, got.Start, got.End)
		}
		got.Start, got.End = want.Start, want.End
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v is read as\n%+v", want, got)
		}
	}
}

func calendarOf(lines string) string {
	return "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:A\n" + lines + "\nEND:VEVENT\nEND:VCALENDAR\n"
}

func TestTimesAreReadAsOthersWriteThem(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"DTSTART:20270520T093000Z\nDTEND:20270520T101500Z":                                "09:30 10:15",
		"DTSTART:20270520T093000\nDURATION:PT1H15M":                                       "07:30 08:45",
		"DTSTART:20270520T093000":                                                         "07:30 07:30",
		"DTSTART;TZID=America/New_York:20270520T093000\nDURATION:P1D":                     "13:30 13:30",
		"DTSTART;TZID=\"W. Europe Standard Time\":20270520T093000":                        "07:30 07:30",
		"DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Lisbon:20270520T093000":     "08:30 08:30",
		"dtstart;value=DATE-TIME;x-odd=\"a:b;c\":20270520T093000Z":                        "09:30 09:30",
		"DTSTART:20270520T09\n 3000Z\nBEGIN:VALARM\nDTSTART:20200101T000000Z\nEND:VALARM": "09:30 09:30",
		"DTSTART;VALUE=DATE:20270520":                                                     "it takes whole days and has no time of day",
		"DTSTART;TZID=Atlantis/Harbour:20270520T0":                                        "its time zone “Atlantis/Harbour” is not known here",
		"DTSTART;TZID=Local:20270520T093000":                                              "its time zone “Local” is not known here",
		"DTSTART;TZID=../../etc/passwd:20270520T1":                                        "its time zone “../../etc/passwd” is not known here",
		"DTSTART:20270328T023000":                                                         "02:30 is not there on 28 March 2027, when the clocks go forward",
		"DTSTART:soon":                                                                    "“soon” is no time",
		"LOCATION:Hall":                                                                   "it has no time",
		"DTSTART:20270520T093000Z\nDTEND:20270520T083000Z":                                "it ends before it starts",
		"DTSTART:20270520T093000Z\nDURATION:-PT5M":                                        "“-PT5M” is no length",
		"no property\nDTSTART:20270520T093000Z\n:\nX;;:\n;:":                              "09:30 09:30",
	} {
		read, err := ical.Read(strings.NewReader(calendarOf(lines)), zone(t, "Europe/Brussels"))
		if err != nil || len(read.Entries) != 1 {
			t.Errorf("%q: %v", lines, err)
			continue
		}
		e := read.Entries[0]
		if e.Fault == "" {
			e.Fault = e.Start.UTC().Format("15:04") + " " + e.End.UTC().Format("15:04")
		}
		modelstest.Want(t, lines, e.Fault, want)
	}
}

func TestWhatIsNoCalendarIsRefusedInWords(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                                "does not begin with BEGIN:VCALENDAR",
		"<html>":                          "does not begin with BEGIN:VCALENDAR",
		"BEGIN:VCARD\nEND:VCARD":          "does not begin with BEGIN:VCALENDAR",
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\n": "its end is missing",
		"BEGIN:VCALENDAR\nEND:VEVENT\n":   "END:VEVENT ends nothing",
		strings.Repeat("BEGIN:VCALENDAR\n", 1_000_000):      "without end",
		calendarOf("SUMMARY:" + strings.Repeat("x", 2<<20)): "a line of the calendar is longer than 1 MB",
		calendarOf(strings.Repeat("COMMENT:x\n", 3<<20)):    "larger than 20 MB",
	} {
		if _, err := ical.Read(strings.NewReader(file), time.UTC); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, not %s", file, err, want)
		}
	}
	for _, line := range []string{"X" + strings.Repeat(";a=b", 200_000) + ":c", "CATEGORIES:" + strings.Repeat(`a\,`, 300_000),
		strings.Repeat("CATEGORIES:a,b\n", 300_000), "SUMMARY:\xff\x00", "RECURRENCE-ID:\x00\xff"} {
		read, err := ical.Read(strings.NewReader(calendarOf(line+"\nDTSTART:20270520T093000Z")), time.UTC)
		if err != nil || len(read.Entries) != 1 {
			t.Fatalf("%.20q: %v", line, err)
		}
		if e := read.Entries[0]; !utf8.ValidString(e.UID+e.Title) || strings.Contains(e.UID+e.Title, "\x00") || len(e.Categories) > 2 {
			t.Errorf("%.20q: %.100q %.100q %d", line, e.UID, e.Title, len(e.Categories))
		}
	}
	many := "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:VEVENT\nEND:VEVENT\n", 50_001) + "END:VCALENDAR"
	if _, err := ical.Read(strings.NewReader(many), time.UTC); err == nil || !strings.Contains(err.Error(), "50000 entries") {
		t.Error(err)
	}
}
