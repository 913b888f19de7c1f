package visit

import (
	"strconv"
	"strings"
	"time"

	"lectern/models/store"
)

// Number formats a count with commas: "1,234".
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted returns a number with its noun in the singular or plural.
func Counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Lasted returns a duration in its largest unit: "4 minutes".
func Lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return Counted(int64(d/time.Minute), "minute", "minutes")
	case d < 24*time.Hour:
		return Counted(int64(d/time.Hour), "hour", "hours")
	}
	return Counted(int64(d/(24*time.Hour)), "day", "days")
}

// Some is Number, "" for none.
func Some(n int64) string {
	if n <= 0 {
		return ""
	}
	return Number(n)
}

// SomeOf is Counted, "" for none.
func SomeOf(n int64, one, many string) string {
	if n <= 0 {
		return ""
	}
	return Counted(n, one, many)
}

// Enumerated joins words as a sentence does: "a, b and c".
func Enumerated(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Ago says roughly how long ago something was; after 30 days it says the date.
func Ago(t store.Time, now time.Time) string {
	d := now.Sub(t.Time)
	switch {
	case d < time.Minute:
		return "just now"
	case d < 30*24*time.Hour:
		return Lasted(d) + " ago"
	default:
		return t.Format("2 Jan 2006")
	}
}
