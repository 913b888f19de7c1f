package models

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"gorm.io/gorm"
)

// countCache keeps exact counts, the dearest part of a search, for as long as
// the event's sessions stay as they are: the event's row carries versions that
// are read with every key, and each transaction on its sessions leaves another.
type countCache struct {
	mu     sync.Mutex
	counts map[countKey]int64
}

type countKey struct {
	eventID string
	version version
	filter  string
}

// version tells one state of an event's rows from all others. Its number is
// drawn anew by each transaction that changes them: where a standby took over
// that had not seen the last ones, counting up would name another state by the
// same number. What was read of a server before is told by the timeline.
type version struct{ timeline, number int64 }

// sessionsVersion is that of the sessions, as of when the handle's event was read.
func (p *Programme) sessionsVersion() version { return p.version(p.event.SessionsVersion) }

func (p *Programme) version(number int64) version {
	return version{p.store.servers.latest(), number}
}

const countCacheSize = 8192

func (c *countCache) get(key countKey) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, known := c.counts[key]
	return n, known
}

func (c *countCache) put(key countKey, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil || len(c.counts) >= countCacheSize {
		c.counts = make(map[countKey]int64)
	}
	c.counts[key] = n
}

// count returns how many sessions pass the filter.
func (p *Programme) count(ctx context.Context, filtered *gorm.DB, filter *SessionFilter) (int64, error) {
	text, err := json.Marshal(filter)
	if err != nil {
		return 0, err
	}
	key := countKey{p.event.ID, p.sessionsVersion(), string(text)}
	inside := ctx.Value(txKey{}) != nil // what a transaction sees is nobody else's
	if n, known := p.store.counts.get(key); known && !inside {
		return n, nil
	}
	var n int64
	if err := filtered.Count(&n).Error; err != nil {
		return 0, err
	}
	if !inside {
		p.store.counts.put(key, n)
	}
	return n, nil
}

// kindKey is where the number of abstracts, or of programme sessions, is kept.
func (p *Programme) kindKey(current version, abstract bool) countKey {
	return countKey{p.event.ID, current, "kind " + strconv.FormatBool(abstract)}
}

// KindCounts returns how many live abstracts and programme sessions there are.
func (p *Programme) KindCounts(ctx context.Context) (abstracts, sessions int64, err error) {
	inside, current := ctx.Value(txKey{}) != nil, p.sessionsVersion()
	abstracts, known := p.store.counts.get(p.kindKey(current, true))
	sessions, both := p.store.counts.get(p.kindKey(current, false))
	if known && both && !inside {
		return abstracts, sessions, nil
	}
	var rows []struct {
		IsAbstract bool
		Count      int64
	}
	if err := p.filter(p.read(ctx).Model(&Session{}), &SessionFilter{}).Select("is_abstract, count(*) AS count").Group("is_abstract").Scan(&rows).Error; err != nil {
		return 0, 0, err
	}
	abstracts, sessions = 0, 0
	for _, row := range rows {
		if row.IsAbstract {
			abstracts = row.Count
		} else {
			sessions = row.Count
		}
	}
	if !inside {
		p.keepKinds(current, abstracts, sessions)
	}
	return abstracts, sessions, nil
}

func (p *Programme) keepKinds(current version, abstracts, sessions int64) {
	p.store.counts.put(p.kindKey(current, true), abstracts)
	p.store.counts.put(p.kindKey(current, false), sessions)
}

// speakerCount returns how many speakers the event has. It is kept for as long
// as nobody joins or leaves a live session.
func (p *Programme) speakerCount(ctx context.Context) (int64, error) {
	key := countKey{p.event.ID, p.version(p.event.SpeakersVersion), "speakers"}
	inside := ctx.Value(txKey{}) != nil
	if n, known := p.store.counts.get(key); known && !inside {
		return n, nil
	}
	var n int64
	if err := p.read(ctx).Raw("SELECT count(*) FROM ("+speaking+" GROUP BY contact_id) people", p.event.ID, p.event.ID).Scan(&n).Error; err != nil {
		return 0, err
	}
	if !inside {
		p.store.counts.put(key, n)
	}
	return n, nil
}

// StatusCounts returns how many sessions of each status pass the rest of the
// filter, zeros too, and how many these are in all; the statuses that the
// filter names are ignored. It answers Invalid for a filter that breaks a rule.
func (p *Programme) StatusCounts(ctx context.Context, f SessionFilter) (map[Status]int64, int64, error) {
	f.Statuses = nil
	q := SessionSearch{Filter: f}
	if err := q.clean(); err != nil {
		return nil, 0, err
	}
	if err := p.resolveTracks(ctx, &q.Filter); err != nil {
		return nil, 0, err
	}
	text, err := json.Marshal(q.Filter)
	if err != nil {
		return nil, 0, err
	}
	current := p.sessionsVersion()
	key := func(status Status) countKey { return countKey{p.event.ID, current, string(status) + string(text)} }
	counts, total, inside := make(map[Status]int64, len(Statuses)), int64(0), ctx.Value(txKey{}) != nil
	for _, status := range Statuses {
		n, known := p.store.counts.get(key(status))
		if !known || inside {
			return p.countStatuses(ctx, &q.Filter, key, inside)
		}
		counts[status] = n
		total += n
	}
	return counts, total, nil
}

func (p *Programme) countStatuses(ctx context.Context, f *SessionFilter, key func(Status) countKey, inside bool) (map[Status]int64, int64, error) {
	var rows []struct {
		Status Status
		Count  int64
	}
	if err := p.filter(p.read(ctx).Model(&Session{}), f).Select("status, count(*) AS count").Group("status").Scan(&rows).Error; err != nil {
		return nil, 0, err
	}
	counts, total := make(map[Status]int64, len(Statuses)), int64(0)
	for _, row := range rows {
		counts[row.Status] = row.Count
		total += row.Count
	}
	for _, status := range Statuses {
		counts[status] += 0 // zeros are shown too
		if !inside {
			p.store.counts.put(key(status), counts[status])
		}
	}
	return counts, total, nil
}
