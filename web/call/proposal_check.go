package call

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/web/answers"
	"lectern/web/page"
)

// zone returns the reader's time zone, else the event's.
func (v *visit) zone() *time.Location {
	if zone := v.Yours(); zone != nil {
		return zone
	}
	return v.event.Location()
}

// check shows all answers: before submitting, and where nothing can be changed any more.
func check(v *visit, p *call.Proposal) error {
	rights := p.Rights(v.w.store.Now())
	if rights.Submit && len(p.Unfinished()) > 0 {
		return v.SeeInstead(v.at(p, "edit") + "?check=1")
	}
	if rights.Submit {
		if lacks, err := v.lacksOwn(p); err != nil || lacks {
			return cmp.Or(err, v.SeeInstead(v.ownOf(p)+"&check=1"))
		}
	}
	return v.checkPage(http.StatusOK, p, nil, rights.Why)
}

func (v *visit) checkPage(status int, p *call.Proposal, notSaved []pages.LostAnswer, why string) error {
	rights := p.Rights(v.w.store.Now())
	c := pages.CheckPage{Public: v.sheet(v.T("checked.title")), Heading: v.T("checked.title"), Why: why,
		NotSaved: notSaved,
		Speakers: v.people(p, pages.PeopleView{}).Rows, Agreement: p.Form.Agreement, Edit: v.at(p, "edit"),
		UpdatedAt: p.Token(),
		Own:       v.path("place")}
	if why != "" || p.IsSubmitted() {
		c.Title, c.Heading = v.T("write.title"), v.T("write.title")
	}
	if len(notSaved) > 0 {
		c.Title = v.T("form.error", "Title", c.Title)
	}
	if rights.Submit && why == "" {
		c.Submit = v.at(p, "submit")
	}
	c.Questions = p.Form.QuestionsTo
	var days int
	_, c.Closes, days = v.clocks(p.Standing.Window)
	if c.Days = v.N("checked.left", days); days == 0 {
		c.Days = v.T("checked.lastday")
	}
	own, err := v.ownChecked(p)
	if err != nil {
		return err
	}
	c.Parts = append(v.checkParts(&p.Filled, p), own...)
	return v.Render(status, pages.Check(c))
}

// checkParts returns the parts of a form with the answers: of a proposal, or with nil of the speaker's own.
func (v *visit) checkParts(f *call.Filled, of *call.Proposal) (parts []pages.CheckPart) {
	asked := f.Form.Asked(f.Values)
	for _, part := range f.Form.Parts {
		shown := pages.CheckPart{Title: part.Title}
		for _, q := range part.Questions {
			if !slices.Contains(asked, q) {
				continue
			}
			row := pages.CheckRow{Label: q.Label, Text: v.inWords(f, q), Field: q.Field()}
			switch {
			case q.Standard == call.Title:
				row.Look = "title"
			case q.Type == "long_text":
				row.Look = "prose"
			}
			switch {
			case row.Text != "" && of != nil && q.Standard != "":
				row.HTML = htmlOf(of, q)
			case f.Files[q.Key] != nil && of != nil:
				row.FileURL = v.at(of, "files", q.Key)
			case f.Files[q.Key] != nil:
				row.FileURL = v.path("place/answers/files", q.Key)
			}
			shown.Rows = append(shown.Rows, row)
		}
		if len(shown.Rows) > 0 {
			parts = append(parts, shown)
		}
	}
	return parts
}

// htmlOf returns the answer to a question whose answer has markup, "" for any other question.
func htmlOf(p *call.Proposal, q *call.Question) string {
	switch q.Standard {
	case call.Description:
		return store.Paragraphs(p.Description)
	case call.Biography:
		return store.Paragraphs(p.About)
	}
	return ""
}

// notSaved shows a proposal that cannot be changed any more, with what was typed for it.
func (v *visit) notSaved(p *call.Proposal, form *answers.Form[*call.Proposal], why string) error {
	var typed []pages.LostAnswer
	for _, f := range form.Edited(p) {
		if f.Mine != f.Theirs && f.Mine != "" {
			typed = append(typed, pages.LostAnswer{Label: f.Label, Text: f.Show(f.Mine)})
		}
	}
	return v.checkPage(http.StatusUnprocessableEntity, p, typed, why)
}

