package warn

import (
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Times say moments as short as what is said together allows.
type Times struct {
	zone   *time.Location
	layout string
}

// NewTimes are clocks alone where all moments are of one day and one offset; nil ones do not count.
func NewTimes(zone *time.Location, moments ...*store.Time) Times {
	same := func(layout string) bool {
		said := []string{}
		for _, m := range moments {
			if m != nil {
				said = append(said, m.In(zone).Format(layout))
			}
		}
		return len(slices.Compact(said)) < 2
	}
	var parts []string
	if !same(time.DateOnly) {
		parts = append(parts, "Mon 2 Jan")
	}
	parts = append(parts, "15:04")
	if !same("-0700") {
		parts = append(parts, "MST")
	}
	return Times{zone, strings.Join(parts, " ")}
}

// Span is from when to when a session is, or when it begins.
func (t Times) Span(s *models.Session) string {
	if s.EndsAt == nil {
		return t.Between(*s.StartsAt, *s.StartsAt)
	}
	return t.Between(*s.StartsAt, *s.EndsAt)
}

// Between is from one moment to another, or the moment where both are the same.
func (t Times) Between(from, until store.Time) string {
	start := from.In(t.zone).Format(t.layout)
	if from.Equal(until.Time) {
		return start
	}
	return start + " to " + until.In(t.zone).Format(t.layout)
}
