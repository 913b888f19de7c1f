package visit

import (
	"cmp"
	"slices"
	"time"

	"lectern/models"
)

// AYear is the lifetime of a cookie that keeps a choice, in seconds.
const AYear = 365 * 24 * 60 * 60

// LastEvent returns the event of the list that this browser worked on last, else the next one that is not over; events
// without a date come last.
func (v *Visit) LastEvent(events []*models.Event) *models.Event {
	last, now := v.CookieValue(lastEventCookie), v.Options.Now()
	at := slices.IndexFunc(events, func(e *models.Event) bool { return e.ID == last })
	if at >= 0 {
		return events[at]
	}
	ahead := slices.DeleteFunc(slices.Clone(events), func(e *models.Event) bool {
		return e.EndsOn != nil && *e.EndsOn < now.In(e.Location()).Format(time.DateOnly)
	})
	if len(ahead) == 0 {
		return events[0]
	}
	ends := func(e *models.Event) string { return ValueOr(e.EndsOn, "undated") } // which sorts behind all digits
	return slices.MinFunc(ahead, func(a, b *models.Event) int { return cmp.Compare(ends(a), ends(b)) })
}

// rememberEvent stores the page's event as the last one.
func (v *Visit) rememberEvent() {
	if v.CookieValue(lastEventCookie) != v.Event.ID {
		v.SetCookie(lastEventCookie, v.Event.ID, AYear)
	}
}

// lastEventCookie holds the id of the event that was worked on last.
const lastEventCookie = "lectern-event"
