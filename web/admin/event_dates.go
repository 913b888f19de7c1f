package admin

import (
	"strings"
	"time"

	"lectern/models"
)

// date is a day of the calendar, which the models have checked.
func date(day string) time.Time {
	t, _ := time.Parse(time.DateOnly, day)
	return t
}

// span is the first and the last day of an event that has them.
func span(e *models.Event) (starts, ends time.Time) {
	starts, ends = date(*e.StartsOn), date(*e.StartsOn)
	if e.EndsOn != nil {
		ends = date(*e.EndsOn)
	}
	return starts, ends
}

// eventDays are the days of an event, "20 to 22 May 2027", or "".
func eventDays(e *models.Event) string {
	if e.StartsOn == nil {
		return ""
	}
	starts, ends := span(e)
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

// eventPlace is the line under an event's name: its days, and the city that its clock is named by.
func eventPlace(e *models.Event) string {
	if days := eventDays(e); days != "" {
		return days + " · " + city(e.Timezone)
	}
	return "No dates yet · " + city(e.Timezone)
}

// city is the last part of a zone's name: "Lisbon" of Europe/Lisbon.
func city(zone string) string {
	return strings.ReplaceAll(zone[strings.LastIndex(zone, "/")+1:], "_", " ")
}
