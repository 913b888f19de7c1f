package call

import (
	"net/http"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	pages "lectern/views/pages/call/public"
)

// one reads the proposal or session of the path.
func (v *visit) one() (*call.OwnSession, error) { return v.place.One(v.ctx(), v.event, v.Params("id")) }

// showMine shows a proposal or session: the letter, whether they come, facts and history.
func showMine(v *visit) error {
	m, err := v.one()
	if err != nil {
		return err
	}
	if at := v.atMine(m); v.Path() != at { // the path must name the right kind
		return v.SeeInstead(at)
	}
	return v.minePage(http.StatusOK, m, "")
}

// atMine returns the address of a proposal or session.
func (v *visit) atMine(m *call.OwnSession) string {
	if m.IsAbstract {
		return v.path("place/proposals", m.ID)
	}
	return v.path("place/sessions", m.ID)
}

func (v *visit) minePage(status int, m *call.OwnSession, reason string) error {
	letters, err := v.place.LettersAbout(v.ctx(), v.event, m.ID)
	if err != nil {
		return err
	}
	p := pages.OwnSessionPage{Public: v.sheet(m.Title), Back: v.path("place"), Title: m.Title, Label: m.FriendlyID,
		Status: string(m.Status), Kind: v.kindOf(m), Room: m.Room, People: v.speakers(m)}
	for _, l := range letters {
		if l.ID == m.LetterID {
			p.Letter = new(v.letterView(l))
		}
	}
	v.clock(&p, m)
	if m.IsOn && m.Status == models.Accepted {
		p.Ask = v.ask(m, v.atMine(m)+"/coming", reason)
	}
	if p.Letter == nil {
		p.Say = v.stands(m)
	}
	if err := v.proposalPart(&p, m); err != nil {
		return err
	}
	if err := v.textPart(&p, m); err != nil {
		return err
	}
	history, err := v.place.History(v.ctx(), m, letters)
	if err != nil {
		return err
	}
	for _, h := range history {
		p.History = append(p.History, v.step(h))
	}
	return v.Render(status, pages.OwnSession(p))
}

// stands words the status, where no letter does.
func (v *visit) stands(m *call.OwnSession) string {
	switch m.Status {
	case models.Draft:
		return v.T("stands.isnotyet")
	case models.Pending:
		return v.T("stands.readhere")
	case models.Accepted:
		return v.T("stands.likein")
	case models.Declined:
		return v.T("stands.nottakenthanks")
	case models.Withdrawn:
		return v.T("stands.iswithdrawn")
	}
	return ""
}

// clock adds when the session is, by both clocks, once that is public.
func (v *visit) clock(p *pages.OwnSessionPage, m *call.OwnSession) {
	if m.StartsAt == nil {
		return
	}
	zone := m.Event.Location()
	p.Day, p.Clock = v.DayLong(m.StartsAt.In(zone)), m.StartsAt.In(zone).Format("15:04")
	if m.EndsAt != nil {
		p.Clock += "–" + m.EndsAt.In(zone).Format("15:04")
	}
	moment := v.moment(*m.StartsAt, m.Event)
	p.Yours = moment.City + " (" + m.StartsAt.In(zone).Format("MST") + ")"
	if moment.Yours != "" {
		p.Yours = v.T("talk.yourtime", "City", moment.City, "Zone", m.StartsAt.In(zone).Format("MST"), "Clock", moment.Yours)
	}
}

// speakers lists everybody on it, with their answers.
func (v *visit) speakers(m *call.OwnSession) (people []pages.Person) {
	said := map[string]string{call.Coming: v.T("talk.iscoming"), call.NotComing: v.T("talk.isnotcoming")}
	if m.IsOn {
		people = append(people, pages.Person{Name: v.login.Account.Name})
	}
	for _, other := range m.With {
		people = append(people, pages.Person{Name: other.Name, Note: said[other.Answer]})
	}
	return people
}

// ask returns the question whether the speaker comes.
func (v *visit) ask(m *call.OwnSession, to, reason string) *pages.Asking {
	a := &pages.Asking{Action: to, Reason: reason, Many: len(m.With) > 0}
	if m.Answer != nil {
		a.Answer = m.Answer.Answer
		if reason == "" {
			a.Reason = m.Answer.Reason
		}
	}
	if !m.MayAnswer() {
		a.Fixed = v.T("talk.fixed")
	}
	return a
}

// proposalPart adds what the call knows: what was submitted, and what may be done with it.
func (v *visit) proposalPart(p *pages.OwnSessionPage, m *call.OwnSession) error {
	if !m.IsAbstract {
		return nil
	}
	proposal, err := v.proposalAt(v.event, m.ID)
	if store.KindOf(err) == store.NotFound { // the event has no call
		return nil
	}
	if err != nil {
		return err
	}
	rights, at := proposal.Rights(v.w.store.Now()), v.atMine(m)
	if p.Why = rights.Why; proposal.CompositionStatus.IsReadOnly && v.event.AsksApproval {
		p.Why = "" // the text is changed in the programme
	}
	switch {
	case rights.Answer && m.Status == models.Draft:
		p.Edit, p.EditWord = at+"/edit", v.T("talk.writeon")
	case rights.Answer:
		p.Edit, p.EditWord = at+"/edit", v.T("talk.edit")
	case rights.Owed && len(proposal.Form.Owed(proposal.Values)) == 0:
		p.Edit, p.EditWord = at+"/edit", v.T("talk.changesince")
	case rights.Owed:
		p.Edit, p.EditWord = at+"/edit", v.T("talk.answerowed")
	}
	if rights.Withdraw {
		p.Withdraw = at + "/withdraw"
	}
	if rights.Undo {
		p.Undo = at + "/undo"
	}
	p.Questions = proposal.Form.QuestionsTo
	if p.Edit != "" {
		p.Owed = v.stillNeeded(proposal)
	}
	v.said(p, proposal)
	return nil
}

