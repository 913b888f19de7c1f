package moving

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lectern/models"
)

// Away returns when somebody is away on the days of a conference, given when they are available, as Absences in their
// stored form. It returns "" for somebody who is always available, or never within those days.
func Away(available []Span, starts, ends string, zone *time.Location) string {
	first, err := time.ParseInLocation(time.DateOnly, starts, zone)
	last, err2 := time.ParseInLocation(time.DateOnly, ends, zone)
	if len(available) == 0 || err != nil || err2 != nil {
		return ""
	}
	var lines []string
	available = sorted(available)
	// The other system may claim that a conference lasts for ever, so look at no more days than there may be lines.
	for n := range models.MaxAbsences {
		day := first.AddDate(0, 0, n)
		if day.After(last) || len(lines) >= models.MaxAbsences {
			break
		}
		from, end := day, day.AddDate(0, 0, 1)
		for _, s := range available {
			if !s.Until.After(from) || !s.From.Before(end) {
				continue
			}
			lines = append(lines, absence(day, from, s.From)...)
			from = s.Until
		}
		lines = append(lines, absence(day, from, end)...)
	}
	return strings.Join(lines, "\n")
}

func sorted(spans []Span) []Span {
	return slices.SortedFunc(slices.Values(spans), func(a, b Span) int {
		return cmp.Or(a.From.Compare(b.From), a.Until.Compare(b.Until))
	})
}

// absence returns the line of an absence on a day, clipped to the day; none if nothing is left.
func absence(day, from, until time.Time) []string {
	from, until = from.In(day.Location()), until.In(day.Location())
	a := models.Absence{Day: day.Format(time.DateOnly), From: from.Format("15:04"), Until: until.Format("15:04")}
	if !from.After(day) {
		a.From = "00:00"
	}
	if !until.Before(day.AddDate(0, 0, 1)) {
		a.Until = "24:00"
	}
	if !until.After(from) || a.From >= a.Until {
		return nil
	}
	return []string{a.String()}
}
