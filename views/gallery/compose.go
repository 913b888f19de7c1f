package gallery

import (
	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages/compose"
	"lectern/views/pages/sessions"
	"lectern/views/records"
)

// composition returns the page that makes a session of two submissions.
func composition(w words, change func(*compose.Page)) compose.Page {
	part := func(id, label string) compose.Part {
		return compose.Part{ID: id, Label: label, Title: w.title, By: w.person + ", Li", Status: "accepted", URL: here,
			Minutes: "20", Token: "1"}
	}
	people := func(id, from string) compose.Person {
		return compose.Person{ID: id, Name: w.person, Company: w.place, URL: here, From: from,
			Roles: option("Speaker", "Moderator", "Chairperson")}
	}
	p := compose.Page{
		Shell: in("Compose into session"), Action: here, Cancel: here, Was: "[]",
		Parts: []compose.Part{part("1", "A-3"), part("2", "A-17")},
		Titles: []compose.TextChoice{{Value: "1", Label: "A-3", Text: w.title, Chosen: true},
			{Value: "2", Label: "A-17", Text: "Queues that forget nothing"}},
		Texts: []compose.TextChoice{{Value: "1", Label: "A-3", Text: w.text, Chosen: true}, {Value: "2", Label: "A-17"},
			{Value: "all", Label: "All of them", Text: "One after the other, each under its title"}},
		People: []compose.Person{people("1", "A-3, A-17"), people("2", "A-17")},
		Found:  []compose.FoundPart{{ID: "4", Label: "A-20", Title: w.title, By: w.person}},
		Numbers: []compose.Effect{{Number: "2", Text: "parts"}, {Number: "40", Text: "minutes in all"},
			{Number: "2", Text: "people on it"}, {Number: "1", Text: "new session", Event: "session.created"}},
		Says: []string{"Each submission keeps its own text.",
			"Held back from the public until the letters of A-3 and A-17 are sent."},
		Verb: "Compose 2 submissions",
	}
	change(&p)
	return p
}

func (s *shelf) composition() {
	into := func(p *compose.Page) {
		p.Title, p.Into, p.Verb = "Parts of S-12", "12", "Compose 1 submission into S-12"
		p.Target, p.TargetWhen = records.Record{Label: "S-12", Name: plain.title, URL: here}, "Thu 20 May 2027, 09:30 to 10:30 WEST"
		p.Parts[0].Stays = true
		p.Titles = append([]compose.TextChoice{{Value: "session", Label: "S-12 keeps its own", Text: plain.title, Chosen: true}},
			p.Titles...)
		p.Titles[1].Chosen = false
		p.Collides, p.Same = collisions(plain), []string{plain.person}
	}
	of(s, "Compose", "Compose into session", compose.Compose).
		worded(func(w words) compose.Page { return composition(w, func(*compose.Page) {}) }).
		is("with searches", composition(plain, func(p *compose.Page) {
			p.Find, p.FindInto = "harbour", "queues"
			p.Found = append(p.Found, compose.FoundPart{ID: "5", Label: "A-21", Title: plain.title, By: plain.person,
				Problem: "is in the session S-3 already"})
			p.FoundInto = []compose.FoundPart{{ID: "12", Label: "S-12", Title: plain.title, By: "Thu 20 May 2027, 09:30 WEST"}}
		})).
		is("nothing chosen yet", composition(plain, func(p *compose.Page) {
			p.Parts, p.Titles, p.Texts, p.People, p.Says, p.Numbers = nil, nil, nil, nil, nil, p.Numbers[3:]
			p.Left = []compose.LeftOut{{Text: "A-3 “Queues that forget nothing” is in the session S-2, which is in the Trash.",
				Way: "Look at S-2 and restore it", URL: here}, {Text: "2 records are not there any more."}}
		})).
		is("conflict", composition(plain, func(p *compose.Page) {
			into(p)
			p.Who = "Li changed S-12"
			p.Parts[0].Became = "It was put into S-12 meanwhile."
			p.Parts[1].Became = "Noor composed it into S-4 meanwhile."
			p.Parts[1].Problem = "A-17 is in the session S-4 already. Take it out to go on."
		})).
		is("a typed text with faults", composition(plain, func(p *compose.Page) {
			p.Titles[0].Chosen, p.Texts[0].Chosen = false, false
			p.Typed.Description, p.Parts[0].Minutes = plain.html+"<script>x()</script>", "soon"
			p.Parts[0].Wrong = true
			p.Removed = removed(plain)
		}), "title", "must not be empty", "parts",
			"need whole minutes, 1 to 1440, or none: “soon” is neither")
	s.sharedText()
}

