package gallery

import (
	"lectern/models/call"
	public "lectern/views/pages/call/public"
	"lectern/views/pages/sessions"
	"lectern/views/records"
)

// answered returns the answers on a record, the last of them a file.
func answered(w words) []records.Answer {
	return []records.Answer{{Question: "Length", Text: "30 minutes"}, {Question: w.label, Text: w.text}, {Question: w.title},
		{Question: "Slides", Text: w.label + ".pdf", URL: here}}
}

// inStead adds the pages by which staff fill in the form of a call for somebody.
func (s *shelf) inStead() {
	begin := func(w words) sessions.BeginForPage {
		return sessions.BeginForPage{Shell: in("Add a proposal for somebody"), Action: here, Cancel: here, TitleText: w.title,
			Says:   "Closed since 1 March 2027, 23:59 Lisbon. Staff can add a proposal at any time.",
			People: newPeople(w)}
	}
	of(s, "Add a proposal", "Add a proposal for somebody", sessions.BeginFor).worded(begin).
		is("faults", begin(plain), "title", "must not be empty", "people", "are missing: say whose proposal it is")
	page := func(w words, change func(*sessions.AnswersPage)) sessions.AnswersPage {
		p := sessions.AnswersPage{Shell: in("The form of the call for " + w.person), Action: here, IsDraft: true, Agreement: w.text,
			Record: records.Record{Name: "A-12 " + w.title, URL: here}, Parts: askedForm(w),
			Says: "Closed since 1 March 2027, 23:59 Lisbon. What staff fill in is bound neither by that nor by limits."}
		change(&p)
		return p
	}
	missing := []call.Fault{{Key: "description", Label: "Abstract", Message: "Not answered yet.",
		Sentence: "“Abstract” has no answer yet"}}
	of(s, "Answers", "The form of the call for "+plain.person, sessions.Answers).
		worded(func(w words) sessions.AnswersPage { return page(w, func(*sessions.AnswersPage) {}) }).
		is("something is missing", page(plain, func(p *sessions.AnswersPage) {
			p.AsItIs, p.Faults = true, public.FaultsView{Parts: p.Parts, Faults: missing,
				Rest: "What is there is saved, and can stay a draft."}
		})).
		is("not kept, and a question is gone", page(plain, func(p *sessions.AnswersPage) {
			p.Faults = public.FaultsView{Parts: p.Parts, Faults: missing, NotKept: len(missing), Rest: "The other answers are saved.",
				Lost: []public.LostAnswer{{Label: plain.title, Text: plain.text}}}
		})).
		is("submitted, its text is in a session", page(plain, func(p *sessions.AnswersPage) {
			p.IsDraft, p.Shared = false, records.Record{Name: "S-3 " + plain.title, URL: here}
			p.Says = "Staff can change them whatever the call says. Other services hear of it."
		}))
}
