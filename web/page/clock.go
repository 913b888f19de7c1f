package page

import (
	"cmp"
	"strings"
	"time"

	"lectern/models/store"
	"lectern/views/components"
)

// wallForms are the layouts in which browsers send an input of type datetime-local.
var wallForms = []string{"2006-01-02T15:04", "2006-01-02T15:04:05"}

// moments returns the instants (none, one or two) that a wall time, as a form sends it, means in zone. It answers
// Invalid, naming field, for what is not a time of the calendar.
func moments(field, wall string, zone *time.Location) ([]store.Time, error) {
	for _, form := range wallForms {
		t, err := time.Parse(form, wall)
		if err != nil || t.Year() < 2 || t.Year() > 9998 { // so that the year has four digits in UTC too
			continue
		}
		return store.Moments(t, zone), nil
	}
	return nil, store.Invalidf(field, "must be a date and a time, such as 20 May 2027, 09:30")
}

// afterGap returns the first time after the gap in which a zone's clocks skip this wall time.
func afterGap(wall string, zone *time.Location) string {
	for _, form := range wallForms {
		if t, err := time.ParseInLocation(form, wall, zone); err == nil {
			start, end := t.ZoneBounds()
			if end.IsZero() || (!start.IsZero() && t.Sub(start) < end.Sub(t)) {
				return start.In(zone).Format("2 Jan 2006, 15:04")
			}
			return end.In(zone).Format("2 Jan 2006, 15:04")
		}
	}
	return ""
}

// When returns a moment in a zone, with the zone's label: "Sat 15 May 2027, 09:00 WEST"; "" for nil.
func When(t *store.Time, zone *time.Location) string {
	if t == nil {
		return ""
	}
	return t.In(zone).Format("Mon 2 Jan 2006, 15:04 MST")
}

// moment returns the instant that a wall time means; which, "1" or "2", chooses where the clocks show it twice. It
// answers Invalid, naming field, unless exactly one is meant.
func moment(field, wall, which string, zone *time.Location) (store.Time, error) {
	found, err := moments(field, wall, zone)
	switch {
	case err != nil:
		return store.Time{}, err
	case len(found) == 0:
		return store.Time{}, store.Invalidf(field, "does not exist in %s, where the clocks go forward that day; "+
			"take %s or later", zone, afterGap(wall, zone))
	case len(found) == 1 || which == "1":
		return found[0], nil
	case which == "2":
		return found[1], nil
	}
	return store.Time{}, store.Invalidf(field, "comes twice that night in %s, because the clocks go back; say "+
		"which one is meant", zone)
}

// ClockOf returns a moment as a form holds it: the wall time, and "1" or "2" where the clocks show that time twice.
func ClockOf(t *store.Time, zone *time.Location) (wall, which string) {
	if t == nil {
		return "", ""
	}
	wall = t.In(zone).Format(wallForms[0])
	found, err := moments("", wall, zone)
	switch {
	case err != nil || len(found) < 2:
		return wall, ""
	case t.Before(found[1].Time):
		return wall, "1"
	default:
		return wall, "2"
	}
}

// Clock returns the ClockText of a wall time of the form. Which of two moments is meant stands in the value itself,
// after a #, or in the choice beside it.
func (v *Visit) Clock(name string) string {
	wall, which, _ := strings.Cut(v.Value(name), "#")
	return ClockText(wall, cmp.Or(which, v.Value(name+"_which")))
}

// ClockText joins a wall time and which of its two moments is meant into one text, which can be compared.
func ClockText(wall, which string) string {
	if wall == "" || which == "" {
		return wall
	}
	return wall + "#" + which
}

// ClockWords returns a ClockText as people read it, with the zone's label.
func ClockWords(text string, zone *time.Location) string {
	wall, which, _ := strings.Cut(text, "#")
	t, err := moment("", wall, which, zone)
	if err != nil {
		return wall
	}
	return When(&t, zone)
}

// MovedClock returns what a form sent for a moment, unset where its ClockText is what it was.
func MovedClock(field, now, was string, zone *time.Location) (to store.Optional[store.Time], err error) {
	if now == was {
		return to, nil
	}
	return SentClock(field, now, zone)
}

// SentClock reads a ClockText as an update: set to the moment, or to null where the text is empty.
func SentClock(field, now string, zone *time.Location) (to store.Optional[store.Time], err error) {
	to.Set = true
	wall, which, _ := strings.Cut(now, "#")
	if wall == "" {
		return to, nil
	}
	at, err := moment(field, wall, which, zone)
	to.Value = &at
	return to, err
}

// Twice returns the choice between the two moments of a ClockText whose time the clocks show twice, nil for any
// other.
func Twice(text string, zone *time.Location) []components.Option {
	wall, chosen, _ := strings.Cut(text, "#")
	found, err := moments("", wall, zone)
	if err != nil || len(found) < 2 {
		return nil
	}
	return []components.Option{
		{Name: "Choose one", Chosen: chosen == ""},
		{Value: "1", Name: "The first, " + found[0].In(zone).Format("15:04 MST"), Chosen: chosen == "1"},
		{Value: "2", Name: "The second, " + found[1].In(zone).Format("15:04 MST"), Chosen: chosen == "2"},
	}
}
