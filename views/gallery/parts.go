package gallery

import (
	"github.com/a-h/templ"

	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages"
)

func (s *shelf) parts() {
	s.worded("Badges and notices", func(p layouts.Page, w words) templ.Component {
		return badges(shell(p, "Badges and notices", w), w)
	})
	s.worded("Fields", func(p layouts.Page, w words) templ.Component { return fields(shell(p, "Fields", w), w) })
	s.add("Fields", "faults", func(p layouts.Page) templ.Component {
		return fields(shell(p, "Fields", plain, components.Fault{Field: "name", Message: "must not be empty"},
			components.Fault{Field: "email", Message: "is no e-mail address"},
			components.Fault{Field: "password", Message: "is too short"},
			components.Fault{Field: "about", Message: "is too long"}, components.Fault{Field: "track", Message: "was deleted"},
			components.Fault{Field: "closes_at",
				Message: "comes twice that night in Europe/Lisbon, because the clocks go back; say which one is meant"},
			components.Fault{Field: "scopes", Message: "must not be empty"}), plain)
	})
	s.add("Fields", "one fault", func(p layouts.Page) templ.Component {
		return faulty(plainPage(p, "One fault", components.Fault{Message: "That did not work."}))
	})
	s.worded("Around a list", func(p layouts.Page, w words) templ.Component {
		return lists(shell(p, "Around a list", w), w)
	})
}

func conflict(w words) components.Conflict {
	return components.Conflict{
		Who: w.person + " changed Name and Colour 2 minutes ago", Action: "/design", Discard: "/design",
		Clashes: []components.Clash{
			{Name: "title", Label: "Title", Mine: "1", Theirs: "2", MineShown: w.title, TheirsShown: w.text},
			{Name: "room", Label: "Room", Mine: "1", Theirs: "", MineShown: w.place, Untouched: true},
		},
	}
}

func savedViews(w words) pages.SavedViews {
	return pages.SavedViews{
		Base: "/design", Name: w.label, Open: true,
		Views: []pages.SavedView{{Name: w.label, URL: "/design", Delete: "/design", Current: true},
			{Name: "To decide", URL: "/design", Shared: true}},
	}
}

func happenings(w words) []pages.Happening {
	return []pages.Happening{
		{When: "2 minutes ago", Who: w.person, What: "changed",
			Changes: []pages.FieldChange{{Field: "Title", Before: w.title, After: w.text}, {Field: "Room", After: w.place}}},
		{When: "20 May 2027", Who: "Website key", What: "created"},
	}
}
