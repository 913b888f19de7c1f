package call

import (
	"net/http"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	pages "lectern/views/pages/call/public"
	"lectern/web/answers"
)

// proposal reads the proposal of the path.
func (v *visit) proposal() (*call.Proposal, error) { return v.proposalAt(v.event, v.Params("id")) }

// proposalAt reads a proposal at an event.
func (v *visit) proposalAt(e *models.Event, id string) (*call.Proposal, error) {
	p, err := v.place.Proposal(v.ctx(), e, id)
	if err == nil {
		v.worded(p.Form)
	}
	return p, err
}

// worded translates, in a form read for this answer alone, the texts that staff left as they were.
func (v *visit) worded(f *call.Form) {
	for _, part := range f.Parts {
		part.Title, part.Help = v.TranslateDefault(part.Title), v.TranslateDefault(part.Help)
	}
	for _, q := range f.Questions() {
		q.Label, q.Help = v.TranslateDefault(q.Label), v.TranslateDefault(q.Help)
	}
}

// at returns an address below a proposal's.
func (v *visit) at(p *call.Proposal, parts ...string) string {
	return v.path(append([]string{"place/proposals", p.ID}, parts...)...)
}

// onProposal hands the proposal of the path to a handler.
func onProposal(handle func(*visit, *call.Proposal) error) handler {
	return func(v *visit) error {
		p, err := v.proposal()
		if err != nil {
			return err
		}
		return handle(v, p)
	}
}

// proposalForm shows the form of a proposal; with check it says what is still missing.
func proposalForm(v *visit, p *call.Proposal) error {
	if !p.Rights(v.w.store.Now()).Writes() {
		return v.SeeInstead(v.at(p, "check"))
	}
	s := formState{State: answers.State{Values: p.Values}}
	if v.Query("check") != "" {
		s.Faults = p.Unfinished()
	}
	return v.formPage(http.StatusOK, p, s)
}

// formState is what the form of a proposal shows besides the stored answers.
type formState struct {
	answers.State
	invite pages.PeopleView // what was typed to invite somebody
}

func (v *visit) formPage(status int, p *call.Proposal, s formState) error {
	now := v.w.store.Now()
	rights := p.Rights(now)
	places, err := p.Form.PlacesOf(v.w.store.Read(v.ctx()), p.ID)
	if err != nil {
		return err
	}
	f := pages.FormPage{Public: v.sheet(v.T("write.title")), Action: v.at(p, "edit"), UpdatedAt: p.Token(), Faults: s.Faults,
		NotKept: s.NotKept, Lost: s.Lost, First: answers.First(p), Submitted: p.IsSubmitted(), OnlyOwed: !rights.Answer, Own: v.at(p)}
	f.Scripts = []string{pages.QuestionScript, pages.FormScript, pages.SizeScript}
	f.Questions = p.Form.QuestionsTo
	if len(s.Faults) > 0 {
		f.Title = v.T("form.error", "Title", f.Title)
	}
	if !p.IsSubmitted() {
		f.SaveTo = v.at(p, "save")
	}
	if account := v.place.Account(); v.w.options.Mail != nil && !p.IsSubmitted() {
		f.Account, f.SendAgain = account.Masked(), v.at(p, "edit")
	}
	if !f.OnlyOwed {
		_, f.Closes, f.Days = v.clocks(p.Standing.Window)
	}
	f.Parts = v.parts(p, s, places, !rights.Answer)
	if s.NotKept == 0 {
		f.Saved = p.UpdatedAt.In(v.zone()).Format("15:04")
	}
	f.People = v.people(p, s.invite)
	if f.OwnPart, err = v.ownPart(p.Event, p.Form, nil); err != nil {
		return err
	}
	return v.Render(status, pages.Form(f))
}

// parts returns the parts of the form; with onlyOwed, only the questions that may be answered after acceptance.
func (v *visit) parts(p *call.Proposal, s formState, places call.Places, onlyOwed bool) (shown []pages.PartView) {
	parts := pages.Parts(p.Form, s.Values, s.Faults, p.Files)
	if p.Status == models.Accepted {
		pages.Due(parts, p.Form.Owed(s.Values))
	}
	for _, part := range parts {
		var questions []pages.QuestionView
		for _, q := range part.Questions {
			if onlyOwed && q.Required != call.Later {
				continue
			}
			if q.File != nil {
				q.FileURL = v.at(p, "files", q.Key)
			}
			for i, offer := range p.Form.Offered(q.Question) {
				if offer.Limit > 0 && places.Left(q.Key, offer) == 0 {
					q.Choices[i].Full = true
				}
			}
			questions = append(questions, q)
		}
		if part.Questions = questions; len(questions) > 0 || !onlyOwed {
			shown = append(shown, part)
		}
	}
	return shown
}

