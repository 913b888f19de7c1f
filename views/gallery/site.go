package gallery

import "lectern/views/pages/site"

// site are the pages for everybody.
func (s *shelf) site() {
	public := eventSheet("")
	public.ZoneTo = ""
	of(s, "Changes of the agenda", "What changed", site.Changes).
		is("empty", site.ChangesPage{Public: public, Nothing: "The agenda of this event has not been released yet."}).
		worded(func(w words) site.ChangesPage {
			return site.ChangesPage{Public: public, Calendar: here, Versions: []site.Version{
				{ID: "version-2", Name: w.label, Released: "Released on 3 May 2027, 10:12", Note: w.text, Parts: []site.Part{
					{Name: "Cancelled", Changes: []site.Change{{Title: w.title, Number: "S-4", People: w.person, Was: "Thu 10 June, 14:00 to 14:40"}}},
					{Name: "Moved", Changes: []site.Change{{Title: w.title, Number: "S-12", People: w.person,
						Was: "Thu 10 June, 9:30 to 10:10, Main hall", Is: "Fri 11 June, 9:30 to 10:10, Studio", WasTitle: w.title}}},
				}},
				{ID: "version-1", Name: "The first one", Released: "Released on 20 April 2027, 18:00", First: true},
			}}
		})
}
