package gallery

import (
	"github.com/a-h/templ"

	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/call/public"
)

// eventSheet returns the frame of an event's page, for a person or, with "", for strangers.
func eventSheet(who string) layouts.Public {
	p := layouts.Public{Site: siteSheet(""), City: "Oslo", Path: here, ZoneTo: here, Leave: here}
	p.Changed, p.Foot = "", nil
	mine := layouts.SiteLink{Name: "My proposals", URL: here, Current: true}
	p.Links[0].Current = false
	if who == "" {
		p.Links = append(p.Links, mine)
		return p
	}
	p.Who, p.Questions, p.Zone = who, "program@tidvann.example", "New York"
	p.Came = layouts.Came{Address: "i…@sorlie.example", Until: "10 May 2027", Confirmed: true}
	p.Own = []layouts.SiteLink{mine, {Name: "Profile and availability", URL: here}}
	return p
}

// trouble is an error page of an event.
type trouble struct {
	layouts.Public
	layouts.Failure
}

// leaf is an event's page with some text.
type leaf struct {
	layouts.Public
	words
}

// place adds the pages of speakers.
func (s *shelf) place() {
	of(s, "Frame of an event", "Harbour", func(p leaf) templ.Component { return ofEvent(p.Public, p.words) }).
		worded(func(w words) leaf { return leaf{eventSheet(w.person), w} })
	of(s, "Come in", "Come to your place", public.SignIn).
		is("empty", public.SignInPage{Public: eventSheet(""), Mailed: true}).
		is("without mail", public.SignInPage{Public: eventSheet("")}).
		is("asked", public.SignInPage{Public: eventSheet(""), Mailed: true, Asked: true, Email: plain.email}).
		is("faults", public.SignInPage{Public: eventSheet(""), Mailed: true, Email: long.email}, "",
			"The address or the password is wrong.")
	of(s, "Problem of an event", "There is nothing here", func(p trouble) templ.Component {
		return layouts.EventProblem(p.Public, p.Failure)
	}).
		is("not there", trouble{eventSheet(plain.person), layouts.Failure{Text: "There is no page at this address.",
			RequestID: "5d2b9a40c701"}})
	of(s, "Open your place", "Open your place", public.OpenLink).
		is("empty", public.OpenLinkPage{Public: eventSheet(""), Action: here})
	of(s, "Link of another browser", "Is this you?", public.Elsewhere).
		is("offered", public.ElsewherePage{Public: eventSheet(""), Action: here, SignIn: here, Address: "n…@ledgerline.example",
			Mailed: true}).
		is("without mail", public.ElsewherePage{Public: eventSheet(""), SignIn: here, Address: "n…@ledgerline.example"}).
		is("sent", public.ElsewherePage{Public: eventSheet(""), SignIn: here, Address: "n…@ledgerline.example", Mailed: true,
			Sent: true})
	of(s, "Speak along", "Will you speak along?", public.Join).
		worded(func(w words) public.JoinPage {
			return public.JoinPage{Public: eventSheet(""), Action: here, From: w.person, Title: w.title, Role: "speaker"}
		}).
		is("said no", public.JoinPage{Public: eventSheet(""), Action: here, From: "Li Wei", Declined: true})
	of(s, "Place", "My proposals", public.Place).
		worded(myPlace).
		is("empty", public.PlacePage{Public: eventSheet(plain.person), Start: here}).
		is("not confirmed", public.PlacePage{Public: eventSheet(plain.person), Mailed: true, LinkTo: here,
			Confirm: "A link went to ada@example.org. Open it, and your proposals can be reached from any device."})
	of(s, "Of somebody", "Harbour pilots", public.OwnSession).
		worded(myTalk).
		is("cannot come", public.OwnSessionPage{Public: eventSheet(plain.person), Title: plain.title, Label: "A-147",
			Status: "accepted",
			Say:    "We would like to have it in the programme.", People: []public.Person{{Name: plain.person}},
			Ask: &public.Asking{Action: here, Answer: "no", Reason: plain.text}}).
		is("pending", public.OwnSessionPage{Public: eventSheet(plain.person), Title: plain.title, Label: "A-147", Status: "pending",
			Say: "It is being read. You hear from us by mail, and here.", People: []public.Person{{Name: plain.person}},
			Why:      "The call closed on 1 March 2027, 23:59 Oslo, so the answers stay as they are.",
			Withdraw: here, TextName: "What you submitted", Text: []public.AnswerText{
				{Label: "Abstract", HTML: plain.html}, {Label: "Slides", Text: "tides.pdf", URL: here}}})
	of(s, "Letter of a place", "Your proposal", public.Letter).
		worded(func(w words) public.LetterPage {
			return public.LetterPage{Public: eventSheet(w.person), Back: here, About: w.title, AboutURL: here, Letter: aLetter(w)}
		})
	s.texts()
	of(s, "Profile", "Profile and availability", public.Profile).
		worded(myProfile).
		but("waits", myProfile(plain), func(p *public.ProfilePage) {
			p.Waits = "The organizers look at what you changed (" + plain.label + "). Until they accept it, everybody sees what they approved."
		}).
		is("faults", myProfile(plain), "first_name", "must not be empty", "photo", "is a PDF, and no photo", "password",
			"is too short").
		but("needs a fresh link", myProfile(plain), func(p *public.ProfilePage) {
			p.Account.Has, p.Account.Needs, p.Account.NeedsLink = false, false, true
		}).
		is("two edits", public.ProfilePage{Public: eventSheet(plain.person), Conflict: new(conflict(plain))})
}