// stillNeeded says what an accepted proposal owes, "" for nothing.
func (v *visit) stillNeeded(p *call.Proposal) string {
	var labels []string
	if p.Status != models.Accepted {
		return ""
	}
	for _, fault := range p.Form.Owed(p.Values) {
		labels = append(labels, v.T("form.quoted", "Text", fault.Label))
	}
	switch len(labels) {
	case 0:
		return ""
	case 1:
		return v.T("stands.oneneeded", "Labels", labels[0])
	}
	return v.T("stands.someneeded", "Labels", v.List(labels))
}

// said adds the given answers; of a draft also how many are missing.
func (v *visit) said(p *pages.OwnSessionPage, of *call.Proposal) {
	open := 0
	for _, q := range of.Form.Asked(of.Values) {
		said := pages.AnswerText{Label: q.Label, Text: v.inWords(&of.Filled, q)}
		switch {
		case q.Standard == call.Title, q.Standard == call.Format && p.Kind != "": // shown on the page already
			continue
		case said.Text == "":
			open++
			continue
		case of.Files[q.Key] != nil:
			said.URL = v.at(of, "files", q.Key)
		default:
			said.HTML = htmlOf(of, q)
		}
		p.Text = append(p.Text, said)
	}
	if p.TextName = v.T("talk.submitted"); of.IsSubmitted() {
		return
	}
	p.TextName = v.T("talk.written")
	if open > 0 && p.Edit != "" {
		p.Open = v.N("talk.open", open)
	}
}

// step words an event of the history.
func (v *visit) step(h call.Happening) pages.Step {
	s := pages.Step{Day: v.DayShort(h.At.In(v.event.Location()))}
	switch h.What {
	case call.WasBegun:
		s.Text = v.T("became.begun")
	case call.WasSubmitted:
		s.Text = v.T("became.submitted")
	case call.WasEdited:
		s.Text = v.T("became.edited")
	case call.WasWithdrawn:
		s.Text = v.T("became.withdrawn")
	case call.CallClosed:
		s.Text = v.T("became.closed")
	case call.GotLetter:
		s.Text, s.URL = v.T("became.letter"), v.path("place/letters", h.Of)
	case call.WasAnswered:
		s.Text = map[string]string{call.Coming: v.T("became.coming"),
			call.NotComing: v.T("became.notcoming")}[h.Of]
	case call.WasDecided:
		s.Text = map[string]string{string(models.Accepted): v.T("became.accepted"),
			string(models.Declined): v.T("became.declined")}[h.Of]
		if s.Text == "" {
			s.Text = v.T("became.takenback")
		}
	}
	return s
}

// answerComing saves whether the speaker comes.
func answerComing(v *visit) error {
	answer, reason := v.Value("answer"), v.Value("reason")
	if answer == call.Coming {
		reason = ""
	}
	err := v.place.AnswerParticipation(v.ctx(), v.event, v.Params("id"), answer, reason)
	m, missing := v.one()
	if missing != nil {
		return missing
	}
	if err != nil {
		return v.Again(err, func(status int) error { return v.minePage(status, m, reason) })
	}
	text := v.T("talk.good")
	if answer == call.NotComing {
		text = v.T("talk.keptno")
	}
	return v.See(v.atMine(m), text)
}

// showLetter shows one letter.
func showLetter(v *visit) error {
	l, err := v.place.Letter(v.ctx(), v.event, v.Params("id"))
	if err != nil {
		return err
	}
	p := pages.LetterPage{Public: v.sheet(l.Subject), Back: v.path("place"), Letter: v.letterView(l)}
	about := l.AboutID
	if l.SessionID != nil {
		about = *l.SessionID
	}
	m, err := v.place.One(v.ctx(), v.event, about)
	switch {
	case err == nil:
		p.About, p.AboutURL = m.Title, v.atMine(m)
	case store.KindOf(err) != store.NotFound:
		return err
	}
	return v.Show(pages.Letter(p))
}

// letterView returns a letter as it was written.
func (v *visit) letterView(l *models.Letter) pages.LetterView {
	view := pages.LetterView{From: v.event.Name, Day: v.day(l.SentAt, v.event), Subject: l.Subject}
	for text := range strings.SplitSeq(call.ShownHere(l), "\n\n") {
		if text = strings.TrimSpace(text); text != "" {
			view.Paragraphs = append(view.Paragraphs, text)
		}
	}
	return view
}
