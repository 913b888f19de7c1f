package models

import (
	"context"
	"slices"
	"strings"
	"time"

	"lectern/models/store"
)

// Days is how the sessions that pass a filter are spread over the calendar of the event's time zone.
type Days struct {
	Days     []DayCount // by date: those of the event, and any other that has sessions
	Unplaced int64      // without a start
	Total    int64
	Public   int64
}

// DayCount is a calendar day of the event's time zone, with how many sessions start on it.
type DayCount struct {
	Day   string // 2026-11-21
	Count int64
}

// On is how many sessions start on a day such as 2027-05-20.
func (d *Days) On(day string) int64 {
	for _, other := range d.Days {
		if other.Day == day {
			return other.Count
		}
	}
	return 0
}

// daysKey is what Days depends on besides the sessions.
type daysKey struct {
	countKey
	zone, first, last string
}

// start is how many sessions begin at one moment.
type start struct {
	StartsAt      *store.Time
	Count, Public int64
}

// SessionDays counts the sessions that pass the rest of a filter by the day they start on; the start that the
// filter asks for is ignored. What it returns is shared and must not be written. It answers Invalid for a filter that
// breaks a rule.
func (p *Programme) SessionDays(ctx context.Context, f SessionFilter) (*Days, error) {
	f.Scheduled, f.StartsAfter, f.StartsBefore = nil, nil, nil
	q := SessionSearch{Filter: f}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return nil, err
	}
	key, err := p.countKey(&q.Filter)
	if err != nil {
		return nil, err
	}
	all := daysKey{key, p.event.Timezone, store.ValueOf(p.event.StartsOn), store.ValueOf(p.event.EndsOn)}
	return p.store.caches.days.Get(ctx, all, p.sessionsVersion(), func() (*Days, error) {
		var starts []start
		err := p.filter(p.read(ctx).Model(&Session{}), &q.Filter).
			Select("starts_at, count(*) AS count, count(CASE WHEN is_public THEN 1 END) AS public").
			Group("starts_at").Scan(&starts).Error
		return p.event.days(starts), err
	})
}

// days groups starts by the event's calendar.
func (e *Event) days(starts []start) *Days {
	d, zone, counts := &Days{}, e.Location(), map[string]int64{}
	for _, day := range e.Dates() {
		counts[day] = 0
	}
	for _, s := range starts {
		d.Total, d.Public = d.Total+s.Count, d.Public+s.Public
		if s.StartsAt == nil {
			d.Unplaced += s.Count
			continue
		}
		counts[s.StartsAt.In(zone).Format(time.DateOnly)] += s.Count
	}
	for day, count := range counts {
		d.Days = append(d.Days, DayCount{day, count})
	}
	slices.SortFunc(d.Days, func(a, b DayCount) int { return strings.Compare(a.Day, b.Day) })
	return d
}

// MaxDates is how many days of an event are shown where nothing is placed on them yet.
const MaxDates = 31

// Dates are the days from the event's first to its last, or the first 31; an event without a last day has its first one
// alone.
func (e *Event) Dates() (days []string) {
	if e.StartsOn == nil {
		return nil
	}
	last := e.StartsOn
	if e.EndsOn != nil {
		last = e.EndsOn
	}
	first, err := time.Parse(time.DateOnly, *e.StartsOn)
	if err != nil {
		return nil
	}
	for i := range MaxDates {
		day := first.AddDate(0, 0, i).Format(time.DateOnly)
		if day > *last {
			break
		}
		days = append(days, day)
	}
	return days
}

// Day narrows the filter to sessions that start on a day of a time zone, such as 2027-05-20. It answers false, and
// leaves the filter alone, for what is no date.
func (f *SessionFilter) Day(day string, zone *time.Location) bool {
	from, until, isDate := DayIn(day, zone)
	if isDate {
		f.StartsAfter, f.StartsBefore = new(store.At(from.Add(-time.Millisecond))), &until
	}
	return isDate
}

// DayIn is the start of a calendar day, such as 2027-05-20, in a time zone, and the start of the next. It answers false
// for what is no date.
func DayIn(day string, zone *time.Location) (from, until store.Time, isDate bool) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || date.Year() < 2 || date.Year() > 9998 { // UTC has a year of four digits
		return from, until, false
	}
	return StartOfDay(date.Year(), date.Month(), date.Day(), zone),
		StartOfDay(date.Year(), date.Month(), date.Day()+1, zone), true
}
