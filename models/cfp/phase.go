package cfp

import (
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Phase says whether a call takes submissions at a moment.
type Phase string

// In a full call no more can be submitted; submissions may still be edited.
const (
	NoCall Phase = "none"
	NotYet Phase = "not yet"
	IsOpen Phase = "open"
	IsFull Phase = "full"
	Closed Phase = "closed"
)

// Window says from when until when a call takes proposals, and how many, for everybody or for one person. It is open at
// the moment it opens, and closed at the moment it closes.
type Window struct {
	Opens, Closes *store.Time
	Until         *store.Time // an extension for one person or proposal; nil for none
	Invited       bool        // by a valid code
	Taken         int64       // number of submissions
	Most          *int        // limit of submissions; nil for any number
}

// Phase returns the phase of the call at a moment.
func (w Window) Phase(now store.Time) Phase {
	switch {
	case w.Invited:
		return IsOpen
	case !w.isLonger(now) && w.Opens == nil && w.Closes == nil:
		return NoCall
	case !w.isLonger(now) && w.Opens != nil && now.Before(w.Opens.Time):
		return NotYet
	case !w.isLonger(now) && w.Closes != nil && !now.Before(w.Closes.Time):
		return Closed
	case w.Most != nil && w.Taken >= int64(*w.Most):
		return IsFull
	}
	return IsOpen
}

// isLonger reports whether an extension lets somebody write at this moment.
func (w Window) isLonger(now store.Time) bool { return w.Until != nil && now.Before(w.Until.Time) }

// End returns when the call ends for the person of the window; nil if no end is known.
func (w Window) End() *store.Time {
	if w.Invited && w.Until == nil {
		return nil
	}
	return later(w.Closes, w.Until)
}

// later returns the later of two moments, of which either may be nil.
func later(a, b *store.Time) *store.Time {
	if a == nil || b != nil && b.After(a.Time) {
		return b
	}
	return a
}

// DaysLeft returns the days until a moment as people count them: nights, in the event's zone.
func DaysLeft(now, end store.Time, event *models.Event) int {
	zone := event.Location()
	day := func(t time.Time) time.Time {
		t = t.In(zone)
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return int(day(end.Time).Sub(day(now.Time)).Hours() / 24)
}
