package agenda

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
)

// mostColumns is how many columns a grid has at most, mostBeside how many of them belong to one room or track.
const mostColumns, mostBeside = 160, 24

// gridRow is the time that the smallest row of a grid stands for.
const gridRow = 5 * time.Minute

// usualStart and usualEnd are the hours that a grid shows at least.
const usualStart, usualEnd = 9, 18

// gridColumn is a room or a track that cards are laid out in.
type gridColumn struct {
	id    string
	name  string
	seats *int
	ends  []time.Time // of each lane: the end of its last card
	lanes map[string]int
	first int // its first column in the grid, from 1
}

// window sets the grid's hours: those of the day's sessions with an hour to spare, at least the usual ones.
func (g *agendaGrid) window() {
	from, until := g.day.From.In(g.Zone()), g.day.Until.In(g.Zone())
	first := time.Date(from.Year(), from.Month(), from.Day(), usualStart, 0, 0, 0, g.Zone())
	last := first.Add((usualEnd - usualStart) * time.Hour)
	for _, s := range g.day.Sessions {
		start, end := g.within(s)
		if s.StartsAt.Before(from) { // the grid would show the whole night
			continue
		}
		for first.After(start) {
			first = first.Add(-time.Hour)
		}
		for last.Before(end.Add(time.Hour)) {
			last = last.Add(time.Hour)
		}
	}
	if first.Before(from) {
		first = from
	}
	if last.After(until) {
		last = until
	}
	g.from = first
	g.page.From = first.UnixMilli()
	g.page.Rows = gridRows(last.Sub(first))
	every := 30 * time.Minute
	if g.asks.step > 30 {
		every = time.Hour
	}
	for at := first; at.Before(last); at = at.Add(every) {
		g.page.Times = append(g.page.Times, pages.Time{Name: at.Format(layoutOf(at, "15:04")),
			Class: rowClass(gridRows(at.Sub(first)), 1)})
	}
}

// layoutOf returns a layout that also names the zone where its clocks show this time twice that day.
func layoutOf(at time.Time, layout string) string {
	for _, other := range []time.Time{at.Add(-time.Hour), at.Add(time.Hour)} {
		if other.Format("2 15:04") == at.Format("2 15:04") {
			return layout + " MST"
		}
	}
	return layout
}

// within returns the part of a session that lies on the day.
func (g *agendaGrid) within(s *models.Session) (start, end time.Time) {
	start = s.StartsAt.Time
	end = start.Add(max(s.Length(), gridRow))
	if start.Before(g.day.From.Time) {
		start = g.day.From.Time
	}
	if end.After(g.day.Until.Time) {
		end = g.day.Until.Time
	}
	return start, end
}

// columnOf returns the id of a session's column, "" without a room or track.
func (g *agendaGrid) columnOf(s *models.Session) string {
	if g.asks.view == "tracks" {
		return visit.ValueOr(s.TrackID, "")
	}
	return visit.ValueOr(s.RoomID, "")
}

// arrange makes the columns: one for each room or track, and one for sessions without, if there are any.
func (g *agendaGrid) arrange() {
	g.columns = map[string]*gridColumn{}
	var order []*gridColumn
	add := func(c *gridColumn) {
		c.lanes = map[string]int{}
		g.columns[c.id], order = c, append(order, c)
	}
	rows, none := g.day.Rooms, "No room yet"
	if g.asks.view == "tracks" {
		rows, none = g.day.Tracks, "No track"
	}
	for _, m := range rows {
		add(&gridColumn{id: m.ID, name: m.Name, seats: m.Capacity})
	}
	bare := slices.ContainsFunc(g.day.Sessions, func(s *models.Session) bool { return g.columnOf(s) == "" })
	if bare || len(rows) == 0 {
		add(&gridColumn{name: none})
	}
	for _, s := range g.day.Sessions {
		if c := g.columns[g.columnOf(s)]; c != nil {
			start, end := g.within(s)
			c.take(s.ID, start, end)
		}
	}
	next := 1
	for _, c := range order {
		c.first = next
		if next += c.width(g.stacks(c)); next > mostColumns+1 {
			g.page.Hidden = visit.Counted(int64(len(order)-len(g.page.Columns)), "column", "columns")
			delete(g.columns, c.id)
			next = c.first
			break
		}
		g.page.Columns = append(g.page.Columns, pages.Column{ID: c.id, Name: c.name, Seats: seats(c.seats),
			Class: columnClass(c.first, c.width(g.stacks(c)))})
	}
	g.page.Width = next - 1
}

// take puts a session into the first lane that is free by its start.
func (c *gridColumn) take(id string, start, end time.Time) {
	lane := slices.IndexFunc(c.ends, func(until time.Time) bool { return !until.After(start) })
	if lane < 0 {
		lane = len(c.ends)
		c.ends = append(c.ends, time.Time{})
	}
	c.ends[lane], c.lanes[id] = end, lane
}

