package warn

import (
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Times formats moments as briefly as the moments named together allow.
type Times struct {
	zone   *time.Location
	layout string
}

// NewTimes returns Times for these moments, of which nil ones do not count: with the day only if they differ in it,
// with the zone only if they differ in offset.
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

// Span returns the start and the end of a session, or its start alone.
func (t Times) Span(s *models.Session) string {
	if s.EndsAt == nil {
		return t.Between(*s.StartsAt, *s.StartsAt)
	}
	return t.Between(*s.StartsAt, *s.EndsAt)
}

// Between returns two moments, or one where both are the same.
func (t Times) Between(from, until store.Time) string {
	start := from.In(t.zone).Format(t.layout)
	if from.Equal(until.Time) {
		return start
	}
	return start + " to " + until.In(t.zone).Format(t.layout)
}
