package site

import (
	"github.com/a-h/templ"

	"lectern/models/call"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/site"
)

// startsNamed is how many sessions the start page names.
const startsNamed = 5

// showStart shows the start page of an event: the call while it is open, the programme once it is public.
func showStart(v *visit) (templ.Component, error) {
	p := pages.StartPage{Site: v.sheet(v.event.Name, "")}
	p.Data = structured(v.eventData())
	p.Lede, p.Description = v.when(), store.Joined(v.event.Name, v.when())
	p.Intro, p.Photo, p.Alt = v.look.Intro, look.Picture.Path(v.look), v.look.PictureAlt
	if f := v.look.Picture; f != nil { // the event's picture says more than a drawn one
		p.Site.Picture = layouts.Shared{URL: v.s.BaseURL + p.Photo, Alt: p.Alt}
		if f.Width != nil && f.Height != nil {
			p.Site.Picture.Width, p.Site.Picture.Height = *f.Width, *f.Height
		}
	}
	if call := v.callDoor(); call != nil {
		p.Doors = append(p.Doors, *call)
	}
	if v.agenda == nil {
		if len(p.Doors) == 0 {
			p.Nothing = v.T("start.nothing")
		}
		return pages.Start(p), nil
	}
	p.Doors = append([]pages.Door{{Name: v.T("start.programme"), URL: v.list("", v.carried), Primary: true,
		Text:   v.T("start.programmetext", "Speakers", v.N("speakers.count", len(v.agenda.People))),
		Figure: v.Number(len(v.agenda.Sessions) + len(v.agenda.Unplaced)),
		Of:     v.N("start.sessions", len(v.agenda.Sessions)+len(v.agenda.Unplaced))}}, p.Doors...)
	now, next := v.now(), []*site.Session{}
	for _, s := range v.agenda.Sessions {
		if v.isOn() && s.StartsAt.Before(now) {
			continue
		}
		if next = append(next, s); len(next) == startsNamed {
			break
		}
	}
	p.Zones = v.zonesOf(next...)
	for _, s := range next {
		p.Next = append(p.Next, *v.card(s))
	}
	p.NextAs = v.T("start.first")
	if v.isOn() {
		p.NextAs = v.T("start.next")
	}
	p.More = crumb(v.T("start.all"), v.list("", v.carried))
	return pages.Start(p), nil
}

// callDoor returns the link to the call for papers while it is open, or before it opens.
func (v *visit) callDoor() *pages.Door {
	door := &pages.Door{Name: v.T("frame.call"), URL: v.toCall("call")}
	moment := func(word string, at *store.Time) string {
		local := at.In(v.zone)
		return v.T(word, "When", v.Date(local)+", "+v.timeOf(local), "City", v.cityHere())
	}
	switch v.call() {
	case call.NotYet:
		door.Text = moment("start.opens", v.event.CFPOpensAt)
	case call.IsOpen:
		door.Primary, door.Text = v.agenda == nil, v.T("start.open")
		if closes := v.event.CFPClosesAt; closes != nil {
			days := int(closes.Sub(v.s.Now()).Hours() / 24)
			door.Figure, door.Of, door.Text = v.Number(days), v.N("start.days", days), moment("start.closes", closes)
		}
	default:
		return nil
	}
	return door
}

// showFeeds explains the feeds.
func showFeeds(v *visit) (templ.Component, error) {
	p := pages.FeedsPage{Site: v.sheet(v.T("feeds.title"), "/feeds")}
	at := func(path string) string { return v.s.BaseURL + v.path(path) }
	p.Feeds = []pages.FeedRow{
		{Name: v.T("frame.calendar"), Text: v.T("feeds.calendar"), URL: at("calendar.ics")},
		{Name: "schedule.json", Text: v.T("feeds.json"), URL: at("schedule.json")},
		{Name: "schedule.xml", Text: v.T("feeds.xml"), URL: at("schedule.xml")},
	}
	for _, t := range v.agenda.Tracks {
		p.Tracks = append(p.Tracks, pages.FeedRow{Name: t.Name, URL: at("tracks/" + t.ID + ".ics")})
	}
	for _, r := range v.agenda.Rooms {
		p.Rooms = append(p.Rooms, pages.FeedRow{Name: r.Name, URL: at("rooms/" + r.ID + ".ics")})
	}
	return pages.Feeds(p), nil
}
