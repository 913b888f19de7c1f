package models

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"

	"gorm.io/gorm"
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
