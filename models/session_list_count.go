package models

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// countKey identifies a cached count of an event: of a filter, or of something that no filter expresses.
type countKey struct{ eventID, filter string }

// countKey returns the key of a filter.
func (p *Programme) countKey(filter *SessionFilter) (countKey, error) {
	text, err := json.Marshal(filter)
	if p.asViewer {
		text = append(text, " without drafts"...)
	}
	return countKey{p.event.ID, string(text)}, err
}

// CountPassing counts the sessions that pass a filter, the most expensive part of a search.
func (p *Programme) CountPassing(ctx context.Context, filtered *gorm.DB, filter *SessionFilter) (int64, error) {
	key, err := p.countKey(filter)
	if err != nil {
		return 0, err
	}
	version := p.sessionsVersion()
	if filter.isOfKind() {
		version = p.rowsVersion()
	}
	return p.store.caches.counts.Get(ctx, key, version, func() (n int64, err error) {
		err = filtered.Count(&n).Error
		return n, err
	})
}

// isOfKind reports whether a filter asks for nothing but the kind of session and whether it is a draft. Other changes
// of a session cannot change such a count.
func (f *SessionFilter) isOfKind() bool {
	rest := *f
	rest.IsAbstract, rest.NoDrafts = nil, false
	return reflect.ValueOf(rest).IsZero()
}

// kindCounts are how many live sessions of each kind an event has.
type kindCounts struct{ Abstracts, Sessions int64 }

// KindCounts returns how many live submissions, which drafts are not, and programme sessions there are.
func (p *Programme) KindCounts(ctx context.Context) (abstracts, sessions int64, err error) {
	counts, err := p.store.caches.kinds.Get(ctx, p.event.ID, p.rowsVersion(), func() (counts kindCounts, err error) {
		err = p.filter(p.read(ctx).Model(&Session{}), &SessionFilter{}).
			Select("count(CASE WHEN is_abstract AND status <> 'draft' THEN 1 END) AS abstracts, " +
				"count(CASE WHEN NOT is_abstract THEN 1 END) AS sessions").
			Scan(&counts).Error
		return counts, err
	})
	return counts.Abstracts, counts.Sessions, err
}

// KeepKindCounts keeps KindCounts that another pass over the sessions has found.
func (p *Programme) KeepKindCounts(ctx context.Context, abstracts, sessions int64) {
	p.store.caches.kinds.Put(ctx, p.event.ID, p.rowsVersion(), kindCounts{abstracts, sessions})
}

// SpeakerCount returns how many speakers the event has; who is on drafts alone is none. It is kept for as long
// as nobody joins or leaves a live session, and none is submitted.
func (p *Programme) SpeakerCount(ctx context.Context) (int64, error) {
	return p.peopleCount(ctx, "speakers", speaking+noDrafts, p.event.ID, p.event.ID, p.event.ID)
}

// SpeakersWithDrafts is SpeakerCount with those of drafts.
func (p *Programme) SpeakersWithDrafts(ctx context.Context) (int64, error) {
	return p.peopleCount(ctx, "speakers with drafts", speaking, p.event.ID, p.event.ID)
}

func (p *Programme) peopleCount(ctx context.Context, name, who string, values ...any) (int64, error) {
	return p.store.caches.counts.Get(ctx, countKey{p.event.ID, name}, p.SpeakersVersion(), func() (n int64, err error) {
		err = p.read(ctx).Raw("SELECT count(*) FROM ("+who+" GROUP BY contact_id) people", values...).Scan(&n).Error
		return n, err
	})
}

// statusCounts are how many sessions of each status pass a filter, zeros too, how many these are in all, and how many
// of those that are pending nobody has reviewed.
type statusCounts struct {
	of         map[Status]int64
	total      int64
	unreviewed int64
}

// StatusCounts returns how many sessions of each status pass the rest of the
// filter, zeros too, and how many these are in all; the statuses that the
// filter names are ignored. It answers Invalid for a filter that breaks a rule.
func (p *Programme) StatusCounts(ctx context.Context, f SessionFilter) (map[Status]int64, int64, error) {
	counts, err := p.statusCounts(ctx, f)
	return maps.Clone(counts.of), counts.total, err
}

// Unreviewed returns how many pending submissions that pass the rest of the filter nobody has reviewed. It is
// counted with the statuses, and answers as StatusCounts does.
func (p *Programme) Unreviewed(ctx context.Context, f SessionFilter) (int64, error) {
	counts, err := p.statusCounts(ctx, f)
	return counts.unreviewed, err
}

func (p *Programme) statusCounts(ctx context.Context, f SessionFilter) (statusCounts, error) {
	f.Statuses, f.NoDrafts = nil, false
	q := SessionSearch{Filter: f}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return statusCounts{}, err
	}
	key, err := p.countKey(&q.Filter)
	if err != nil {
		return statusCounts{}, err
	}
	return p.store.caches.statuses.Get(ctx, key, p.sessionsVersion(), func() (statusCounts, error) {
		return p.countStatuses(ctx, &q.Filter)
	})
}

// countStatuses counts by the index of the statuses, and what was not reviewed apart, which that index does not say.
func (p *Programme) countStatuses(ctx context.Context, f *SessionFilter) (statusCounts, error) {
	var rows []struct {
		Status Status
		Count  int64
	}
	filtered := p.filter(p.read(ctx).Model(&Session{}), f).Session(&gorm.Session{})
	err := p.read(ctx).Raw("? UNION ALL ?",
		filtered.Select("status, count(*) AS count").Group("status"),
		filtered.Where("is_abstract AND status = ? AND score IS NULL", Pending).Select("'unreviewed', count(*)"),
	).Scan(&rows).Error
	counts := statusCounts{of: make(map[Status]int64, len(Statuses))}
	for _, status := range Statuses {
		counts.of[status] = 0 // zeros are shown too
	}
	for _, row := range rows {
		if row.Status == "unreviewed" {
			counts.unreviewed = row.Count
			continue
		}
		counts.of[row.Status] = row.Count
		counts.total += row.Count
	}
	return counts, err
}

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
