package site

import (
	"cmp"

	"lectern/models/embed"
	"lectern/models/look"
	"lectern/views/layouts"
	"lectern/views/words"
	"lectern/web/page"
)

// sheet is the frame of a page at an address below the event's, "" for one that has none.
func (v *visit) sheet(title, at string) layouts.Site {
	s := layouts.Site{Page: v.Page(title), Language: v.Language, Type: "website"}
	s.Of, s.Home, s.Lang = v.event.Name, address(v.home(), v.carried), v.Tag
	s.When = v.when()
	s.Links, s.Foot = v.menu()
	s.Look = v.path("look.css") + "?v=" + version(v.styles)
	s.Logo = look.Logo.Path(v.look)
	if v.embed != nil {
		s.Embedded = true
		if v.embed.Accent != "" {
			s.Look = "/embeds/" + v.embed.ID + "/look.css?v=" + version(v.styles)
		}
		if v.embed.Ground != embed.Auto {
			s.Theme = string(v.embed.Ground)
		}
		return s
	}
	if v.agenda != nil {
		s.Changed = v.changed()
		s.Alternates = []layouts.Alternate{
			{Type: "text/calendar", Title: v.T("frame.calendar"), URL: v.path("calendar.ics")},
			{Type: "application/xml", Title: "schedule.xml", URL: v.path("schedule.xml")},
			{Type: "application/json", Title: "schedule.json", URL: v.path("schedule.json")},
		}
	}
	v.pictured(&s, v.pictureOfStart())
	if at != "" {
		s.Canonical = v.s.BaseURL + v.home() + at
		for _, l := range words.All() {
			s.Languages = append(s.Languages, layouts.SiteLink{Name: l.Name, Lang: l.Tag, URL: v.asks(v.home()+at, "lang", l.Tag),
				Current: l == v.Language})
		}
	}
	return s
}

// when is when the event is, and where.
func (v *visit) when() string {
	var days string
	if v.event.StartsOn != nil {
		days = v.Days(page.Span(v.event))
	} else if v.agenda != nil && len(v.agendaDays()) > 0 {
		days = v.Days(page.Date(v.days[0]), page.Date(v.days[len(v.days)-1]))
	}
	return joined(days, v.look.Venue, v.look.City)
}

// menuPages are the pages that the menu has: what they are called where nobody called them otherwise, where they are,
// and whether they are in the head or in the foot.
var menuPages = []struct {
	page     look.Page
	word, at string
	atFoot   bool
}{
	{look.Agenda, "frame.agenda", "agenda", false},
	{look.Sessions, "itinerary.list", "sessions", false},
	{look.Speakers, "speakers.title", "speakers", false},
	{look.Schedule, "mine.title", "my", false},
	{look.Changes, "frame.changes", "changes", true},
	{look.Itinerary, "itinerary.title", "itinerary", true},
}

// menu leads to the pages that there are.
func (v *visit) menu() (head, foot []layouts.SiteLink) {
	for _, m := range menuPages {
		if v.agenda == nil || !v.look.Has(m.page) {
			continue
		}
		link := layouts.SiteLink{Name: cmp.Or(v.look.Word(m.page), v.T(m.word)), URL: v.to(m.at),
			Current: v.route.page == m.page}
		if m.page == look.Schedule {
			link.ID = "my-schedule"
		}
		if m.atFoot {
			foot = append(foot, link)
		} else {
			head = append(head, link)
		}
	}
	if v.agenda != nil {
		foot = append(foot, layouts.SiteLink{Name: v.T("feeds.title"), URL: v.to("feeds")})
	}
	if v.event.CFPOpensAt != nil && (v.event.CFPClosesAt == nil || v.event.CFPClosesAt.After(v.s.Now())) {
		head = append(head, layouts.SiteLink{Name: v.T("frame.call"), URL: v.path("call")})
	}
	return head, foot
}

// changed is when what is public changed last.
func (v *visit) changed() string {
	latest := latestChange(v.agenda).In(v.zone)
	return v.Day(latest) + ", " + v.TimeOf(latest)
}
