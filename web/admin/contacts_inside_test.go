package admin

import (
	"lectern/models"
	"lectern/web/admin/visit"
)

// offeredColumns are the keys of the columns that the list of an event's people may have.
func offeredColumns(e *models.Event) (keys []string) {
	for _, c := range (&roster{Visit: &visit.Visit{Event: e}}).offered() {
		keys = append(keys, c.key)
	}
	return keys
}
