package admin

import (
	"strconv"
	"strings"
	"time"

	"lectern/models/store"
	"lectern/web/page"
)

// number is a count with thin separators, as people read it.
func number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// counted is a number with its noun.
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// lasted is how long something took, in its largest unit: "4 minutes".
func lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return counted(int64(d/time.Minute), "minute", "minutes")
	case d < 24*time.Hour:
		return counted(int64(d/time.Hour), "hour", "hours")
	}
	return counted(int64(d/(24*time.Hour)), "day", "days")
}

// enumerated are words as a sentence has them: "a, b and c".
func enumerated(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// whenInList is when without the year, unless it is another than the event's, or
// than this one for an event without dates.
func (v *visit) whenInList(t *store.Time) string {
	at := t.In(v.event.Location())
	first := v.w.options.Now().In(v.event.Location()).Format(time.DateOnly)
	if v.event.StartsOn != nil {
		first = *v.event.StartsOn
	}
	last := first
	if v.event.EndsOn != nil {
		last = *v.event.EndsOn
	}
	if year := at.Format("2006"); first[:4] <= year && year <= last[:4] {
		return at.Format("Mon 2 Jan, 15:04 MST")
	}
	return page.When(t, v.event.Location())
}

// ago is how long ago something was, roughly.
func ago(t store.Time, now time.Time) string {
	d := now.Sub(t.Time)
	switch {
	case d < time.Minute:
		return "just now"
	case d < 30*24*time.Hour:
		return lasted(d) + " ago"
	default:
		return t.Format("2 Jan 2006")
	}
}