// people returns who speaks, and who was invited to.
func (v *visit) people(p *call.Proposal, typed pages.PeopleView) pages.PeopleView {
	rights := p.Rights(v.w.store.Now())
	typed.MayInvite, typed.Unproven = rights.Invite, !v.place.Account().IsConfirmed()
	typed.Most = v.N("people.most", p.Form.MaxSpeakers)
	asked := map[string]*call.CoSpeaker{}
	for _, c := range p.Asked {
		if c.State == call.Joined {
			asked[c.ContactID] = c
		}
	}
	for _, x := range p.Participants {
		row := pages.PersonView{Name: x.FullName, About: v.T("join." + string(x.Role))}
		if x.ContactID == p.ContactID {
			row.About = v.T("people.you")
		}
		if x.About != "" {
			row.Look, row.Icon, row.State = "accepted", "check", v.T("people.filled")
		}
		if c := asked[x.ContactID]; c != nil {
			row.ID, row.MayRemove = c.ID, rights.Invite && x.ContactID != p.ContactID
		}
		typed.Rows = append(typed.Rows, row)
	}
	for _, c := range p.Asked {
		day := v.DayShort(c.CreatedAt.In(v.event.Location()))
		row := pages.PersonView{ID: c.ID, Name: nameOf(c), About: c.Email, MayRemove: rights.Invite}
		switch c.State {
		case call.Invited:
			row.IsWaiting, row.Look, row.Icon, row.State = true, "pending", "clock", v.T("people.invited", "Day", day)
			if row.MayRemind = rights.Invite && !typed.Unproven; typed.Unproven {
				row.State = v.T("people.notinvited")
			}
			typed.Waiting++
		case call.Refused:
			row.Look, row.Icon, row.State = "declined", "x", v.T("people.saidno")
		default:
			continue
		}
		typed.Rows = append(typed.Rows, row)
	}
	return typed
}

func nameOf(c *call.CoSpeaker) string {
	if c.Name != "" {
		return c.Name
	}
	return c.Email
}

// proposalWriter saves one proposal of the speaker.
type proposalWriter struct {
	*visit
	id string
}

func (w proposalWriter) Read() (*call.Proposal, error) { return w.proposalAt(w.event, w.id) }

func (w proposalWriter) Save(in call.Saving) (*call.Proposal, []call.Fault, error) {
	p, faults, err := w.place.Save(w.ctx(), w.event, w.id, in)
	if err == nil {
		w.worded(p.Form)
	}
	return p, faults, err
}

func (w proposalWriter) AttachFile(key string, u models.Upload) (*call.Proposal, error) {
	return w.place.AttachFile(w.ctx(), w.event, w.id, key, u)
}

func (w proposalWriter) RemoveFile(key string) (*call.Proposal, error) {
	return w.place.RemoveFile(w.ctx(), w.event, w.id, key)
}

// sent reads the form of a proposal.
func (v *visit) sent(p *call.Proposal) *answers.Form[*call.Proposal] {
	return answers.Of[*call.Proposal](v.Visit, proposalWriter{v, p.ID}, p)
}

// tooLarge returns the faults of the files in a form of which only the fields were read.
func (v *visit) tooLarge(form *call.Form) (faults []call.Fault) {
	for _, q := range form.Questions() {
		size, came := v.skimmed[q.Field()]
		if !came {
			continue
		}
		err := store.Invalidf(q.Key, "was not kept, as what came with it was too large. Choose it again")
		if size > int64(q.Bytes()) {
			err = q.Takes("", size, nil)
		}
		faults = append(faults, form.Faults(err)...)
	}
	return faults
}

// saveForm takes the form of a proposal. What was typed is saved first, whatever else the button does.
func saveForm(v *visit, p *call.Proposal) error {
	form := v.sent(p)
	saved, faults, err := form.Save()
	if store.KindOf(err) == store.Stale {
		if p, err = v.proposal(); err != nil {
			return err
		}
		return v.conflictPage(v.clashes(p.Token(), form.Edited(p), v.at(p, "edit"), "write.changedby",
			v.T("write.thisproposal")))
	}
	switch kind := store.KindOf(err); {
	case call.IsRefused(err):
		return v.notSaved(p, form, err.Error())
	case kind == store.Invalid, kind == store.TooMany:
		return v.formPage(http.StatusUnprocessableEntity, p, formState{State: form.Refused(p, err)})
	case err != nil:
		return err
	}
	s := formState{State: form.Saved(saved, append(faults, v.tooLarge(saved.Form)...))}
	if saved, err = form.KeepFiles(saved, &s.State); err != nil {
		return err
	}
	return v.press(saved, s)
}
