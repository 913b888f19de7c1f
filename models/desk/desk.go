// Package desk is what staff see first: where an event stands, what waits for them, what happened, and their saved
// views of lists. It stands on top of the programme.
package desk

import (
	"lectern/models"
	"lectern/models/store"
)

// Desk is the handle of one event's dashboard, activity and saved views.
type Desk struct{ p *models.Programme }

// Of returns the desk of a programme.
func Of(p *models.Programme) *Desk { return &Desk{p} }

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{"saved_views": SavedView{}}

// caches are a process's caches of the events in use.
type caches struct {
	dashboards  *store.Cache[string, dashboardState, *Dashboard]
	inTwoPlaces *store.Cache[string, whoIsWhen, int64]
}

// cachedEvents is how many events each cache keeps.
const cachedEvents = 256

func kept(s *models.Store) *caches {
	return store.Singleton(s.Store, func() *caches {
		return &caches{store.NewCache[string, dashboardState, *Dashboard](cachedEvents),
			store.NewCache[string, whoIsWhen, int64](cachedEvents)}
	})
}
