package admin

import (
	"lectern/models"
	"lectern/views/pages"
)

// agendaConflicts are the conflicts of a day in words, and how many there are on each.
type agendaConflicts struct {
	lines []pages.AgendaConflict
	days  map[string]int
	of    map[string]string // by the sessions' ids
}

func (g *agendaGrid) agendaConflicts(day *models.AgendaDay) (*agendaConflicts, error) {
	return &agendaConflicts{days: map[string]int{}, of: map[string]string{}}, nil
}

// breaks draws what stands beside sessions.
func (g *agendaGrid) breaks() error { return nil }
