package models

import (
	"context"
	"time"

	"lectern/models/store"
)

// dashboardState is all that a dashboard is made of: what it counts leaves another
// version in the event's row, or changes with the day.
type dashboardState struct {
	sessions, metadata store.Version
	day, zone          string
	opened             int64 // ms, 0 while the call for papers has not opened
}

func (p *Programme) dashboardState(now store.Time) dashboardState {
	state := dashboardState{sessions: p.sessionsVersion(), metadata: p.metadataVersion(),
		day: now.In(p.event.Location()).Format(time.DateOnly), zone: p.event.Timezone}
	if opened := p.event.CFPOpensAt; opened != nil && !opened.After(now.Time) {
		state.opened = opened.UnixMilli()
	}
	return state
}

// Dashboard counts where the event stands at now, in at most eight statements,
// or in none when nothing has changed since the last time; what it returns is
// shared and must not be written. Abstracts are counted by day for the last 60
// days, or from the day the call for papers opened when that is later.
func (p *Programme) Dashboard(ctx context.Context, now store.Time) (*Dashboard, error) {
	state := p.dashboardState(now)
	return p.store.caches.dashboards.Get(ctx, p.event.ID, state, func() (*Dashboard, error) {
		d, err := p.countAll(ctx, now)
		if err == nil {
			p.store.caches.kinds.Put(ctx, p.event.ID, state.sessions, kindCounts{d.AbstractsTotal, d.Sessions})
		}
		return d, err
	})
}
