package cfp

import (
	"net/http"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	pages "lectern/views/pages/cfp"
)

// one is the proposal or session of the address.
func (v *visit) one() (*cfp.Mine, error) { return v.place.One(v.ctx(), v.event, v.Params("id")) }

// showMine shows a proposal or session: the letter, whether they come, facts and history.
func showMine(v *visit) error {
	m, err := v.one()
	if err != nil {
		return err
	}
	if at := v.atMine(m); v.Path() != at { // a proposal has one address, and a session another
		return v.SeeInstead(at)
	}
	return v.minePage(http.StatusOK, m, "")
}

// atMine is the address of a proposal or session.
func (v *visit) atMine(m *cfp.Mine) string {
	if m.IsAbstract {
		return v.path("place/proposals", m.ID)
	}
	return v.path("place/sessions", m.ID)
}

func (v *visit) minePage(status int, m *cfp.Mine, reason string) error {
	letters, err := v.place.LettersAbout(v.ctx(), v.event, m.ID)
	if err != nil {
		return err
	}
	p := pages.MinePage{Public: v.sheet(m.Title), Back: v.path("place"), Title: m.Title, Label: m.FriendlyID,
		Status: string(m.Status), Kind: kindOf(m), Room: m.Room, People: v.speakers(m)}
	for _, l := range letters {
		if l.ID == m.LetterID {
			p.Letter = new(v.letterView(l))
		}
	}
	v.clock(&p, m)
	if m.IsOn && m.Status == models.Accepted {
		p.Ask = ask(m, v.atMine(m)+"/coming", reason)
	}
	if p.Letter == nil {
		p.Say = say(m)
	}
	if err := v.proposalPart(&p, m); err != nil {
		return err
	}
	history, err := v.place.History(v.ctx(), m, letters)
	if err != nil {
		return err
	}
	for _, h := range history {
		p.History = append(p.History, v.step(h))
	}
	return v.Render(status, pages.Mine(p))
}

// say is how it stands, where no letter says it.
func say(m *cfp.Mine) string {
	switch m.Status {
	case models.Draft:
		return "It is not submitted yet."
	case models.Pending:
		return "It is being read. You hear from us by mail, and here."
	case models.Accepted:
		return "We would like to have it in the programme."
	case models.Declined:
		return "We could not take it this time. Thank you for proposing it."
	case models.Withdrawn:
		return "It is withdrawn."
	}
	return ""
}

// clock is when it is, by both clocks, once that is public.
func (v *visit) clock(p *pages.MinePage, m *cfp.Mine) {
	if m.StartsAt == nil {
		return
	}
	zone := m.Event.Location()
	p.Day, p.Clock = m.StartsAt.In(zone).Format("Monday 2 January 2006"), m.StartsAt.In(zone).Format("15:04")
	if m.EndsAt != nil {
		p.Clock += "–" + m.EndsAt.In(zone).Format("15:04")
	}
	moment := v.Moment(*m.StartsAt, m.Event)
	p.Yours = moment.City + " (" + m.StartsAt.In(zone).Format("MST") + ")"
	if moment.Yours != "" {
		p.Yours += ", " + moment.Yours + " your time"
	}
}

// speakers are all who are on it, with what they said.
func (v *visit) speakers(m *cfp.Mine) (people []pages.Person) {
	words := map[string]string{cfp.Coming: "is coming", cfp.NotComing: "cannot come"}
	if m.IsOn {
		people = append(people, pages.Person{Name: v.login.Account.Name, IsMe: true})
	}
	for _, other := range m.With {
		people = append(people, pages.Person{Name: other.Name, Note: words[other.Answer]})
	}
	return people
}

// ask is the question whether somebody comes.
func ask(m *cfp.Mine, to, reason string) *pages.Asking {
	a := &pages.Asking{Action: to, Reason: reason, Many: len(m.With) > 0}
	if m.Answer != nil {
		a.Answer = m.Answer.Answer
		if reason == "" {
			a.Reason = m.Answer.Reason
		}
	}
	if !m.MayAnswer() {
		a.Fixed = "The programme is public by now. If that changes, write to us."
	}
	return a
}

