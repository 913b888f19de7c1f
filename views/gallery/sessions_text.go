package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/sessions"
	"lectern/views/records"
)

func (s *shelf) versions() {
	page := func(w words, change func(*sessions.VersionsPage)) sessions.VersionsPage {
		p := sessions.VersionsPage{
			Shell: in("Versions of the text"), Record: records.Record{Name: "A-12 " + w.title, URL: here}, Action: here,
			Newest: "4", Older: true, Versions: []sessions.Version{
				{ID: "4", When: "Thu 20 May 2027, 10:20 WEST", Who: w.person, Did: "changed the title and the description",
					Title: []components.Passage{{Pieces: []components.Piece{piece(components.Kept, w.label+" "),
						piece(components.Deleted, w.label), piece(components.Inserted, w.title)}}},
					Text: []components.Passage{{Alike: 1}, {Pieces: []components.Piece{piece(components.Kept, w.text+" "),
						piece(components.Deleted, w.text), piece(components.Inserted, w.text), piece(components.Kept, ".")}},
						{Pieces: []components.Piece{piece(components.Inserted, w.text)}}, {Alike: 12}}},
				{ID: "3", When: "Wed 19 May 2027, 18:02 WEST", Who: "Li", Did: "changed the description", Marked: true},
				{ID: "2", When: "Wed 19 May 2027, 18:00 WEST", Who: "API key “Website”", Did: "wrote it first",
					First: &sessions.FirstText{Title: w.title, Description: w.html}},
			},
		}
		change(&p)
		return p
	}
	of(s, "Versions", "Versions of the text", sessions.Versions).
		worded(func(w words) sessions.VersionsPage { return page(w, func(*sessions.VersionsPage) {}) }).
		is("edited elsewhere, for a viewer", page(plain, func(p *sessions.VersionsPage) {
			p.Elsewhere, p.Action, p.Pages = records.Record{Name: "S-3 " + plain.title, URL: here}, "", pager
		}))
}

func piece(fate components.Fate, text string) components.Piece {
	return components.Piece{Fate: fate, Text: text}
}
