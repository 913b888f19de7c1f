// Package desk is what staff see first: where an event stands, what waits for them, what happened, and the views of
// lists that they keep. It stands on top of the programme.
package desk

import (
	"lectern/models"
	"lectern/models/store"
)

// Desk is the handle on which all hangs that staff look at of one event.
type Desk struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Desk { return &Desk{p} }

// Rows are the structs of this package's tables, which are held against the schema.
var Rows = map[string]any{"saved_views": SavedView{}}

// caches are what a process keeps of the events in use.
type caches struct {
	dashboards  *store.Cache[string, dashboardState, *Dashboard]
	inTwoPlaces *store.Cache[string, whoIsWhen, int64]
}

// cachedEvents is of how many events.
const cachedEvents = 256

func kept(s *models.Store) *caches {
	return store.Kept(s.Store, func() *caches {
		return &caches{store.NewCache[string, dashboardState, *Dashboard](cachedEvents),
			store.NewCache[string, whoIsWhen, int64](cachedEvents)}
	})
}