// proposalPart is what the call knows: what was submitted, and what may be done with it.
func (v *visit) proposalPart(p *pages.MinePage, m *cfp.Mine) error {
	if !m.IsAbstract {
		return nil
	}
	proposal, err := v.place.Proposal(v.ctx(), v.event, m.ID)
	if store.KindOf(err) == store.NotFound { // the event has no call
		return nil
	}
	if err != nil {
		return err
	}
	rights, at := proposal.Rights(v.w.store.Now()), v.atMine(m)
	p.Why = rights.Why
	switch {
	case rights.Answer && m.Status == models.Draft:
		p.Edit, p.EditWord = at+"/edit", "Continue writing"
	case rights.Answer:
		p.Edit, p.EditWord = at+"/edit", "Edit what you submitted"
	case rights.Owed && len(proposal.Form.Owed(proposal.Values)) == 0:
		p.Edit, p.EditWord = at+"/edit", "Change what you answered since"
	case rights.Owed:
		p.Edit, p.EditWord = at+"/edit", "Answer what we still need to know"
	}
	if rights.Withdraw {
		p.Withdraw = at + "/withdraw"
	}
	if rights.Undo {
		p.Undo = at + "/undo"
	}
	p.Questions = proposal.Form.QuestionsTo
	if p.Edit != "" {
		p.Owed = stillNeeded(proposal)
	}
	v.said(p, proposal)
	return nil
}

// stillNeeded says what an accepted proposal owes, "" for nothing.
func stillNeeded(p *cfp.Proposal) string {
	var labels []string
	if p.Status != models.Accepted {
		return ""
	}
	for _, fault := range p.Form.Owed(p.Values) {
		labels = append(labels, "“"+fault.Label+"”")
	}
	switch len(labels) {
	case 0:
		return ""
	case 1:
		return labels[0] + " is still needed."
	}
	last := len(labels) - 1
	return strings.Join(labels[:last], ", ") + " and " + labels[last] + " are still needed."
}

// said are the answers that there are; of a draft, how many there are not.
func (v *visit) said(p *pages.MinePage, of *cfp.Proposal) {
	open := 0
	for _, q := range of.Form.Asked(of.Values) {
		said := pages.Said{Label: q.Label, Text: of.Said(q)}
		switch {
		case q.Standard == cfp.Title, q.Standard == cfp.Format && p.Kind != "": // they stand there already
			continue
		case said.Text == "":
			open++
			continue
		case q.Standard == cfp.Description:
			said.HTML = store.Paragraphs(of.Description)
		case q.Standard == cfp.Biography:
			said.HTML = store.Paragraphs(of.About)
		case of.Files[q.Key] != nil:
			said.URL = v.at(of, "files", q.Key)
		}
		p.Text = append(p.Text, said)
	}
	if p.TextName = "What you submitted"; of.IsSubmitted() {
		return
	}
	p.TextName = "What you have written"
	if open == 1 && p.Edit != "" {
		p.Open = "1 question is open."
	} else if open > 1 && p.Edit != "" {
		p.Open = strconv.Itoa(open) + " questions are open."
	}
}

// step is something that became of it, in words.
func (v *visit) step(h cfp.Happening) pages.Step {
	s := pages.Step{Day: h.At.In(v.event.Location()).Format("2 Jan")}
	switch h.What {
	case cfp.WasBegun:
		s.Text = "Begun"
	case cfp.WasSubmitted:
		s.Text = "Submitted"
	case cfp.WasEdited:
		s.Text = "Edited"
	case cfp.WasWithdrawn:
		s.Text = "Withdrawn"
	case cfp.CallClosed:
		s.Text = "Call closed"
	case cfp.GotLetter:
		s.Text, s.URL = "Letter sent to you", v.path("place/letters", h.Of)
	case cfp.WasAnswered:
		s.Text = map[string]string{cfp.Coming: "You said that you come",
			cfp.NotComing: "You said that you cannot come"}[h.Of]
	case cfp.WasDecided:
		s.Text = map[string]string{string(models.Accepted): "Accepted", string(models.Declined): "Not taken"}[h.Of]
		if s.Text == "" {
			s.Text = "Decision taken back"
		}
	}
	return s
}

// answerComing keeps whether they come.
func answerComing(v *visit) error {
	answer, reason := v.Value("answer"), v.Value("reason")
	if answer == cfp.Coming {
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
	text := "Good. We look forward to it."
	if answer == cfp.NotComing {
		text = "It is kept that you cannot come. Thank you for telling us."
	}
	return v.See(v.atMine(m), text)
}

// showLetter shows one letter by itself.
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

// letterView is a letter as it was written.
func (v *visit) letterView(l *models.Letter) pages.LetterView {
	view := pages.LetterView{From: v.event.Name, Day: day(l.SentAt, v.event), Subject: l.Subject}
	for text := range strings.SplitSeq(cfp.ShownHere(l), "\n\n") {
		if text = strings.TrimSpace(text); text != "" {
			view.Paragraphs = append(view.Paragraphs, text)
		}
	}
	return view
}
