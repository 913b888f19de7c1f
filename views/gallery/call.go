package gallery

import (
	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/views/components"
	"lectern/views/pages/call"
	public "lectern/views/pages/cfp"
)

// callHead returns the top of all pages of a call.
func callHead(current string) call.Top {
	h := call.Top{Shell: in("Call for papers"), Base: here, Public: here, MayChange: true,
		Says: "Open until 1 March 2027, 23:59 Lisbon. 9 questions."}
	for _, name := range []string{"Form", "When it is open", "Texts and limits", "Access codes", "Preview"} {
		h.Tabs = append(h.Tabs, components.Tab{Name: name, URL: here, Current: name == current})
	}
	return h
}

// call adds the pages on which staff build the form of a call.
func (s *shelf) call() {
	of(s, "Call", "Call for papers", call.Empty).
		is("none yet", call.EmptyPage{Base: here, MayChange: true, Copies: true})
	of(s, "Call form", "Call for papers", call.Call).worded(builder).
		is("faults", builder(plain), "title", "must not be empty")
	of(s, "Call part", "", call.PartForm).worded(func(w words) call.PartPage {
		return call.PartPage{Shell: in(w.label), Base: here, Cancel: here, Removable: true,
			Edit: edit("title", w.label, "help", w.text)}
	}).is("conflict", call.PartPage{Shell: in("Practical"), Edit: clashing})
	s.callQuestions()
	texts := func(w words) call.TextsPage {
		return call.TextsPage{Top: callHead("Texts and limits"),
			Edit: edit("heading", w.title, "welcome", w.html, "agreement", w.text, "max_speakers", "3",
				"questions_to", w.email, "answers_on", "2027-03-29")}
	}
	s.callWindow()
	late := texts(plain)
	late.Edit = clashing
	of(s, "Call texts", "Call for papers", call.TextsForm).worded(texts).is("conflict", late).
		is("faults", texts(plain), "max_total", "must be a whole number", "welcome", "is too long", "agreement",
			"is too long",
			"cfp_closes_at", "must be after the opening")
	s.callCodes()
	s.inStead()
	of(s, "Call preview", "Call for papers", call.Preview).worded(func(w words) call.PreviewPage {
		return call.PreviewPage{Top: callHead("Preview"), Heading: w.title, Welcome: w.html, Success: w.html,
			Agreement: w.text, Parts: askedForm(w)}
	})
	of(s, "Copy a form", "Copy a form", call.Copy).is("replaces one",
		call.CopyPage{Base: here, Replaces: true, Events: option("Tideline 2026", "Tideline 2025")})
}

func builder(w words) call.Page {
	row := func(id string, facts ...string) call.Row {
		return call.Row{ID: id, Label: w.title, Facts: facts}
	}
	depends, broken := row("4", "Text", "up to 40 words", "required"), row("5", "One of several choices",
		"5 choices", "optional")
	depends.Only = "you choose Workshop"
	broken.Only, broken.Broken = "you choose what is no longer offered",
		"Asked of nobody: the answer to “Format” that it depends on is gone."
	title := call.Row{ID: "1", Label: "Title", Facts: []string{"Text", "required"}, Fixed: true}
	return call.Page{Top: callHead("Form"), Copies: true,
		Parts: []call.FormPart{{ID: "a", Title: w.label, Help: w.text, Rows: []call.Row{title,
			row("2", "The description of the submission", "up to 300 words", "required"), depends, broken}},
			{ID: "b", Title: "Practical"}},
		Lacking: []call.Lacking{{Standard: "level", Label: "Level", About: "One of the event’s levels"}},
		Removed: []call.Removed{{ID: "9", Label: w.title, Key: "been_here_before"}}}
}

func (s *shelf) callQuestions() {
	ticks := []components.Option{{Value: "1", Name: "Talk"}, {Value: "2", Name: "Workshop", Chosen: true}}
	page := func(w words) call.QuestionPage {
		return call.QuestionPage{Shell: in(w.title), Action: here, Cancel: here, Key: "been_here_before",
			Answers: "14 answers", Edit: edit("label", w.title, "help", w.text, "required", "no", "seen_by", "reviewers",
				"unit", "words"),
			Types: []components.Option{{Value: "text", Name: "Text"}, {Value: "choice", Name: "One of several choices",
				Chosen: true}},
			Parts: option(w.label, "Practical"), Kinds: option("PDF", "Picture"), Formats: ticks, Tracks: ticks,
			Offers: []call.Offer{{Value: w.label, Note: w.place, Limit: "3", Uses: "14 answers"}, {}, {}},
			After:  []call.After{{Label: w.title, Answers: ticks}}}
	}
	rows, text, late := page(plain), page(plain), page(plain)
	rows.Standard, rows.FromRows, rows.RowsURL, rows.Key = "format", true, here, ""
	rows.Offers = []call.Offer{{Value: "1", Name: "Talk", Note: "With five minutes for questions",
		Offered: true}, {Value: "2", Name: "Workshop"}}
	text.New, text.Key, text.Answers, text.Broken = true, "", "", "Asked of nobody: the answer to “Format” is gone."
	text.Types = []components.Option{{Value: "text", Name: "Text", Chosen: true}, {Value: "choice",
		Name: "One of several choices"}}
	late.Edit = clashing
	of(s, "Call question", "", call.Question).worded(page).is("tracks or formats", rows).is("new",
		text).is("conflict", late).
		is("faults", page(plain), "label", "must not be empty", "options", "must not be empty", "options[0]",
			"is there twice",
			"answers", "names answers to two questions; leave those to one", "max_words", "must be a whole number",
			"formats", "name a format that this event has no more", "file_kinds", "names one that there is not",
			"max_bytes", "must be 1 to 20 MB")
}

