package gallery

import (
	"github.com/a-h/templ"

	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/records"
	"lectern/views/toolbar"
)

// part is a page that shows single components.
type part struct {
	layouts.Shell
	words
}

func (s *shelf) parts() {
	add := func(page string, show func(layouts.Shell, words) templ.Component) stage[part] {
		return of(s, page, page, func(p part) templ.Component { return show(p.Shell, p.words) }).
			worded(func(w words) part { return part{words: w} })
	}
	add("Badges and notices", badges)
	add("Fields", fields).is("faults", part{words: plain}, "name", "must not be empty",
		"email", "is no e-mail address", "password", "is too short", "about", "is too long", "track", "was deleted",
		"closes_at", "comes twice that night in Europe/Lisbon, because the clocks go back; say which one is meant",
		"scopes", "must not be empty")
	of(s, "Fields", "One fault", func(p outside) templ.Component { return faulty(p.Page) }).
		is("one fault", outside{}, "", "That did not work.")
	add("Around a list", listsOf)
	add("Fields by their types", func(shell layouts.Shell, w words) templ.Component {
		return definedFields(shell, asked(w))
	})
}

// edit returns a form by the names of its fields and their values, and clashing is one that somebody else's change met.
func edit(pairs ...string) components.Edit {
	e := components.Edit{Values: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		e.Values[pairs[i]] = pairs[i+1]
	}
	return e
}

var clashing = components.Edit{Conflict: new(conflict(plain))}

func conflict(w words) components.Conflict {
	return components.Conflict{
		Who: w.person + " changed Name and Colour 2 minutes ago", Action: here, Discard: here,
		Clashes: []components.Clash{
			{Name: "title", Label: "Title", Mine: "1", Theirs: "2", MineShown: w.title, TheirsShown: w.text},
			{Name: "room", Label: "Room", Mine: "1", Theirs: "", MineShown: w.place, Untouched: true},
		},
	}
}

func savedViews(w words) toolbar.SavedViews {
	return toolbar.SavedViews{
		Base: here, Name: w.label, Open: true,
		Views: []toolbar.SavedView{{Name: w.label, URL: here, Delete: here, Current: true},
			{Name: "To decide", URL: here, Shared: true}},
	}
}

func happenings(w words) []records.Happening {
	return []records.Happening{
		{When: "2 minutes ago", Who: w.person, What: "changed",
			Changes: []records.FieldChange{{Field: "Title", Before: w.title, After: w.text}, {Field: "Room", After: w.place}}},
		{When: "20 May 2027", Who: "Website key", What: "created"},
	}
}

// Values that several examples share.
var (
	twice = option("The first, 01:30 WEST", "The second, 01:30 WET")
	code  = components.QRCode{Size: 21, Path: "M0 0h7v7h-7zM14 0h7v7h-7zM0 14h7v7h-7zM9 9h3v3h-3z"}
)

const longAddress = "2001:db8:1234:5678:9abc:def0:1234:5678"
