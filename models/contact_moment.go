package models

import (
	"regexp"
	"strings"
	"time"

	"lectern/models/field"
	"lectern/models/store"
)

// Moments, such as an arrival, are stored in UTC and shown by the event's clock.

// moment declares a field for a moment in the contact's row for an event.
func moment(part ContactPart, name, label string, at func(*EventContact) **store.Time) *ContactField {
	return &ContactField{
		Definition: field.Definition{Key: name, Label: label, Type: field.Text}, Part: part, IsMoment: true,
		clean: cleanMoment,
		get: func(p *Person) string {
			if p.Here == nil || *at(p.Here) == nil {
				return ""
			}
			return (*at(p.Here)).String()
		},
		Set: func(p *Person, text string) {
			*at(p.Here) = nil
			if t, err := store.ParseTime(text); err == nil {
				*at(p.Here) = &t
			}
		},
	}
}

// Moment parses a stored value. It returns nil if the value is empty or the field is of another type.
func (f *ContactField) Moment(text string) *store.Time {
	t, err := store.ParseTime(text)
	if !f.IsMoment || err != nil {
		return nil
	}
	return &t
}

const noMoment = "must be a date and a time, such as 2027-05-20 14:20"

// cleanMoment returns the stored form of a moment, which may have any offset.
func cleanMoment(name, text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	t, err := store.ParseTime(text)
	if err != nil || t.Year() < firstMoment || t.Year() > lastMoment {
		return "", store.Invalidf(name, noMoment)
	}
	return t.String(), nil
}

// firstMoment and lastMoment are the years that a moment may have.
const firstMoment, lastMoment = 1900, 2999

// timed matches a date followed by a time of day and perhaps an offset.
var timed = regexp.MustCompile(`(?i)^(.+?)(?:\s*[T,;]\s*|\s+)(?:at |um |à )?(?:(\d{1,2})[:.h](\d{2})(?::(\d{2})(?:\.\d+)?)?` +
	`\s*(a\.?m\.?|p\.?m\.?|h|uhr)?|(\d{1,2})\s*(a\.?m\.?|p\.?m\.?|h|uhr))\s*(Z|UTC|[+-]\d{2}:?\d{2})?$`)

// wordedDates are formats with the name of a month, after weekday and comma are removed.
var wordedDates = []string{"2 Jan 2006", "2 January 2006", "Jan 2 2006", "January 2 2006", "2-Jan-2006", "2. January 2006"}

// weekday matches the name of a day before a date.
var weekday = regexp.MustCompile(`(?i)^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+`)

// ReadMoment reads a date with a time as people write them (2027-05-20 14:20, 20.05.2027 14.20 Uhr, 20 May 2027, 2:20
// pm), by the clock of a zone unless an offset is written with it. It answers Invalid for a date alone, for a date
// that can be read as two, and for a time that the clock skips or shows twice.
func ReadMoment(name, text string, zone *time.Location) (string, error) {
	text = strings.TrimSpace(text)
	if _, err := store.ParseTime(text); err == nil || text == "" {
		return cleanMoment(name, text)
	}
	m := timed.FindStringSubmatch(text)
	if m == nil {
		if _, err := readDate(name, text); err == nil {
			return "", store.Invalidf(name, "needs a time of day as well, such as 2027-05-20 14:20")
		}
		return "", store.Invalidf(name, noMoment)
	}
	day, err := readDate(name, m[1])
	if err != nil {
		return "", err
	}
	clock, err := readClock(name, m[2]+m[6], m[3], m[4], m[5]+m[7])
	if err != nil {
		return "", err
	}
	if m[8] != "" {
		offset := strings.ToUpper(strings.ReplaceAll(m[8], ":", ""))
		t, err := time.Parse("2006-01-02T15:04:05Z0700", day+"T"+clock+strings.Replace(offset, "UTC", "Z", 1))
		if err != nil {
			return "", store.Invalidf(name, noMoment)
		}
		return store.At(t).String(), nil
	}
	wall, err := time.Parse("2006-01-02T15:04:05", day+"T"+clock)
	if err != nil {
		return "", store.Invalidf(name, noMoment)
	}
	switch found := store.Moments(wall, zone); len(found) {
	case 0:
		return "", store.Invalidf(name, "does not exist in %s, where the clocks go forward that day", zone)
	case 1:
		return found[0].String(), nil
	default:
		return "", store.Invalidf(name, "comes twice that night in %s, because the clocks go back; write %s or %s", zone,
			found[0].In(zone).Format("2006-01-02 15:04 -07:00"), found[1].In(zone).Format("2006-01-02 15:04 -07:00"))
	}
}

// readDate returns a date, whose month may be a name, as 2027-05-20.
func readDate(name, text string) (string, error) {
	text = strings.TrimSuffix(strings.TrimSpace(text), ",")
	worded := strings.Join(strings.Fields(strings.ReplaceAll(weekday.ReplaceAllString(text, ""), ",", " ")), " ")
	for _, form := range wordedDates {
		if t, err := time.Parse(form, worded); err == nil && t.Year() >= firstMoment && t.Year() <= lastMoment {
			return t.Format(time.DateOnly), nil
		}
	}
	of := field.Definition{Key: name, Type: field.Date}
	return of.Clean(text)
}

// readClock returns a time of day as 14:20:00.
func readClock(name, hour, minute, second, half string) (string, error) {
	two := func(text string) string { return ("00" + text)[len(text):] }
	clock := two(hour) + ":" + two(minute) + ":" + two(second)
	form := "15:04:05"
	if half = strings.ToLower(strings.ReplaceAll(half, ".", "")); half == "am" || half == "pm" {
		clock, form = clock+half, "03:04:05pm"
	}
	t, err := time.Parse(form, clock)
	if err != nil {
		return "", store.Invalidf(name, noMoment)
	}
	return t.Format("15:04:05"), nil
}