func (s *shelf) callCodes() {
	of(s, "Access codes", "Call for papers", call.Codes).worded(func(w words) call.CodesPage {
		return call.CodesPage{Top: callHead("Access codes"), Codes: []call.Code{
			{ID: "1", Code: "LATE-BIRDS", URL: "https://example.org/events/h/call?code=LATE-BIRDS", Note: w.text,
				Uses: "2 of 3", Until: "Any time"},
			{ID: "2", Code: "KEY-NOTE", URL: "https://example.org/events/h/call?code=KEY-NOTE", Note: w.person,
				Uses: "1 of 1", Over: "Used up"}}}
	}).is("none", call.CodesPage{Top: callHead("Access codes")}).
		is("faults", call.CodesPage{Top: callHead("Access codes"), Edit: edit("code", "a b"),
			Twice: twice},
			"code", "must be 4 to 40 letters, digits and hyphens", "expires_at", "must be in the future")
	of(s, "Access code", "The code LATE-BIRDS", call.CodeEdit).
		is("edited", call.CodePage{Action: here, Cancel: here, Edit: edit("note", plain.text, "max_uses", "3")}).
		is("conflict", call.CodePage{Edit: clashing})
}

// askedForm returns a form with a question of each kind, some of them answered wrongly.
func askedForm(w words) []public.PartView {
	minutes := func(n int) *int { return &n }
	f := &cfp.Form{Rows: []*models.Metadata{
		{ID: "1", Family: models.Formats, Name: "Talk", DefaultMinutes: minutes(25)},
		{ID: "2", Family: models.Formats, Name: "Workshop", DefaultMinutes: minutes(90)},
		{ID: "3", Family: models.Tracks, Name: w.label}, {ID: "4", Family: models.Tracks, Name: "Systems"}, {ID: "5",
			Family: models.Tracks, Name: "People"},
		{ID: "6", Family: models.Tracks, Name: "Design"}, {ID: "7", Family: models.Tracks, Name: "Safety"}},
		Parts: []*cfp.Part{{ID: "1", Title: w.label, Help: w.text, Questions: []*cfp.Question{
			{Key: "title", Standard: cfp.Title, Type: field.Text, Label: "Title", Help: w.text, Required: cfp.Required,
				MaxLength: minutes(100)},
			{Key: "description", Standard: cfp.Description, Type: field.LongText, Label: "Abstract",
				Required: cfp.Required, MaxWords: minutes(10)},
			{Key: "format", Standard: cfp.Format, Type: field.Choice, Label: "Format", Required: cfp.Required,
				Options: []cfp.Choice{{Value: "1", Note: w.place}, {Value: "2", Note: "Up to 24 people"}}},
			{ID: "b", Key: "bring", Type: field.Text, Label: "What do people need to bring?", Required: cfp.Required,
				MaxWords: minutes(40),
				AskedIf:  cfp.Condition{Formats: []string{"2"}}},
			{Key: "track", Standard: cfp.Track, Type: field.Choice, Label: "Track", Required: cfp.Required},
		}}, {ID: "2", Title: "Practical", Questions: []*cfp.Question{
			{ID: "r", Key: "record", Type: field.YesNo, Label: "May we record the session?", Required: cfp.Optional},
			{ID: "h", Key: "help", Type: field.Choices, Label: w.title, Required: cfp.Optional,
				Options: []cfp.Choice{{Value: w.label}, {Value: "A bed", Note: w.text}}},
			{ID: "d", Key: "deck", Type: field.File, Label: "Slides", Required: cfp.Later, FileKinds: []cfp.FileKind{"pdf"}},
			{ID: "w", Key: "when", Type: field.Date, Label: "First given on", Required: cfp.Optional},
		}}}}
	v := cfp.Values{"title": w.title, "description": w.text, "format": "2", "bring": w.label, "record": field.Yes}
	return public.Parts(f, v, f.Unfinished(v), map[string]*models.File{"deck": {Name: "harbour.pdf"}})
}

// callWindow adds the page that says when a call is open.
func (s *shelf) callWindow() {
	window := func() call.WindowPage {
		return call.WindowPage{Top: callHead("When it is open"), Zone: "Europe/Lisbon, where it is 14:02 now",
			OpensTwice: twice, Edit: edit("cfp_opens_at", "2027-10-31T01:30"), Turn: "Open now", TurnAt: here,
			TurnText: "Nothing comes in yet."}
	}
	looking, late := window(), window()
	looking.MayChange, late.Edit = false, clashing
	of(s, "Call window", "Call for papers", call.WindowForm).is("plain", window()).is("looked at", looking).
		is("conflict", late).is("faults", window(), "cfp_closes_at", "must be after cfp_opens_at")
}
