package gallery

import (
	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/views/components"
	pages "lectern/views/pages/call"
	public "lectern/views/pages/call/public"
)

// callHead returns the top of all pages of a call.
func callHead(current string) pages.Top {
	h := pages.Top{Shell: in("Call for papers"), Base: here, Public: here, MayChange: true,
		Says: "Open until 1 March 2027, 23:59 Lisbon. 9 questions."}
	for _, name := range []string{"Form", "When it is open", "Texts and limits", "Access codes", "Preview"} {
		h.Tabs = append(h.Tabs, components.Tab{Name: name, URL: here, Current: name == current})
	}
	return h
}

// call adds the pages on which staff build the form of a call.
func (s *shelf) call() {
	of(s, "Call", "Call for papers", pages.Empty).
		is("none yet", pages.EmptyPage{Base: here, MayChange: true, Copies: true})
	of(s, "Call form", "Call for papers", pages.Call).worded(builder).
		is("faults", builder(plain), "title", "must not be empty")
	of(s, "Call part", "", pages.PartForm).worded(func(w words) pages.PartPage {
		return pages.PartPage{Shell: in(w.label), Base: here, Cancel: here, Removable: true,
			Edit: edit("title", w.label, "help", w.text)}
	}).is("conflict", pages.PartPage{Shell: in("Practical"), Edit: clashing})
	s.callQuestions()
	texts := func(w words) pages.TextsPage {
		return pages.TextsPage{Top: callHead("Texts and limits"),
			Edit: edit("heading", w.title, "welcome", w.html, "agreement", w.text, "max_speakers", "3",
				"questions_to", w.email, "answers_on", "2027-03-29")}
	}
	s.callWindow()
	late := texts(plain)
	late.Edit = clashing
	of(s, "Call texts", "Call for papers", pages.TextsForm).worded(texts).is("conflict", late).
		is("faults", texts(plain), "max_total", "must be a whole number", "welcome", "is too long", "agreement",
			"is too long",
			"cfp_closes_at", "must be after the opening")
	s.callCodes()
	s.inStead()
	of(s, "Call preview", "Call for papers", pages.Preview).worded(func(w words) pages.PreviewPage {
		return pages.PreviewPage{Top: callHead("Preview"), Heading: w.title, Welcome: w.html, Success: w.html,
			Agreement: w.text, Parts: askedForm(w)}
	})
	of(s, "Copy a form", "Copy a form", pages.Copy).is("replaces one",
		pages.CopyPage{Base: here, Replaces: true, Events: option("Tideline 2026", "Tideline 2025")})
}

func builder(w words) pages.Page {
	row := func(id string, facts ...string) pages.Row {
		return pages.Row{ID: id, Label: w.title, Facts: facts}
	}
	depends, broken := row("4", "Text", "up to 40 words", "required"), row("5", "One of several choices",
		"5 choices", "optional")
	depends.Only = "you choose Workshop"
	broken.Only, broken.Broken = "you choose what is no longer offered",
		"Asked of nobody: the answer to “Format” that it depends on is gone."
	title := pages.Row{ID: "1", Label: "Title", Facts: []string{"Text", "required"}, Fixed: true}
	return pages.Page{Top: callHead("Form"), Copies: true,
		Parts: []pages.FormPart{{ID: "a", Title: w.label, Help: w.text, Rows: []pages.Row{title,
			row("2", "The description of the submission", "up to 300 words", "required"), depends, broken}},
			{ID: "b", Title: "Practical"}},
		Lacking: []pages.Lacking{{Standard: "level", Label: "Level", About: "One of the event’s levels"}},
		Removed: []pages.Removed{{ID: "9", Label: w.title, Key: "been_here_before"}}}
}

func (s *shelf) callQuestions() {
	ticks := []components.Option{{Value: "1", Name: "Talk"}, {Value: "2", Name: "Workshop", Chosen: true}}
	page := func(w words) pages.QuestionPage {
		return pages.QuestionPage{Shell: in(w.title), Action: here, Cancel: here, Key: "been_here_before",
			Answers: "14 answers", Edit: edit("label", w.title, "help", w.text, "required", "no", "seen_by", "reviewers",
				"unit", "words"),
			Types: []components.Option{{Value: "text", Name: "Text"}, {Value: "choice", Name: "One of several choices",
				Chosen: true}},
			Parts: option(w.label, "Practical"), Kinds: option("PDF", "Picture"), Formats: ticks, Tracks: ticks,
			Offers: []pages.Offer{{Value: w.label, Note: w.place, Limit: "3", Uses: "14 answers"}, {}, {}},
			After:  []pages.After{{Label: w.title, Answers: ticks}}}
	}
	rows, text, late := page(plain), page(plain), page(plain)
	rows.Standard, rows.FromRows, rows.RowsURL, rows.Key = "format", true, here, ""
	rows.Offers = []pages.Offer{{Value: "1", Name: "Talk", Note: "With five minutes for questions",
		Offered: true}, {Value: "2", Name: "Workshop"}}
	text.New, text.Key, text.Answers, text.Broken = true, "", "", "Asked of nobody: the answer to “Format” is gone."
	text.Types = []components.Option{{Value: "text", Name: "Text", Chosen: true}, {Value: "choice",
		Name: "One of several choices"}}
	late.Edit = clashing
	of(s, "Call question", "", pages.Question).worded(page).is("tracks or formats", rows).is("new",
		text).is("conflict", late).
		is("faults", page(plain), "label", "must not be empty", "options", "must not be empty", "options[0]",
			"is there twice",
			"answers", "names answers to two questions; leave those to one", "max_words", "must be a whole number",
			"formats", "name a format that this event has no more", "file_kinds", "names one that there is not",
			"max_bytes", "must be 1 to 20 MB")
}

