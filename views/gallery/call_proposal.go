package gallery

import (
	"lectern/models"
	call "lectern/models/call"
	"lectern/models/field"
	"lectern/views/components"
	"lectern/views/pages/call/public"
)

var (
	closes = components.Moment{Day: "1 March 2027", Clock: "23:59", City: "Oslo", Instant: "2027-03-01T22:59:00.000Z",
		Known: true, Yours: "17:59"}
	opens = components.Moment{Day: "4 January 2027", Clock: "09:00", City: "Oslo", Instant: "2027-01-04T08:00:00.000Z",
		Known: true, Yours: "03:00"}
)

// landing returns the page of a call in a state.
func landing(w words, state string) public.LandingPage {
	p := public.LandingPage{Public: eventSheet(""), State: state, Heading: w.title, Welcome: w.html, Days: 3, Opens: &opens,
		Closes: &closes, Answers: "29 March 2027", Came: 148, Mine: here, CodeTo: here,
		Tracks:  []public.LandingTrack{{Name: w.label, Color: "#1F5A6E", Note: w.text}},
		Formats: []public.LandingFormat{{Name: "Talk", Minutes: 25, Note: w.text}, {Name: w.label, Minutes: 90, Full: true}}}
	switch call.Phase(state) {
	case call.IsOpen:
		p.Start, p.Dates = here, here
	case call.NotYet, call.IsFull:
		p.Dates = here
	}
	return p
}

// asks returns a form with a question of most kinds.
func asks(w words) *call.Form {
	return &call.Form{Settings: call.Settings{MaxSpeakers: 3},
		Rows: []*models.Metadata{{ID: "1", Family: models.Formats, Name: "Talk", DefaultMinutes: new(25)},
			{ID: "2", Family: models.Formats, Name: w.label, DefaultMinutes: new(90)}},
		Parts: []*call.Part{{Title: "Your session", Questions: []*call.Question{
			{Key: "title", Standard: call.Title, Type: field.Text, Label: "Title", Required: call.Required,
				MaxLength: new(100)},
			{Key: "description", Standard: call.Description, Type: field.LongText, Label: "Abstract", Help: w.text,
				Required: call.Required, MaxWords: new(80)},
			{Key: "format", Standard: call.Format, Type: field.Choice, Label: "Format", Required: call.Required}}},
			{Title: w.label, Help: w.text, Questions: []*call.Question{
				{ID: "b", Key: "bring", Type: field.Text, Label: "What do people bring?", Required: call.Required,
					AskedIf: call.Condition{Formats: []string{"2"}}},
				{ID: "s", Key: "slides", Type: field.File, Label: "Slides", Required: call.Optional},
				{ID: "r", Key: "record", Type: field.YesNo, Label: "May we record it?", Required: call.Optional}}}}}
}

func speakers(w words) public.PeopleView {
	return public.PeopleView{MayInvite: true, Most: "Up to 3 speakers.", Waiting: 1, Rows: []public.PersonView{
		{Name: w.person, About: "You", Look: "accepted", Icon: "check", State: "Profile filled"},
		{ID: "1", Name: w.person, About: w.email, Look: "pending", Icon: "clock", State: "Invited 25 Feb", IsWaiting: true,
			MayRemove: true}}}
}

// writing returns the form of a proposal.
func writing(w words, change func(*public.FormPage)) public.FormPage {
	form, v := asks(w), call.Values{"title": w.title, "description": w.text, "format": "2"}
	p := public.FormPage{Public: eventSheet(w.person), Action: here, SaveTo: here, Saved: "14:02", Closes: &closes, Days: 3,
		Account: "i…@sorlie.example", SendAgain: here, Own: here, People: speakers(w)}
	p.Faults = form.Unfinished(v)
	p.Parts = public.Parts(form, v, p.Faults, map[string]*models.File{"slides": {Name: w.label + ".pdf"}})
	change(&p)
	return p
}

// ownAnswers adds the page with the questions to each speaker.
func (s *shelf) ownAnswers() {
	of(s, "About you", "About you", public.Own).
		worded(func(w words) public.OwnPage { return aboutSomebody(w, func(*public.OwnPage) {}) }).
		is("from a proposal, with what is missing", aboutSomebody(plain, func(p *public.OwnPage) {
			p.Proposal = "1"
			p.Faults = public.FaultsView{Parts: p.Parts, IsOwn: true, Rest: "Your other answers are saved.",
				Faults: []call.Fault{{Key: "shirt", Sentence: "“Shirt” has no answer yet"}}}
		})).
		is("read only", aboutSomebody(plain, func(p *public.OwnPage) {
			p.Why = "Nothing of yours is under way here any more, so your answers stay as they are."
		})).
		is("nothing asked", aboutSomebody(plain, func(p *public.OwnPage) { p.Parts = nil }))
}

