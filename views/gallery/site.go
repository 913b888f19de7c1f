package gallery

import (
	"lectern/views/layouts"
	"lectern/views/pages/site"
	catalogue "lectern/views/words"
)

// siteSheet returns the frame of a public page.
func siteSheet(title string) layouts.Site {
	s := layouts.Site{Language: catalogue.English(), When: "10–11 June 2027", Changed: "Saturday 3 May, 10:58",
		Links: []layouts.SiteLink{{Name: "Agenda", URL: here, Current: true}, {Name: "Speakers", URL: here},
			{Name: "Call for papers", URL: here}},
		Languages: []layouts.SiteLink{{Name: "English", Lang: "en", URL: here, Current: true}, {Name: "Deutsch", Lang: "de",
			URL: here}},
		Foot: []layouts.SiteLink{{Name: "schedule.json", URL: here}}}
	s.Title, s.Of, s.Home = title, "Tidvann 2027", here
	return s
}

// site adds the public pages.
func (s *shelf) site() {
	public := siteSheet("What changed")
	of(s, "Changes of the agenda", "What changed", site.Changes).
		is("empty", site.ChangesPage{Site: public, Nothing: "The agenda of this event has not been released yet."}).
		is("unreleased", site.ChangesPage{Site: public, Calendar: here,
			Nothing: public.T("changes.unreleased")}).
		worded(func(w words) site.ChangesPage {
			return site.ChangesPage{Site: public, Calendar: here, Zones: site.Zones{Here: "Bergen, CEST"},
				Versions: []site.Version{
					{ID: "version-2", Name: w.label, Released: "Released on 3 May 2027, 10:12", Note: w.text, Parts: []site.Part{
						{Name: "Cancelled", Changes: []site.Change{{Title: w.title, Number: "S-4", People: w.person, Was: "Thu 10 June, 14:00 to 14:40"}}},
						{Name: "Moved", Changes: []site.Change{{Title: w.title, Number: "S-12", People: w.person,
							Was: "Thu 10 June, 9:30 to 10:10, Main hall", Is: "Fri 11 June, 9:30 to 10:10, Studio", WasTitle: w.title}}},
					}},
					{ID: "version-1", Name: "The first one", Released: "Released on 20 April 2027, 18:00", First: true},
				}}
		})
}
