package models

import (
	"context"
	"sync"
	"time"
)

// dashboardCache keeps what was counted for as long as nothing of it can have
// changed: all that a dashboard counts leaves another version in the event's
// row, or changes with the day.
type dashboardCache struct {
	mu   sync.Mutex
	kept map[string]keptDashboard // by event
}

type keptDashboard struct {
	key dashboardKey
	*Dashboard
}

type dashboardKey struct {
	sessions, metadata version
	day, zone          string
	opened             int64 // ms, 0 while the call for papers has not opened
}

const dashboardCacheSize = 256 // events

func (p *Programme) dashboardKey(now Time) dashboardKey {
	key := dashboardKey{sessions: p.sessionsVersion(), metadata: p.version(p.event.MetadataVersion),
		day: now.In(p.event.Location()).Format(time.DateOnly), zone: p.event.Timezone}
	if opened := p.event.CFPOpensAt; opened != nil && !opened.After(now.Time) {
		key.opened = opened.UnixMilli()
	}
	return key
}

func (c *dashboardCache) get(eventID string, key dashboardKey) *Dashboard {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept := c.kept[eventID]; kept.key == key {
		return kept.Dashboard
	}
	return nil
}

func (c *dashboardCache) put(eventID string, key dashboardKey, d *Dashboard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || len(c.kept) >= dashboardCacheSize {
		c.kept = make(map[string]keptDashboard)
	}
	c.kept[eventID] = keptDashboard{key, d}
}

// Dashboard counts where the event stands at now, in at most eight statements,
// or in none when nothing has changed since the last time; what it returns is
// shared and must not be written. Abstracts are counted by day for the last 60
// days, or from the day the call for papers opened when that is later.
func (p *Programme) Dashboard(ctx context.Context, now Time) (*Dashboard, error) {
	if ctx.Value(txKey{}) != nil { // what a transaction sees is nobody else's
		return p.countAll(ctx, now)
	}
	key := p.dashboardKey(now)
	if d := p.store.dashboards.get(p.event.ID, key); d != nil {
		return d, nil
	}
	d, err := p.countAll(ctx, now)
	if err == nil {
		p.store.dashboards.put(p.event.ID, key, d)
		p.keepKinds(key.sessions, d.AbstractsTotal, d.Sessions)
	}
	return d, err
}
