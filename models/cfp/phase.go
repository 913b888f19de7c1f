package cfp

import (
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Phase is where a call stands at a moment.
type Phase string

// The phases. A call that is full takes no more submissions; what was submitted may still be edited.
const (
	NoCall Phase = "none"
	NotYet Phase = "not yet"
	IsOpen Phase = "open"
	IsFull Phase = "full"
	Closed Phase = "closed"
)

// Window is from when until when a call takes what people write, and how much, for everybody or for one of them. It is
// open at the moment it opens, and closed at the one it closes.
type Window struct {
	Opens, Closes *store.Time
	Until         *store.Time // for one person or proposal, whatever the rest says; nil for none
	Invited       bool        // by a code that is good
	Taken         int64       // submissions that there are
	Most          *int        // that are taken; nil for any number
}

// Phase is where the call stands.
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

// isLonger tells of somebody who may still write for a reason of their own.
func (w Window) isLonger(now store.Time) bool { return w.Until != nil && now.Before(w.Until.Time) }

// End is when the call ends for whoever the window is for; nil for never, as far as is known.
func (w Window) End() *store.Time {
	if w.Invited && w.Until == nil {
		return nil
	}
	return later(w.Closes, w.Until)
}

// later is the later of two moments, of which either may be nil.
func later(a, b *store.Time) *store.Time {
	if a == nil || b != nil && b.After(a.Time) {
		return b
	}
	return a
}

// DaysLeft are the days until a moment as people count them: nights, in the zone of the event.
func DaysLeft(now, end store.Time, event *models.Event) int {
	zone := event.Location()
	day := func(t time.Time) time.Time {
		t = t.In(zone)
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return int(day(end.Time).Sub(day(now.Time)).Hours() / 24)
}
