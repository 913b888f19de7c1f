package admin

import (
	"lectern/models"
	"lectern/web/page"
)

// eventPlace is the line under an event's name: its days, and the city that its clock is named by.
func eventPlace(e *models.Event) string {
	if days := page.EventDays(e); days != "" {
		return days + " · " + page.City(e.Timezone)
	}
	return "No dates yet · " + page.City(e.Timezone)
}
