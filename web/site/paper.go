package site

import (
	"maps"
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// showPaper shows a day for printing, on A4 or A3; with a room, as a sheet for its door.
func showPaper(v *visit) (templ.Component, error) {
	date := v.Params("day")
	if !slices.Contains(v.agendaDays(), date) {
		return nil, page.NoPage
	}
	d := v.dayOn(date)
	p := pages.PaperPage{Site: v.bare(v.DayHead(page.Date(date))), Day: v.DayHead(page.Date(date)),
		Large: v.query.Get("paper") == "a3",
		Foot:  store.Joined(v.event.Name, v.Day(page.Date(date))) + ". " + v.T("frame.changed", "When", v.head().Changed(v.agenda.Changed()))}
	if len(d.shown) == 0 {
		return nil, page.NoPage
	}
	p.Note = v.N("agenda.sessions", len(d.shown)) + ", " + v.N("agenda.rooms", len(d.rooms)) + ". " +
		v.clock(d.moments()) + "."
	one := len(v.query["room"]) == 1
	if one && len(d.rooms) == 1 {
		p.Room = d.rooms[0].Name
		if list := v.list(date, url.Values{"room": {d.rooms[0].ID}}); list != "" {
			p.At = v.s.BaseURL + list
		}
		if code, err := components.QROf(p.At); err == nil { // fails where the address is too long for a QR code
			p.Code = code
		}
	}
	here := v.path("print/" + date)
	with := func(name, value string) string {
		query := url.Values{name: {value}}
		maps.Copy(query, v.carried)
		return address(here, query)
	}
	if list := v.list(date, v.carried); list != "" {
		p.Links = append(p.Links, crumb(v.T("print.back"), list))
	}
	p.Links = append(p.Links,
		layouts.SiteLink{Name: v.T("print.a4"), URL: address(here, v.carried), Current: !p.Large && p.Room == ""},
		layouts.SiteLink{Name: v.T("print.a3"), URL: with("paper", "a3"), Current: p.Large})
	for _, room := range v.roomsOn(date) {
		p.Links = append(p.Links, layouts.SiteLink{Name: room.Name, URL: with("room", room.ID),
			Current: room.Name == p.Room})
	}
	p.Rows = v.paperRows(d, p.Room != "")
	return pages.Paper(p), nil
}

// roomsOn returns the rooms in which something is on that day.
func (v *visit) roomsOn(date string) []site.Room {
	there := map[string]bool{}
	for _, s := range v.agenda.Sessions {
		if s.RoomID != nil && v.dayOf(s) == date {
			there[*s.RoomID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(v.agenda.Rooms), func(r site.Room) bool { return !there[r.ID] })
}

// paperRows returns what a day has, by time; on a door without the room, but with the ends.
func (v *visit) paperRows(d *day, onDoor bool) (rows []pages.PaperRow) {
	last := ""
	for _, item := range d.items(false) {
		var r pages.PaperRow
		switch {
		case item.Card != nil:
			r = pages.PaperRow{Clock: item.Card.Clock, Title: item.Card.Title, People: item.Card.People, Room: item.Card.Meta}
			if !onDoor {
				r.Room = store.Joined(item.Card.Room, item.Card.Minutes)
			} else {
				r.Ends = item.Card.Ends
			}
		case item.Break != nil:
			r = pages.PaperRow{Clock: item.Break.Clock, Title: item.Break.Title, Room: item.Break.Until, Pause: true}
		default:
			continue
		}
		r.Begins = r.Clock != last
		last = r.Clock
		rows = append(rows, r)
	}
	return rows
}
