package models

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"lectern/models/store"
)

// Absence is a time on a day of the event at which somebody is away, such as 2027-05-20 from 12:00 until 15:00. 24:00
// is the end of the day.
type Absence struct{ Day, From, Until string }

// String returns the stored form: 2027-05-20 12:00-15:00.
func (a Absence) String() string { return a.Day + " " + a.From + "-" + a.Until }

// DayParts are the parts of a day for which forms ask whether somebody is away. Together they cover the day.
var DayParts = []Absence{{From: "00:00", Until: "12:00"}, {From: "12:00", Until: "15:00"},
	{From: "15:00", Until: "18:00"}, {From: "18:00", Until: "24:00"}}

// MaxAbsences limits the absences of a person at an event; forms can ask for fewer.
const MaxAbsences = 200

var absence = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)[-–](\d\d:\d\d))?$`)

// Absences parses stored absences and keeps their order, which is that of time.
func Absences(text string) (all []Absence) {
	for _, line := range store.Lines(text) {
		if found := absence.FindStringSubmatch(line); found != nil {
			all = append(all, Absence{found[1], found[2], found[3]})
		}
	}
	return all
}

// cleanAbsences parses absences that are separated by line breaks or semicolons, each a day or a day with times, and
// returns the stored form in the order of time.
func cleanAbsences(name, text string) (string, error) {
	var kept []string
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\r\n;", r) }) {
		found := absence.FindStringSubmatch(strings.TrimSpace(line))
		if strings.TrimSpace(line) == "" {
			continue
		}
		if found == nil {
			return "", wrongAbsence(name)
		}
		a := Absence{found[1], found[2], found[3]}
		if a.From == "" {
			a.From, a.Until = "00:00", "24:00"
		}
		_, noDay := time.Parse(time.DateOnly, a.Day)
		_, noFrom := time.Parse("15:04", a.From)
		_, noUntil := time.Parse("15:04", a.Until)
		if noDay != nil || noFrom != nil || noUntil != nil && a.Until != "24:00" || a.From >= a.Until {
			return "", wrongAbsence(name)
		}
		kept = append(kept, a.String())
	}
	slices.Sort(kept)
	if kept = slices.Compact(kept); len(kept) > MaxAbsences {
		return "", store.Invalidf(name, "has %d times; at most %d are kept", len(kept), MaxAbsences)
	}
	return strings.Join(kept, "\n"), nil
}

func wrongAbsence(name string) error {
	return store.Invalidf(name,
		"must be days with times, such as 2027-05-20 12:00-15:00, or whole days such as 2027-05-20")
}

// away returns the spans in which somebody is away, by the event's clock.
func (e *Event) away(text string) (spans []Span) {
	for _, a := range Absences(text) {
		span := Span{clockOn(a.Day, a.From, e.Location()), clockOn(a.Day, a.Until, e.Location())}
		if span.From.Before(span.Until.Time) { // empty where the clock leaps over it
			spans = append(spans, span)
		}
	}
	return United(spans)
}

// Clock returns the moment of a time, such as 14:30 or 24:00, on a day of the event. Both must be valid, as in an
// Absence.
func (e *Event) Clock(day, clock string) store.Time { return clockOn(day, clock, e.Location()) }

// clockOn returns the moment of a time, such as 14:30 or 24:00, on a day in a zone. Both must be valid.
func clockOn(day, clock string, zone *time.Location) store.Time {
	if clock == "24:00" {
		return midnight(day, 1, zone)
	}
	moment, _ := time.ParseInLocation("2006-01-02 15:04", day+" "+clock, zone)
	return store.At(moment)
}

// midnight returns the start of the day that comes after days later than date, in a zone. date must be valid.
func midnight(date string, after int, zone *time.Location) store.Time {
	day, _ := time.Parse(time.DateOnly, date)
	return StartOfDay(day.Year(), day.Month(), day.Day()+after, zone)
}

// United sorts spans in place and merges those that overlap or touch.
func United(spans []Span) (all []Span) {
	slices.SortFunc(spans, func(a, b Span) int { return a.From.Compare(b.From.Time) })
	for _, s := range spans {
		if n := len(all); n > 0 && !s.From.After(all[n-1].Until.Time) {
			if s.Until.After(all[n-1].Until.Time) {
				all[n-1].Until = s.Until
			}
			continue
		}
		all = append(all, s)
	}
	return all
}

// StartOfDay returns the first instant of a calendar day; where clocks go forward at midnight that is not 0:00.
func StartOfDay(year int, month time.Month, day int, zone *time.Location) store.Time {
	start := time.Date(year, month, day, 0, 0, 0, 0, zone)
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Day()
	for range 8 {
		if start.Day() == date {
			break
		}
		start = start.Add(15 * time.Minute)
	}
	return store.At(start)
}
