package call

import (
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	pages "lectern/views/pages/call/public"
)

// lettersListed is how many letters the start page of a place links to.
const lettersListed = 10

// showPlace shows everything that the speaker has, at every event of the organization.
func showPlace(v *visit) error {
	all, err := v.place.OwnSessions(v.ctx())
	if err != nil {
		return err
	}
	letters, err := v.place.Letters(v.ctx())
	if err != nil {
		return err
	}
	p := pages.PlacePage{Public: v.sheet(v.T("place.title")), Mailed: v.w.options.Mail != nil, LinkTo: v.path("place/confirm")}
	if !v.place.Account().IsConfirmed() {
		text := "place.confirmtext"
		if v.place.IsNarrow() { // nothing was mailed, since staff copied the link
			text = "place.confirmcopied"
		}
		p.Confirm = v.T(text, "Address", v.place.Account().Email, "Days", int(call.BeginningLifetime.Hours()/24))
	}
	if p.Tasks, err = v.taskList(); err != nil {
		return err
	}
	several := len(all) > 0 && (all[0].EventID != all[len(all)-1].EventID || all[0].EventID != v.event.ID)
	if err := v.rows(&p, all, several); err != nil {
		return err
	}
	if err := v.lines(&p, all, letters, several); err != nil {
		return err
	}
	here, err := v.callState(v.event)
	if err != nil {
		return err
	}
	if here.takes(v.w.store.Now()) {
		p.Start = v.path("call/start")
	}
	return v.Show(pages.Place(p))
}

// rows lists proposals and sessions by event; several adds the events' names.
func (v *visit) rows(p *pages.PlacePage, all []*call.OwnSession, several bool) error {
	var h callState
	for i, m := range all {
		if i == 0 || all[i-1].EventID != m.EventID {
			var err error
			if h, err = v.callState(m.Event); err != nil {
				return err
			}
			at := pages.MineAt{}
			if several {
				at.Name = m.Event.Name
			}
			if h.form != nil {
				var elsewhere map[string]bool
				if m.EventID == v.event.ID {
					if elsewhere, err = v.askedByTasks(h.form); err != nil {
						return err
					}
				}
				if at.Own, err = v.ownPart(m.Event, h.form, elsewhere); err != nil {
					return err
				}
			}
			p.Events = append(p.Events, at)
		}
		row, err := v.mineRow(m, h)
		if err != nil {
			return err
		}
		at := &p.Events[len(p.Events)-1]
		at.Rows = append(at.Rows, row)
	}
	return nil
}

// lines links to the letters, with the event of each where there are several.
func (v *visit) lines(p *pages.PlacePage, all []*call.OwnSession, letters []*models.Letter, several bool) error {
	events := map[string]*models.Event{v.event.ID: v.event}
	for _, m := range all {
		events[m.EventID] = m.Event
	}
	for _, l := range letters[:min(len(letters), lettersListed)] {
		e := events[*l.EventID]
		if e == nil {
			var err error
			if e, err = v.w.store.EventBy(v.ctx(), *l.EventID); err != nil {
				return err
			}
			events[e.ID] = e
		}
		line := pages.LetterLine{Subject: l.Subject, URL: pathOf(e, "place/letters", l.ID), Day: v.day(l.SentAt, e)}
		if several {
			line.Event = e.Name
		}
		p.Letters = append(p.Letters, line)
	}
	return nil
}

// day returns the date of a moment at an event, "26 March 2027".
func (v *visit) day(at *store.Time, e *models.Event) string {
	if at == nil {
		return ""
	}
	return v.Date(at.In(e.Location()))
}

// mineRow returns a proposal or session in the list.
func (v *visit) mineRow(m *call.OwnSession, h callState) (pages.MineRow, error) {
	at := pathOf(m.Event, "place/proposals", m.ID)
	if !m.IsAbstract {
		at = pathOf(m.Event, "place/sessions", m.ID)
	}
	row := pages.MineRow{Title: m.Title, URL: at, Label: m.FriendlyID, Kind: v.kindOf(m), Status: string(m.Status)}
	for _, other := range m.With {
		row.With = append(row.With, other.Name)
	}
	if m.StartsAt != nil {
		starts := m.StartsAt.In(m.Event.Location())
		row.When, row.Where = v.T("place.starts", "Day", v.Language.Day(starts), "Clock", v.TimeOf(starts)), m.Room
	}
	switch m.Status {
	case models.Draft:
		return row, v.draftRow(&row, m, h, at)
	case models.Pending:
		row.Next = v.T("stands.read")
		if day := v.answersOn(h.form); day != "" {
			row.Next = v.T("stands.readby", "Day", day)
		}
	case models.Accepted:
		v.acceptedRow(&row, m, at)
		return row, v.owedRow(&row, m, h, at)
	case models.Declined:
		row.Next = v.T("stands.nottaken")
		if m.LetterID != "" {
			row.Next += " " + v.T("stands.letter")
			row.Do, row.DoURL = "", at
		}
	case models.Withdrawn:
		return row, v.withdrawnRow(&row, m, h, at)
	}
	return row, nil
}

