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

// CountPassing counts the sessions that pass a filter, which is the most expensive part of a search, and caches it.
// filtered must be the query of that filter.
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

// isOfKind reports whether a filter asks only for the kind of session and for drafts. The count is then cached until
// sessions are added, deleted, restored or submitted.
func (f *SessionFilter) isOfKind() bool {
	rest := *f
	rest.IsAbstract, rest.NoDrafts = nil, false
	return reflect.ValueOf(rest).IsZero()
}

// kindCounts holds how many live sessions of each kind an event has.
type kindCounts struct{ Abstracts, Sessions int64 }

// KindCounts returns how many live submissions, without drafts, and live programme sessions there are.
func (p *Programme) KindCounts(ctx context.Context) (abstracts, sessions int64, err error) {
	counts, err := p.store.caches.kinds.Get(ctx, p.event.ID, p.rowsVersion(), func() (counts kindCounts, err error) {
		err = p.filter(p.Read(ctx).Model(&Session{}), &SessionFilter{}).
			Select("count(CASE WHEN is_abstract AND status <> 'draft' THEN 1 END) AS abstracts, " +
				"count(CASE WHEN NOT is_abstract THEN 1 END) AS sessions").
			Scan(&counts).Error
		return counts, err
	})
	return counts.Abstracts, counts.Sessions, err
}

// KeepKindCounts caches KindCounts that another pass over the sessions has found.
func (p *Programme) KeepKindCounts(ctx context.Context, abstracts, sessions int64) {
	p.store.caches.kinds.Put(ctx, p.event.ID, p.rowsVersion(), kindCounts{abstracts, sessions})
}

// SpeakerCount returns how many speakers the event has, without people who are only on drafts. It is cached until
// somebody joins or leaves a live session, or a draft is submitted.
func (p *Programme) SpeakerCount(ctx context.Context) (int64, error) {
	return p.peopleCount(ctx, "speakers", speaking+noDrafts, p.event.ID, p.event.ID, p.event.ID)
}

// SpeakersWithDrafts is SpeakerCount with people who are only on drafts.
func (p *Programme) SpeakersWithDrafts(ctx context.Context) (int64, error) {
	return p.peopleCount(ctx, "speakers with drafts", speaking, p.event.ID, p.event.ID)
}

func (p *Programme) peopleCount(ctx context.Context, name, who string, values ...any) (int64, error) {
	return p.store.caches.counts.Get(ctx, countKey{p.event.ID, name}, p.SpeakersVersion(), func() (n int64, err error) {
		err = p.Read(ctx).Raw("SELECT count(*) FROM ("+who+" GROUP BY contact_id) people", values...).Scan(&n).Error
		return n, err
	})
}

// statusCounts holds how many sessions of each status pass a filter, zeros too, how many do in all, and how many of the
// pending ones nobody has reviewed.
type statusCounts struct {
	of         map[Status]int64
	total      int64
	unreviewed int64
}

// StatusCounts returns how many sessions of each status pass the filter, zeros too, and how many do in all. It ignores
// the filter's own statuses. It answers Invalid for a filter that breaks a rule.
func (p *Programme) StatusCounts(ctx context.Context, f SessionFilter) (map[Status]int64, int64, error) {
	counts, err := p.statusCounts(ctx, f)
	return maps.Clone(counts.of), counts.total, err
}

// Unreviewed returns how many pending submissions that pass the filter nobody has reviewed; it ignores the filter's
// statuses. It is counted together with StatusCounts and answers as that does.
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

// countStatuses counts by the index of the statuses, and separately, since that index lacks the score, the unreviewed.
func (p *Programme) countStatuses(ctx context.Context, f *SessionFilter) (statusCounts, error) {
	var rows []struct {
		Status Status
		Count  int64
	}
	filtered := p.filter(p.Read(ctx).Model(&Session{}), f).Session(&gorm.Session{})
	err := p.Read(ctx).Raw("? UNION ALL ?",
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

// Days counts the sessions that pass a filter by the days of the event's time zone.
type Days struct {
	Days     []DayCount // by date: the event's days, and any other that has sessions
	Unplaced int64      // sessions without a start
	Total    int64
	Public   int64
}

// DayCount says how many sessions start on a calendar day of the event's time zone.
type DayCount struct {
	Day   string // 2026-11-21
	Count int64
}

// On returns how many sessions start on a day such as 2027-05-20.
func (d *Days) On(day string) int64 {
	for _, other := range d.Days {
		if other.Day == day {
			return other.Count
		}
	}
	return 0
}

// daysKey is what cached Days depend on besides the sessions.
type daysKey struct {
	countKey
	zone, first, last string
}

// start counts the sessions that begin at one moment.
type start struct {
	StartsAt      *store.Time
	Count, Public int64
}

// SessionDays counts the sessions that pass a filter by the day on which they start; it ignores the start that the
// filter asks for. The result is shared and must not be written. It answers Invalid for a filter that breaks a rule.
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
		err := p.filter(p.Read(ctx).Model(&Session{}), &q.Filter).
			Select("starts_at, count(*) AS count, count(CASE WHEN is_public THEN 1 END) AS public").
			Group("starts_at").Scan(&starts).Error
		return p.event.days(starts), err
	})
}

// days groups starts by the days of the event's time zone.
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

// MaxDates limits the days of an event that are shown although nothing is placed on them yet.
const MaxDates = 31

// Dates returns the days from the event's first to its last, at most MaxDates; an event without a last day has only its
// first.
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

// Day narrows the filter to sessions that start on a day of a time zone, such as 2027-05-20. If day is no date, it
// returns false and leaves the filter alone.
func (f *SessionFilter) Day(day string, zone *time.Location) bool {
	from, until, isDate := DayIn(day, zone)
	if isDate {
		f.StartsAfter, f.StartsBefore = new(store.At(from.Add(-time.Millisecond))), &until
	}
	return isDate
}

// DayIn returns the start of a calendar day, such as 2027-05-20, in a time zone, and the start of the next day. isDate
// is false if day is no date.
func DayIn(day string, zone *time.Location) (from, until store.Time, isDate bool) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || date.Year() < 2 || date.Year() > 9998 { // in UTC the year still has four digits
		return from, until, false
	}
	return StartOfDay(date.Year(), date.Month(), date.Day(), zone),
		StartOfDay(date.Year(), date.Month(), date.Day()+1, zone), true
}
