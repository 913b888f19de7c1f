package public

import (
	"context"

	"lectern/models"
)

// mostPlaces is how many sitemaps one index may list.
const mostPlaces = 50_000

// Places returns the slugs of the events of which something is public: sessions, or a call for papers.
func Places(ctx context.Context, s *models.Store) (slugs []string, err error) {
	err = s.Read(ctx).Raw(`SELECT e.slug FROM events e WHERE e.cfp_opens_at IS NOT NULL OR e.cfp_closes_at IS NOT NULL
		OR EXISTS (SELECT 1 FROM sessions s WHERE s.event_id = e.id AND `+ofShown+`) ORDER BY e.slug LIMIT ?`,
		mostPlaces).Scan(&slugs).Error
	return slugs, err
}