// stacks tells whether overlapping cards of a column lie on top of each other: in a room they are a conflict.
func (g *agendaGrid) stacks(c *gridColumn) bool { return g.asks.view == "rooms" && c.id != "" }

// width returns how many columns of the grid a gridColumn takes.
func (c *gridColumn) width(stacked bool) int {
	if stacked {
		return 1
	}
	return min(max(1, len(c.ends)), mostBeside)
}

// place returns the classes that position a card in the grid, "" where it is in no column shown.
func (g *agendaGrid) place(s *models.Session) string {
	c := g.columns[g.columnOf(s)]
	start, end := g.within(s)
	if start.Before(g.from) {
		start = g.from
	}
	if c == nil || c.first == 0 || !end.After(start) {
		return ""
	}
	row, rows := gridRows(start.Sub(g.from)), gridRows(end.Sub(g.from)+gridRow-1)
	classes := rowClass(row, max(1, rows-row))
	lane := c.lanes[s.ID]
	if !g.stacks(c) {
		classes += " " + columnClass(c.first+min(lane, mostBeside-1), 1)
	} else {
		classes += " " + columnClass(c.first, 1)
		if lane > 0 {
			classes += " on" + strconv.Itoa(min(lane, 3))
		}
	}
	switch {
	case rows-row <= 2:
		classes += " tiny"
	case rows-row <= 6:
		classes += " short"
	}
	return classes
}

// gridRows returns how many rows of the grid fit into a duration.
func gridRows(d time.Duration) int { return int(d / gridRow) }

// rowClass returns the classes for the first row and the number of rows: the style sheet counts in hours and twelfths
// of an hour.
func rowClass(from, rows int) string {
	return "rh" + strconv.Itoa(from/12) + " rm" + strconv.Itoa(from%12) + " lh" + strconv.Itoa(rows/12) + " lm" +
		strconv.Itoa(rows%12)
}

// columnClass returns the classes for the first column and the number of columns.
func columnClass(from, columns int) string {
	class := "ct" + strconv.Itoa(from/10) + " cu" + strconv.Itoa(from%10)
	if columns > 1 {
		class += " wide" + strconv.Itoa(columns)
	}
	return class
}

// seats returns a room's capacity in words.
func seats(n *int) string {
	if n == nil {
		return ""
	}
	return visit.Counted(int64(*n), "seat", "seats")
}

// card returns a session as any part of the agenda shows it.
func (g *agendaGrid) card(s *models.Session) pages.Card {
	card := pages.Card{Label: s.FriendlyID, Title: s.Title, Track: "No track", Ink: noInk, Was: g.shortPlace(s),
		Conflict: g.conflicts.of[s.ID]}
	if s.EndsAt == nil {
		card.Minutes = strconv.Itoa(int(s.Length() / time.Minute))
	}
	if s.Track != nil {
		card.Track, card.Ink = s.Track.Name, inkOf(indexOf(g.day.Tracks, s.Track.ID))
	}
	card.People = strings.Join(visit.Names(s.Participants), ", ")
	return card
}

// placedCard returns the card of a session that is placed on the day.
func (g *agendaGrid) placedCard(s *models.Session) pages.Card {
	card := g.card(s)
	card.Room, card.Where = "No room yet", minutesText(s.Length())
	if s.IsPlenary {
		card.Where += ", plenary"
	}
	if s.Room != nil {
		card.Room = s.Room.Name
	}
	card.Class = g.place(s)
	return card
}

// shortPlace is placeText with the room's index in the page's list instead of its id, which keeps pages small.
func (g *agendaGrid) shortPlace(s *models.Session) string {
	text := placeText(s)
	if s.RoomID != nil {
		if at := indexOf(g.day.Rooms, *s.RoomID); at >= 0 {
			return strconv.Itoa(at) + strings.TrimPrefix(text, *s.RoomID)
		}
	}
	return text
}

// indexOf returns the index of a room or track in a list, -1 for none.
func indexOf(list []*models.Metadata, id string) int {
	return slices.IndexFunc(list, func(m *models.Metadata) bool { return m.ID == id })
}

// minutesText returns a duration in words.
func minutesText(d time.Duration) string { return strconv.Itoa(int(d/time.Minute)) + " min" }

// placeText returns where and when a session is as one text: the room, the start and the end in milliseconds since
// 1970, each "-" for none. A move sends it along, so that we notice when somebody else moved the card meanwhile.
func placeText(s *models.Session) string {
	at := func(t *store.Time) string {
		if t == nil {
			return "-"
		}
		return strconv.FormatInt(t.UnixMilli(), 10)
	}
	return visit.ValueOr(s.RoomID, "-") + " " + at(s.StartsAt) + " " + at(s.EndsAt)
}
