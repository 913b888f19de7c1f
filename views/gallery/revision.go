package gallery

import (
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/views/pages/cfp"
)

// revisions are the pages of what speakers changed of approved content.
func (s *shelf) revisions() {
	of(s, "Revisions", "Revisions", pages.Revisions).
		worded(func(w words) pages.RevisionsPage {
			return pages.RevisionsPage{Shell: in("Revisions"), Action: here, Asks: true, Rows: []pages.Revision{revised(w), portrayed(w)},
				Pages: pager}
		}).
		is("empty", pages.RevisionsPage{Shell: in("Revisions"), Asks: true}).
		is("not asked for", pages.RevisionsPage{Shell: in("Revisions"), Settings: here})
	of(s, "Revision", "Revision of "+plain.title, pages.RevisionOne).
		worded(func(w words) pages.RevisionPage {
			return pages.RevisionPage{Shell: in("Revision of " + w.title), Row: revised(w), Base: here, Next: here}
		}).
		is("of a person", pages.RevisionPage{Shell: in("Revision of " + plain.person), Row: portrayed(plain), Base: here}).
		is("words too long", pages.RevisionPage{Shell: in("Revision of " + plain.title), Row: revised(plain), Base: here, Words: plain.text},
			"words", "may have up to 4000 characters")
}

// texts are the form by which speakers change the text of a session.
func (s *shelf) texts() {
	of(s, "Text of a session", "Change title or description", cfp.Text).
		worded(func(w words) cfp.TextPage { return sessionText(w) }).
		is("without a title", sessionText(plain), "title", "must not be empty").
		is("two edits", cfp.TextPage{Public: eventSheet(plain.person), Back: here, Conflict: new(conflict(plain))})
}

// revised is a revision of a session.
func revised(w words) pages.Revision {
	return pages.Revision{ID: "1", URL: here, Seen: "1.1", Name: w.title, Label: "S-12", OwnerURL: here, Author: w.person, AuthorURL: here,
		When: "Mon 2 Nov 2026, 10:00 CET", Parts: []pages.RevisionPart{
			{Name: "Title", Difference: []components.Passage{{Pieces: []components.Piece{piece(components.Kept, w.label+" "),
				piece(components.Deleted, w.label), piece(components.Inserted, w.title)}}}},
			{Name: "Description", Difference: []components.Passage{{Alike: 2}, {Pieces: []components.Piece{piece(components.Kept, w.text+" "),
				piece(components.Inserted, w.text)}}}}}}
}

// portrayed is one of a person, whose photo changes too.
func portrayed(w words) pages.Revision {
	r := revised(w)
	r.ID, r.Name, r.Label = "2", w.person, ""
	r.Parts = []pages.RevisionPart{{Name: "Biography", Marked: true}}
	r.PhotoWas, r.Ticked = "/static/icon.svg", true
	return r
}

func sessionText(w words) cfp.TextPage {
	return cfp.TextPage{Public: eventSheet(w.person), Action: here, Back: here, Lede: "The organizers approved this text.",
		Titled: components.Field{Name: "title", Label: "Title", Value: w.title},
		Text:   components.Field{Name: "description", Label: "Description", Value: w.text},
		Waits:  "Your change waits for the organizers. Until they accept it, everybody sees what they approved."}
}