// kindOf names the format and its length: "Talk, 25 min".
func (v *visit) kindOf(m *call.OwnSession) string {
	if m.Format == "" || m.Minutes == 0 {
		return m.Format
	}
	return v.T("place.minutes", "Format", m.Format, "Minutes", m.Minutes)
}

// draftRow says how much a draft still needs, or that it is too late.
func (v *visit) draftRow(row *pages.MineRow, m *call.OwnSession, h callState, at string) error {
	if h.form == nil {
		row.Next = v.T("stands.isnot")
		return nil
	}
	p, err := v.proposalAt(m.Event, m.ID)
	if err != nil {
		return err
	}
	rights := p.Rights(v.w.store.Now())
	switch left := len(p.Unfinished()); {
	case !rights.Answer:
		row.Next = v.say(rights.Why)
		return nil
	case !rights.Submit:
		row.Next = v.T("stands.begundoes")
	case left == 0:
		row.Next = v.T("stands.nothingmissing")
	default:
		row.Next = v.N("stands.tofinish", left)
	}
	row.Do, row.DoURL = v.T("stands.continue"), at+"/edit"
	if end := p.Standing.Window.End(); end != nil {
		moment := v.moment(*end, m.Event)
		row.By = v.T("stands.until", "Moment", moment.Day+", "+moment.Clock+" "+moment.City)
		if moment.Yours != "" {
			row.By += " " + v.T("form.yours", "Clock", moment.Yours)
		}
	}
	return nil
}

// acceptedRow asks whether the speaker comes, or says what they answered.
func (v *visit) acceptedRow(row *pages.MineRow, m *call.OwnSession, at string) {
	letter := ""
	if m.LetterID != "" {
		letter = " " + v.T("stands.letter")
	}
	switch {
	case !m.IsOn:
		row.Next = v.T("stands.inprogramme") + letter
	case m.Answer == nil:
		row.Next, row.Do, row.DoURL = v.T("stands.like")+letter, v.T("stands.answercoming"), at
		if letter != "" {
			row.Do = v.T("stands.readanswer")
		}
	case m.Answer.Answer == call.Coming:
		row.Next = v.T("stands.coming") + letter
	default:
		row.Next = v.T("stands.notcoming") + letter
	}
}

// owedRow says what an accepted proposal still needs.
func (v *visit) owedRow(row *pages.MineRow, m *call.OwnSession, h callState, at string) error {
	if h.form == nil || !m.IsAbstract {
		return nil
	}
	p, err := v.proposalAt(m.Event, m.ID)
	if err != nil {
		return err
	}
	needed := v.stillNeeded(p)
	if needed == "" || !p.Rights(v.w.store.Now()).Writes() {
		return nil
	}
	row.Next += " " + needed
	if row.Do == "" {
		row.Do, row.DoURL = v.T("stands.answerneeded"), at+"/edit"
	}
	return nil
}

// withdrawnRow says when and why a proposal was withdrawn, and offers to undo that.
func (v *visit) withdrawnRow(row *pages.MineRow, m *call.OwnSession, h callState, at string) error {
	when := m.Standing.WithdrawnAt
	if when == nil {
		row.Next = v.T("stands.withdrawn")
		return nil
	}
	local := when.In(m.Event.Location())
	said := v.T("stands.on", "Day", v.DayOfYear(local))
	if v.w.store.Now().In(m.Event.Location()).Format(time.DateOnly) == local.Format(time.DateOnly) {
		said = v.T("stands.at", "Clock", v.TimeOf(local))
	}
	row.Next = v.T("stands.withdrawnwhen", "When", said)
	if m.Began(v.place.ContactID()) {
		row.Next = v.T("stands.withdrawnby", "When", said)
		if m.Standing.WithdrawnReason != "" {
			row.Next = v.T("stands.withdrawnwhy", "When", said, "Reason", m.Standing.WithdrawnReason)
		}
	}
	if h.form == nil {
		return nil
	}
	p, err := v.proposalAt(m.Event, m.ID)
	if err == nil && p.Rights(v.w.store.Now()).Undo {
		row.Undo = at + "/undo"
	}
	return err
}
