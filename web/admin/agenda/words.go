package agenda

import (
	"strconv"
	"time"

	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
)

// agendaConflicts are the conflicts of a day in words, and how many each day has.
type agendaConflicts struct {
	lines []pages.Conflict
	days  map[string]int
	of    map[string]string // by session id
}

// conflictsListed is how many conflicts of a day are listed; the cards have all.
const conflictsListed = 60

func (g *agendaGrid) agendaConflicts() *agendaConflicts {
	day, found := g.day, g.day.Conflicts
	said := &agendaConflicts{days: found.Days, of: map[string]string{}}
	for _, c := range found.All {
		if len(said.lines) < conflictsListed && c.From.In(g.Zone()).Format(time.DateOnly) == day.Day {
			said.lines = append(said.lines, pages.Conflict{Text: warn.Line(c, g.Zone()), URL: "#" + c.Of.FriendlyID})
		}
	}
	for _, s := range day.Sessions {
		if all := found.Of[s.ID]; len(all) > 0 {
			said.of[s.ID] = warn.OnCard(all[0], g.Zone())
			if len(all) > 1 {
				said.of[s.ID] += ", and " + strconv.Itoa(len(all)-1) + " more"
			}
		}
	}
	return said
}

// breaks draws breaks: across all rooms, or in one room where the columns are rooms. It also draws a band across all
// rooms behind each plenary session.
func (g *agendaGrid) breaks() {
	for _, b := range g.day.Breaks {
		column := g.columns[visit.ValueOr(b.RoomID, "")]
		across := b.RoomID == nil || b.IsPlenary
		if !across && (g.asks.view != "rooms" || column == nil) {
			continue
		}
		band, drawn := g.band(b.Title, b.StartsAt.Time, b.EndsAt.Time)
		if !drawn {
			continue
		}
		if g.page.MayChange {
			band.URL = g.At("/agenda/breaks/" + b.ID)
		}
		if across {
			band.Class += " all"
		} else {
			band.Class += " " + columnClass(column.first, 1)
		}
		g.page.Bands = append(g.page.Bands, band)
	}
	for _, s := range g.day.Sessions {
		start, end := g.within(s)
		if band, drawn := g.band("Plenary: "+s.Title, start, end); drawn && s.IsPlenary {
			band.Class += " all"
			g.page.Bands = append(g.page.Bands, band)
		}
	}
}

// band returns the part of a time span that lies on the grid; drawn is false where none does, and in the list view.
func (g *agendaGrid) band(title string, start, end time.Time) (band pages.Band, drawn bool) {
	times := start.In(g.Zone()).Format("15:04") + " to " + end.In(g.Zone()).Format("15:04")
	if start.Before(g.from) {
		start = g.from
	}
	if last := g.from.Add(time.Duration(g.page.Rows) * gridRow); end.After(last) {
		end = last
	}
	rows := gridRows(end.Sub(g.from)+gridRow-1) - gridRows(start.Sub(g.from))
	if rows < 1 || g.asks.view == "list" {
		return band, false
	}
	return pages.Band{Title: title, Class: rowClass(gridRows(start.Sub(g.from)), rows), Times: times}, true
}