func aLetter(w words) public.LetterView {
	return public.LetterView{From: "Tidvann 2027", Day: "26 March 2027", Subject: w.title,
		Paragraphs: []string{"Dear " + w.person + ",", w.text, "Solveig Aasen\nfor the programme committee"}}
}

// myPlace returns a place with a row of each kind.
func myPlace(w words) public.PlacePage {
	row := func(status, next, do string) public.MineRow {
		return public.MineRow{Title: w.title, URL: here, Label: "A-147", Kind: "Talk, 25 min", With: []string{w.person,
			"Li Wei"},
			Status: status, Next: next, Do: do, DoURL: here}
	}
	accepted := row("accepted", "Your letter is here.", "Read and answer")
	accepted.When, accepted.Where = "Thursday 10 June, 09:30", w.place
	withdrawn := row("withdrawn", "Withdrawn by you at 14:01, “"+w.label+"”.", "")
	withdrawn.Undo = here
	draft := row("draft", "2 to finish before you can submit it.", "Continue")
	draft.By = "Until 1 March 2027, 23:59 Oslo (17:59 your time)"
	return public.PlacePage{Public: eventSheet(w.person), Start: here, Tasks: myTasks(w),
		Events: []public.MineAt{{Own: &public.OwnPart{URL: here, Says: "1 answer of yours is needed.", Missing: 1},
			Rows: []public.MineRow{draft, accepted,
				row("pending", "It is being read. You hear from us by 26 April 2027.", ""),
				row("declined", "We could not take it this time. Your letter is here.", ""), withdrawn}},
			{Name: "Ebb and Flow 2026", Rows: []public.MineRow{accepted}}},
		Letters: []public.LetterLine{{Subject: w.title, URL: here, Day: "26 March 2027"},
			{Subject: "Your proposal is in", URL: here, Day: "26 February 2027", Event: w.label}}}
}

// myTalk returns an accepted proposal that is public.
func myTalk(w words) public.OwnSessionPage {
	return public.OwnSessionPage{Public: eventSheet(w.person), Back: here, Title: w.title, Label: "A-147", Status: "accepted",
		Letter: new(aLetter(w)), Ask: &public.Asking{Action: here, Many: true}, Day: "Thursday 10 June 2027",
		Clock: "09:30–10:10",
		Yours: "Oslo (CEST), 03:30 your time", Room: w.place, Kind: "Keynote, 40 min",
		People: []public.Person{{Name: w.person}, {Name: "نور الدين منصور", Note: "is coming"}},
		Owed:   "“Slides” is still needed.", TextName: "What you submitted",
		Text: []public.AnswerText{{Label: "Abstract", HTML: w.html}, {Label: w.label, Text: w.text}},
		Edit: here, EditWord: "Edit what you submitted", Withdraw: here, Change: here, Waits: true,
		History: []public.Step{{Day: "26 Mar", Text: "Letter sent to you", URL: here}, {Day: "26 Mar", Text: "Accepted"},
			{Day: "28 Feb", Text: "Edited"}, {Day: "26 Feb", Text: "Submitted"}}}
}

// myProfile returns the profile of somebody at an event of two days.
func myProfile(w words) public.ProfilePage {
	field := func(name, label, value string) components.Field {
		return components.Field{Name: name, Label: label, Value: value}
	}
	p := public.ProfilePage{Public: eventSheet(w.person), Action: here, Name: w.person,
		First: field("first_name", "First name", w.person), Last: field("last_name", "Last name",
			""),
		Sort: field("sort_name", "Sorted under", ""), About: field("about", "Biography", w.text),
		Job: field("job_title", "What you do", w.label), Company: field("company_name", "Company or project", w.place),
		Website: field("website_url", "Website", ""), Linkedin: field("linkedin_url", "LinkedIn", ""),
		More:  field("availability", "Anything else about time?", "My train leaves on Friday at 16:59."),
		Email: w.email, Account: public.AccountView{PasswordTo: here, LeaveTo: here, Has: true, Needs: true, Devices: 3,
			FreshTo: here, Masked: "n…@ledgerline.example"},
		Days: []components.Option{{Value: "2027-06-10", Name: "Thursday 10"}, {Value: "2027-06-11", Name: "Friday 11"}}}
	p.Sort.Hint = "In lists from A to Z. Without it: Byron, Ada."
	for _, part := range []string{"Until 12:00", "12:00–15:00", "15:00–18:00", "From 18:00"} {
		row := public.PartRow{Name: part, Yours: "06:00–09:00"}
		for _, day := range p.Days {
			row.Cells = append(row.Cells, public.PartCell{Value: day.Value + part, Name: day.Name + ", " + part,
				Can: part != "From 18:00"})
		}
		p.Parts = append(p.Parts, row)
	}
	return p
}
