package page

import (
	"time"

	"lectern/models"
	"lectern/models/call"
)

// Date parses a day, which the models have checked.
func Date(day string) time.Time {
	t, _ := time.Parse(time.DateOnly, day)
	return t
}

// Span returns the first and the last day of an event, whose StartsOn must not be nil.
func Span(e *models.Event) (starts, ends time.Time) {
	starts, ends = Date(*e.StartsOn), Date(*e.StartsOn)
	if e.EndsOn != nil {
		ends = Date(*e.EndsOn)
	}
	return starts, ends
}

// EventDays returns the days of an event, "20 to 22 May 2027", "" where it has none.
func EventDays(e *models.Event) string {
	if e.StartsOn == nil {
		return ""
	}
	starts, ends := Span(e)
	text := ends.Format("2 January 2006")
	switch {
	case starts.Equal(ends):
	case starts.Year() != ends.Year():
		text = starts.Format("2 January 2006") + " to " + text
	case starts.Month() != ends.Month():
		text = starts.Format("2 January") + " to " + text
	default:
		text = starts.Format("2") + " to " + text
	}
	return text
}

// City returns the last part of a zone's name: "Lisbon" of Europe/Lisbon.
func City(zone string) string {
	return call.City(zone)
}
