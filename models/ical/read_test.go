package ical_test

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"lectern/models/ical"
)

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
		if e.Fault != want {
			t.Errorf("%q: %s, not %s", lines, e.Fault, want)
		}
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