func removed(w words) *records.RemovedOnSave {
	return &records.RemovedOnSave{Sum: "1", Stays: w.html, Lost: []records.LostMarkup{{What: "A script."},
		{What: "2 links.", Detail: "javascript:alert('" + w.label + "')"}, {What: "Onclick of <p>, 3 times.", Detail: "go()"}}}
}

// sharedText adds the editor of a shared text, and the question before two texts are linked again.
func (s *shelf) sharedText() {
	page := func(w words, change func(*sessions.TextPage)) sessions.TextPage {
		p := sessions.TextPage{Shell: in("Edit the text of S-12"), Action: here,
			Record: records.Record{Label: "S-12", Name: "S-12 " + w.title, URL: here},
			Shared: records.Record{Label: "A-3", Name: "A-3 " + w.title, URL: here}, TitleText: w.title, Text: w.html}
		change(&p)
		return p
	}
	of(s, "Text", "Edit the text of S-12", sessions.TextEditor).
		worded(func(w words) sessions.TextPage { return page(w, func(*sessions.TextPage) {}) }).
		is("of one record, with faults", page(plain, func(p *sessions.TextPage) { p.Shared, p.TitleText = records.Record{}, "" }),
			"title", "must not be empty").
		is("removed on save", page(plain, func(p *sessions.TextPage) { p.Removed = removed(plain) })).
		is("conflict", page(plain, func(p *sessions.TextPage) {
			p.Conflict = &components.Conflict{Who: "Li changed Title 2 minutes ago", Clashes: []components.Clash{{Name: "title",
				Label: "Title", Mine: plain.title, Theirs: "Queues that forget nothing", MineShown: plain.title,
				TheirsShown: "Queues that forget nothing"}}}
		}))
	of(s, "Link again", "Link S-12 and A-3 again", sessions.LinkAgain).
		worded(func(w words) sessions.RelinkPage {
			words := []components.Passage{{Pieces: []components.Piece{{Fate: components.Deleted, Text: w.label},
				{Fate: components.Inserted, Text: w.title}}}}
			return sessions.RelinkPage{Shell: in("Link S-12 and A-3 again"), Action: here, Cancel: here, TitleWords: words, Words: words,
				Session: records.Record{Label: "S-12", Name: "S-12 " + w.title, URL: here},
				Source:  records.Record{Label: "A-3", Name: "A-3 " + w.title, URL: here}}
		})
}

// parts returns the submissions that a session is made of.
func parts(w words, linked string) *sessions.PartsPart {
	p := &sessions.PartsPart{Arrange: here, Detach: here, Relink: here, Linked: linked, Rows: []sessions.PartRow{
		{Label: "A-3", Title: w.title, By: w.person, Status: string(models.Accepted), URL: here, Minutes: "20 min", From: "09:30"},
	}}
	if linked == "" {
		p.Minutes = "20 min in all, and 1 part without minutes"
		p.Rows = append(p.Rows, sessions.PartRow{Label: "A-17", Title: "Queues that forget nothing", By: "Li, Noor",
			Status: string(models.Withdrawn), URL: here, From: "09:50"})
	}
	return p
}