// submit submits a draft.
func submit(v *visit) error {
	p, err := v.place.Submit(v.ctx(), v.event, v.Params("id"),
		call.Submitting{Token: v.Value("updated_at"), Agreed: v.Value("agreement") != ""})
	if err == nil {
		return v.See(v.at(p, "done"), "")
	}
	kind := store.KindOf(err)
	if kind != store.Invalid && kind != store.Stale {
		return err
	}
	refused, faults := err, page.FaultsOf(err)
	if p, err = v.proposal(); err != nil {
		return err
	}
	lacks, err := v.lacksOwn(p)
	if err != nil {
		return err
	}
	switch {
	case kind == store.Stale:
		return v.SeeWarning(v.at(p, "check"), v.T("checked.lookagain"))
	case faults.Of("call") != "":
		return v.checkPage(http.StatusUnprocessableEntity, p, nil, faults.Of("call"))
	case lacks && len(p.Unfinished()) == 0:
		return v.See(v.ownOf(p)+"&check=1", "")
	case faults.Of("agreement") != "":
		v.Faults = components.Faults{{Field: "agreement", Message: "Tick that you agree before you submit."}}
		return v.checkPage(http.StatusUnprocessableEntity, p, nil, "")
	}
	s := formState{State: answers.State{Values: p.Values, Faults: p.Form.Faults(refused)}}
	if all := p.Unfinished(); len(all) > 0 {
		s.Faults = all
	}
	return v.formPage(http.StatusUnprocessableEntity, p, s)
}

// showSubmitted says that a proposal was submitted.
func showSubmitted(v *visit, p *call.Proposal) error {
	if p.Standing.SubmittedAt == nil {
		return v.SeeInstead(v.at(p, "edit"))
	}
	d := pages.DonePage{Public: v.sheet(v.T("sent.title")), Title: p.Session.Title, FriendlyID: p.FriendlyID,
		At: v.moment(*p.Standing.SubmittedAt, v.event), Success: p.Form.Success, Answers: v.answersOn(p.Form),
		Mine: v.path("place"), People: v.at(p, "edit") + "#people"}
	d.Questions = p.Form.QuestionsTo
	if v.w.options.Mail != nil {
		d.Mailed, d.Unproven = v.place.Account().Masked(), !v.place.Account().IsConfirmed()
	}
	_, d.Until, _ = v.clocks(p.Standing.Window)
	for _, c := range p.Asked {
		if c.State == call.Invited {
			d.Waiting = append(d.Waiting, nameOf(c))
		}
	}
	used, err := v.place.Submitted(v.ctx(), v.event)
	if err != nil {
		return err
	}
	window, err := call.WindowOf(v.ctx(), v.w.store, v.event, p.Form)
	if err != nil {
		return err
	}
	window.Until = p.Standing.Extended
	if most := p.Form.MaxProposals; window.Phase(v.w.store.Now()) == call.IsOpen && (most == nil || used < int64(*most)) {
		if d.Another = v.path("call/start"); most != nil {
			d.Used, d.Most = int(used), *most
		}
	}
	return v.Show(pages.Done(d))
}

// file sends the file of an answer.
func file(v *visit) error {
	return v.SaveFile(v.place.File(v.ctx(), v.event, v.Params("id"), v.Params("key")))
}

// withdrawForm asks for confirmation before a proposal is withdrawn.
func withdrawForm(v *visit) error { return v.withdrawPage(http.StatusOK, "") }

func (v *visit) withdrawPage(status int, reason string) error {
	p, err := v.proposal()
	if err != nil {
		return err
	}
	if !p.Rights(v.w.store.Now()).Withdraw {
		return v.SeeWarning(v.at(p), v.T("withdraw.cannot"))
	}
	return v.Render(status, pages.Withdraw(pages.WithdrawPage{Public: v.sheet(v.T("withdraw.title")),
		Title:      p.Session.Title,
		FriendlyID: p.FriendlyID, Reason: reason, Action: v.at(p, "withdraw"), Back: v.at(p)}))
}

func withdraw(v *visit) error {
	p, err := v.place.Withdraw(v.ctx(), v.event, v.Params("id"), v.Value("reason"))
	switch {
	case err == nil:
		return v.SeeUndo(v.at(p), v.T("withdraw.done"), v.at(p, "undo"))
	case call.IsRefused(err):
		return v.SeeWarning(v.path("place/proposals", v.Params("id")), v.say(err.Error()))
	}
	if err := v.refuse(err); err != nil {
		return err
	}
	return v.withdrawPage(http.StatusUnprocessableEntity, v.Value("reason"))
}

func undoWithdrawal(v *visit) error {
	p, err := v.place.UndoWithdrawal(v.ctx(), v.event, v.Params("id"))
	switch {
	case err == nil:
		return v.See(v.at(p), v.T("withdraw.undone"))
	case call.IsRefused(err):
		v.KeepNotice("warn", v.say(err.Error()))
	case store.KindOf(err) == store.TooMany:
		v.KeepNotice("warn", components.SentenceIn(v.ctx(), page.FaultsOf(err)[0]))
	default:
		return err
	}
	return v.See(v.path("place/proposals", v.Params("id")), "")
}
