package site

import (
	"cmp"
	"slices"
	"time"
)

// soon is how long before something begins the new day replaces an evening that still goes on.
const soon = 2 * time.Hour

// today returns the day to show now: still the evening's before, while what began then goes on after midnight and
// nothing begins soon. Between two days it is the next one, outside of the event the first, "" where nothing has a
// time.
func (v *visit) today() string {
	days := v.agendaDays()
	if len(days) == 0 {
		return ""
	}
	now := v.now()
	today, then := now.Format(time.DateOnly), now.Add(soon)
	evening, next := "", ""
	for _, s := range v.agenda.Sessions {
		end := ends(&s.Entry)
		switch begins := v.dayOf(s); {
		case begins == today && !s.StartsAt.After(then):
			return today
		case s.StartsAt.After(now):
			next = cmp.Or(next, begins)
		case end.After(now) && end.Sub(s.StartsAt.Time) < longEnough:
			evening = begins
		}
	}
	for _, b := range v.agenda.Breaks {
		if b.StartsAt.In(v.zone).Format(time.DateOnly) == today && !b.StartsAt.After(then) && slices.Contains(days, today) {
			return today
		}
	}
	return cmp.Or(evening, next, days[0])
}

// longEnough is the length from which something, such as an exhibition, does not count for when a day or evening ends.
const longEnough = 24 * time.Hour
