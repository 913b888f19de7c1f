package admin

import (
	"time"

	"lectern/models"
)

// absences are what an availability is read as, in words, and the parts that are left to people.
func (v *visit) absences(text string) (away, unread []string) {
	read := v.event.Absences(text)
	for _, span := range read.Away {
		away = append(away, spanInWords(span, v.event.Location()))
	}
	return away, read.Unread
}

// spanInWords is when somebody is away: "Thursday 27 May until 12:00", "Friday 28 May", "from Thursday 27 May 14:00 to
// Saturday 29 May".
func spanInWords(span models.Span, zone *time.Location) string {
	const day, clock = "Monday 2 January", "15:04"
	from, until := span.From.In(zone), span.Until.In(zone)
	midnight := func(t time.Time) bool { return t.Hour() == 0 && t.Minute() == 0 }
	last := until
	if midnight(until) {
		last = until.AddDate(0, 0, -1)
	}
	same := from.Format(time.DateOnly) == last.Format(time.DateOnly)
	switch {
	case same && midnight(from) && midnight(until):
		return from.Format(day)
	case same && midnight(from):
		return from.Format(day) + " until " + until.Format(clock)
	case same && midnight(until):
		return from.Format(day) + " from " + from.Format(clock)
	case same:
		return from.Format(day) + ", " + from.Format(clock) + " to " + until.Format(clock)
	}
	first, end := from.Format(day), last.Format(day)
	if !midnight(from) {
		first += " " + from.Format(clock)
	}
	if !midnight(until) {
		end += " " + until.Format(clock)
	}
	return "from " + first + " to " + end
}