func (s *shelf) callCodes() {
	of(s, "Access codes", "Call for papers", pages.Codes).worded(func(w words) pages.CodesPage {
		return pages.CodesPage{Top: callHead("Access codes"), Codes: []pages.Code{
			{ID: "1", Code: "LATE-BIRDS", URL: "https://example.org/events/h/call?code=LATE-BIRDS", Note: w.text,
				Uses: "2 of 3", Until: "Any time"},
			{ID: "2", Code: "KEY-NOTE", URL: "https://example.org/events/h/call?code=KEY-NOTE", Note: w.person,
				Uses: "1 of 1", Over: "Used up"}}}
	}).is("none", pages.CodesPage{Top: callHead("Access codes")}).
		is("faults", pages.CodesPage{Top: callHead("Access codes"), Edit: edit("code", "a b"),
			Twice: twice},
			"code", "must be 4 to 40 letters, digits and hyphens", "expires_at", "must be in the future")
	of(s, "Access code", "The code LATE-BIRDS", pages.CodeEdit).
		is("edited", pages.CodePage{Action: here, Cancel: here, Edit: edit("note", plain.text, "max_uses", "3")}).
		is("conflict", pages.CodePage{Edit: clashing})
}

// askedForm returns a form with a question of each kind, some of them answered wrongly.
func askedForm(w words) []public.PartView {
	minutes := func(n int) *int { return &n }
	f := &call.Form{Rows: []*models.Metadata{
		{ID: "1", Family: models.Formats, Name: "Talk", DefaultMinutes: minutes(25)},
		{ID: "2", Family: models.Formats, Name: "Workshop", DefaultMinutes: minutes(90)},
		{ID: "3", Family: models.Tracks, Name: w.label}, {ID: "4", Family: models.Tracks, Name: "Systems"}, {ID: "5",
			Family: models.Tracks, Name: "People"},
		{ID: "6", Family: models.Tracks, Name: "Design"}, {ID: "7", Family: models.Tracks, Name: "Safety"}},
		Parts: []*call.Part{{ID: "1", Title: w.label, Help: w.text, Questions: []*call.Question{
			{Key: "title", Standard: call.Title, Type: field.Text, Label: "Title", Help: w.text, Required: call.Required,
				MaxLength: minutes(100)},
			{Key: "description", Standard: call.Description, Type: field.LongText, Label: "Abstract",
				Required: call.Required, MaxWords: minutes(10)},
			{Key: "format", Standard: call.Format, Type: field.Choice, Label: "Format", Required: call.Required,
				Options: []call.Choice{{Value: "1", Note: w.place}, {Value: "2", Note: "Up to 24 people"}}},
			{ID: "b", Key: "bring", Type: field.Text, Label: "What do people need to bring?", Required: call.Required,
				MaxWords: minutes(40),
				AskedIf:  call.Condition{Formats: []string{"2"}}},
			{Key: "track", Standard: call.Track, Type: field.Choice, Label: "Track", Required: call.Required},
		}}, {ID: "2", Title: "Practical", Questions: []*call.Question{
			{ID: "r", Key: "record", Type: field.YesNo, Label: "May we record the session?", Required: call.Optional},
			{ID: "h", Key: "help", Type: field.Choices, Label: w.title, Required: call.Optional,
				Options: []call.Choice{{Value: w.label}, {Value: "A bed", Note: w.text}}},
			{ID: "d", Key: "deck", Type: field.File, Label: "Slides", Required: call.Later, FileKinds: []call.FileKind{"pdf"}},
			{ID: "w", Key: "when", Type: field.Date, Label: "First given on", Required: call.Optional},
		}}}}
	v := call.Values{"title": w.title, "description": w.text, "format": "2", "bring": w.label, "record": field.Yes}
	return public.Parts(f, v, f.Unfinished(v), map[string]*models.File{"deck": {Name: "harbour.pdf"}})
}

// callWindow adds the page that says when a call is open.
func (s *shelf) callWindow() {
	window := func() pages.WindowPage {
		return pages.WindowPage{Top: callHead("When it is open"), Zone: "Europe/Lisbon, where it is 14:02 now",
			OpensTwice: twice, Edit: edit("cfp_opens_at", "2027-10-31T01:30"), Turn: "Open now", TurnAt: here,
			TurnText: "Nothing comes in yet."}
	}
	looking, late := window(), window()
	looking.MayChange, late.Edit = false, clashing
	of(s, "Call window", "Call for papers", pages.WindowForm).is("plain", window()).is("looked at", looking).
		is("conflict", late).is("faults", window(), "cfp_closes_at", "must be after cfp_opens_at")
}
