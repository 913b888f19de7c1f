package site

import (
	"lectern/views/layouts"
	"lectern/views/words"
	"lectern/web/page"
)

// sheet is the frame of a page at an address below the event's, "" for one that has none.
func (v *visit) sheet(title, at string) layouts.Site {
	s := layouts.Site{Page: v.Page(title), Language: v.Language, Type: "website"}
	s.Of, s.Home, s.Lang = v.event.Name, address(v.home(), v.carried), v.Tag
	s.When = v.when()
	s.Links = v.menu()
	if v.agenda != nil {
		s.Changed = v.changed()
		s.Alternates = []layouts.Alternate{
			{Type: "text/calendar", Title: v.T("frame.calendar"), URL: v.path("calendar.ics")},
			{Type: "application/xml", Title: "schedule.xml", URL: v.path("schedule.xml")},
			{Type: "application/json", Title: "schedule.json", URL: v.path("schedule.json")},
		}
		s.Foot = []layouts.SiteLink{crumb(v.T("itinerary.title"), v.to("itinerary")), crumb(v.T("feeds.title"), v.to("feeds"))}
	}
	if at != "" {
		address := v.home() + at
		s.Canonical = v.s.BaseURL + address
		for _, l := range words.All() {
			s.Languages = append(s.Languages, layouts.SiteLink{Name: l.Name, Lang: l.Tag, URL: address + "?lang=" + l.Tag,
				Current: l == v.Language})
		}
	}
	return s
}

// when is when the event is, and where.
func (v *visit) when() string {
	if v.event.StartsOn == nil {
		return ""
	}
	first, last := page.Span(v.event)
	return v.Days(first, last)
}

// menu leads to the pages that there are.
func (v *visit) menu() (links []layouts.SiteLink) {
	add := func(name, at string) {
		links = append(links, layouts.SiteLink{Name: name, URL: v.to(at), Current: v.route.menu == at})
	}
	if v.agenda != nil {
		add(v.T("frame.agenda"), "agenda")
		add(v.T("itinerary.list"), "sessions")
		add(v.T("speakers.title"), "speakers")
		add(v.T("mine.title"), "my")
		links[len(links)-1].ID = "my-schedule"
		add(v.T("frame.changes"), "changes")
	}
	if v.event.CFPOpensAt != nil && (v.event.CFPClosesAt == nil || v.event.CFPClosesAt.After(v.s.Now())) {
		add(v.T("frame.call"), "call")
	}
	return links
}

// changed is when what is public changed last.
func (v *visit) changed() string {
	latest := latestChange(v.agenda).In(v.zone)
	return v.Day(latest) + ", " + v.TimeOf(latest)
}
