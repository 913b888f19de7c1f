package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/call/public"
	"lectern/views/pages/revisions"
)

// revisions adds the pages of speakers' changes to approved content.
func (s *shelf) revisions() {
	of(s, "Revisions", "Revisions", revisions.Revisions).
		worded(func(w words) revisions.Page {
			return revisions.Page{Shell: in("Revisions"), Action: here, Asks: true, Rows: []revisions.Revision{revised(w), portrayed(w)},
				Pages: pager}
		}).
		is("empty", revisions.Page{Shell: in("Revisions"), Asks: true}).
		is("not asked for", revisions.Page{Shell: in("Revisions"), Settings: here})
	of(s, "Revision", "Revision of "+plain.title, revisions.One).
		worded(func(w words) revisions.OnePage {
			return revisions.OnePage{Shell: in("Revision of " + w.title), Row: revised(w), Base: here, Next: here}
		}).
		is("of a person", revisions.OnePage{Shell: in("Revision of " + plain.person), Row: portrayed(plain), Base: here}).
		is("words too long", revisions.OnePage{Shell: in("Revision of " + plain.title), Row: revised(plain), Base: here, Words: plain.text},
			"words", "may have up to 4000 characters")
}

// texts adds the form in which speakers change a session's text.
func (s *shelf) texts() {
	of(s, "Text of a session", "Change title or description", public.Text).
		worded(sessionText).
		is("without a title", sessionText(plain), "title", "must not be empty").
		is("two edits", public.TextPage{Public: eventSheet(plain.person), Back: here, Conflict: new(conflict(plain))})
}

// revised returns a revision of a session.
func revised(w words) revisions.Revision {
	return revisions.Revision{ID: "1", URL: here, Seen: "1.1", Name: w.title, Label: "S-12", OwnerURL: here, Author: w.person, AuthorURL: here,
		When: "Mon 2 Nov 2026, 10:00 CET", Parts: []revisions.Part{
			{Name: "Title", Difference: []components.Passage{{Pieces: []components.Piece{piece(components.Kept, w.label+" "),
				piece(components.Deleted, w.label), piece(components.Inserted, w.title)}}}},
			{Name: "Description", Difference: []components.Passage{{Alike: 2}, {Pieces: []components.Piece{piece(components.Kept, w.text+" "),
				piece(components.Inserted, w.text)}}}}}}
}

// portrayed returns a revision of a person whose photo changes too.
func portrayed(w words) revisions.Revision {
	r := revised(w)
	r.ID, r.Name, r.Label = "2", w.person, ""
	r.Parts = []revisions.Part{{Name: "Biography", Marked: true}}
	r.PhotoWas, r.Ticked = "/static/icon.svg", true
	return r
}

func sessionText(w words) public.TextPage {
	return public.TextPage{Public: eventSheet(w.person), Action: here, Back: here, Lede: "The organizers approved this text.",
		Titled: components.Field{Name: "title", Label: "Title", Value: w.title},
		Text:   components.Field{Name: "description", Label: "Description", Value: w.text},
		Waits:  "Your change waits for the organizers. Until they accept it, everybody sees what they approved."}
}