// aboutSomebody returns the page with the questions to each speaker.
func aboutSomebody(w words, change func(*public.OwnPage)) public.OwnPage {
	form := &call.Form{Parts: []*call.Part{{Title: w.label, Help: w.text, Questions: []*call.Question{
		{ID: "e", Key: "eats", Type: field.Choice, Label: "What do you eat?", Help: w.text, Required: call.Required,
			Options: []call.Choice{{Value: "Anything"}, {Value: w.label}}},
		{ID: "p", Key: "pass", Type: field.File, Label: "Your pass", Required: call.Optional},
		{ID: "s", Key: "shirt", Type: field.Text, Label: "Shirt", Required: call.Required}}}}}
	p := public.OwnPage{Public: eventSheet(w.person), Action: here, Back: here,
		Parts: public.Parts(form, call.Values{"eats": w.label}, nil, map[string]*models.File{"pass": {Name: w.label + ".pdf"}}),
		Said: []public.AnswerText{{Label: "What do you eat?", Text: w.label}, {Label: "Your pass", Text: w.label + ".pdf",
			URL: here}}}
	change(&p)
	return p
}

// checking returns the page that shows the answers of a proposal before it is submitted.
func checking(w words, change func(*public.CheckPage)) public.CheckPage {
	p := public.CheckPage{Public: eventSheet(w.person), Heading: "Check your answers", Speakers: speakers(w).Rows,
		Closes: &closes,
		Days:   "3 days left", Agreement: w.text, Edit: here, Submit: here, Own: here, Parts: []public.CheckPart{{Title: w.label,
			Rows: []public.CheckRow{{Label: "Title", Text: w.title, Look: "title", Field: "title"},
				{Label: "Abstract", Text: w.text, HTML: w.html, Look: "prose", Field: "description"},
				{Label: w.label, Text: w.label + ".pdf", FileURL: here, Field: "q-s"}, {Label: "Phone", Field: "q-p"}}},
			{Title: "Practical", IsOwn: true, Edit: here,
				Rows: []public.CheckRow{{Label: "What do you eat?", Text: w.label, Field: "q-e"}}}}}
	change(&p)
	return p
}

// proposals adds the pages on which proposals are written.
func (s *shelf) proposals() {
	of(s, "Call for papers", "Call for papers", public.Landing).
		worded(func(w words) public.LandingPage { return landing(w, string(call.IsOpen)) }).
		is("not yet open", landing(plain, string(call.NotYet))).
		is("full", landing(plain, string(call.IsFull))).
		is("closed", landing(plain, string(call.Closed))).
		is("wrong code", landing(plain, string(call.Closed)), "code", "is not a code of this call, or it is no longer good").
		is("none", public.LandingPage{Public: eventSheet(""), State: "none", Heading: "There is no call for papers yet",
			Mine: here})
	of(s, "Start a proposal", "Start a proposal", public.Start).
		worded(func(w words) public.StartPage {
			return public.StartPage{Public: eventSheet(""), Action: here, Title: w.title, Name: w.person, Email: w.email,
				Closes: &closes,
				SignIn: here, Trap: "website"}
		}, "email", "must be an address such as ana@example.org").
		is("for somebody known", public.StartPage{Public: eventSheet(plain.person), Action: here, Known: true, Trap: "website"})
	of(s, "Proposal", "Your proposal", public.Form).
		worded(func(w words) public.FormPage { return writing(w, func(*public.FormPage) {}) }).
		is("saved", writing(plain, func(p *public.FormPage) { p.Faults = nil })).
		is("not kept", writing(plain, func(p *public.FormPage) {
			p.NotKept, p.Saved, p.Lost = len(p.Faults), "", []public.LostAnswer{{Label: plain.label, Text: plain.text}}
		})).
		is("submitted", writing(plain, func(p *public.FormPage) { p.Submitted, p.SaveTo, p.Faults = true, "", nil })).
		is("accepted, with answers owed", writing(plain, func(p *public.FormPage) {
			p.OnlyOwed, p.Submitted, p.Faults = true,
				true, nil
		})).
		is("with questions about oneself", writing(plain, func(p *public.FormPage) {
			p.Faults, p.OwnPart = nil, &public.OwnPart{URL: here, Says: "2 answers of yours are needed.", Missing: 2}
		}))
	s.ownAnswers()
	of(s, "Check your answers", "Check your answers", public.Check).
		worded(func(w words) public.CheckPage { return checking(w, func(*public.CheckPage) {}) }).
		is("not agreed", checking(plain, func(*public.CheckPage) {}), "agreement", "has to be ticked").
		is("closed, with what was not saved", checking(plain, func(p *public.CheckPage) {
			p.Why, p.Submit = "The call closed on 1 March 2027, 23:59 Oslo.", ""
			p.NotSaved = []public.LostAnswer{{Label: "Abstract", Text: plain.text}}
		}))
	of(s, "Proposal submitted", "Submitted", public.Done).worded(func(w words) public.DonePage {
		return public.DonePage{Public: eventSheet(w.person), Title: w.title, FriendlyID: "A-147", At: closes,
			Mailed:  "i…@sorlie.example",
			Success: w.html, Until: &closes, Waiting: []string{w.person}, People: here, Answers: "29 March 2027", Mine: here,
			Another: here,
			Used:    1, Most: 3}
	})
	of(s, "Withdraw a proposal", "Withdraw a proposal", public.Withdraw).worded(func(w words) public.WithdrawPage {
		return public.WithdrawPage{Public: eventSheet(w.person), Title: w.title, FriendlyID: "A-147", Reason: w.text,
			Action: here, Back: here}
	})
	of(s, "Two versions of a proposal", "Two versions", public.Conflicting).worded(func(w words) public.ConflictPage {
		return public.ConflictPage{Public: eventSheet(w.person), Conflict: conflict(w)}
	})
}
