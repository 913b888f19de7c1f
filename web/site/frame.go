package site

import (
	"net/url"

	"lectern/models/call"
	"lectern/models/embed"
	"lectern/models/look"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/web/page"
)

// sheet returns the frame of a page that has an address of its own below the event's, "" for the start page.
func (v *visit) sheet(title, at string) layouts.Site {
	s := v.bare(title)
	if v.embed != nil {
		return s
	}
	s.Unlisted = len(v.query) > 0 || v.mistyped != ""
	s.Origin = v.s.BaseURL
	s.Canonical = s.Origin + address(v.home()+at, v.inLanguage())
	for _, l := range v.Offered(v.event) {
		s.Languages = append(s.Languages, layouts.SiteLink{Name: l.Name, Lang: l.Tag, URL: v.asks(v.home()+at, "lang", l.Tag),
			Current: l == v.Language})
	}
	return s
}

// bare returns the frame of a page without a canonical address.
func (v *visit) bare(title string) layouts.Site {
	s := layouts.Site{Page: v.Page(title), Language: v.Language, Type: "website"}
	s.Of, s.Home, s.Lang = v.event.Name, address(v.home(), v.carried), v.Tag
	s.When = v.when()
	s.Description = store.Joined(title, v.event.Name, s.When) // a page may replace this
	s.Links, s.Foot = v.menu()
	s.Look = v.path("look.css") + "?v=" + page.StylesVersion(v.styles)
	s.Logo = look.Logo.Path(v.look)
	if v.embed != nil {
		s.Embedded = true
		if v.previewed != nil && v.previewed.styles != "" {
			s.Look = v.previewed.styles
		} else if v.embed.Accent != "" {
			s.Look = "/embeds/" + v.embed.ID + "/look.css?v=" + page.StylesVersion(v.styles)
		}
		if v.embed.Ground != embed.Auto {
			s.Theme = string(v.embed.Ground)
		}
		return s
	}
	if v.agenda != nil {
		s.Changed = v.head().Changed(v.agenda.Changed())
	}
	if hasFeeds(v.agenda) {
		s.Alternates = []layouts.Alternate{
			{Type: "text/calendar", Title: v.T("frame.calendar"), URL: v.path("calendar.ics")},
			{Type: "application/xml", Title: "schedule.xml", URL: v.path("schedule.xml")},
			{Type: "application/json", Title: "schedule.json", URL: v.path("schedule.json")},
		}
	}
	v.pictured(&s, v.pictureOfStart())
	return s
}

// head returns what the head and foot need.
func (v *visit) head() page.Head {
	return page.Head{Language: v.Language, Event: v.event, Look: v.look, IsPublic: v.agenda != nil, To: v.to,
		Shown: v.route.page}
}

// when says when the event is, and where.
func (v *visit) when() string {
	var days string
	if v.event.StartsOn == nil && v.agenda != nil && len(v.agendaDays()) > 0 {
		days = v.Days(page.Date(v.days[0]), page.Date(v.days[len(v.days)-1]))
	}
	return v.head().When(days)
}

// menu returns the links to the pages that exist.
func (v *visit) menu() (links, foot []layouts.SiteLink) {
	h := v.head()
	links, foot = h.Menu()
	if h.HasCall(store.At(v.s.Now())) {
		h.To = v.toCall
		links = append(links, h.CallLink())
	}
	return links, foot
}

// call returns the phase of the call for papers.
func (v *visit) call() call.Phase {
	return call.Dates(v.event).Phase(store.At(v.s.Now()))
}

// toCall returns the address of a page of the call, with the language that was chosen.
func (v *visit) toCall(at string) string {
	return address(v.path(at), v.inLanguage())
}

// inLanguage returns the language of the address as a query, empty if it has none.
func (v *visit) inLanguage() url.Values {
	query := url.Values{}
	if chosen := v.carried.Get("lang"); chosen != "" {
		query.Set("lang", chosen)
	}
	return query
}
