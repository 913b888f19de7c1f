package call

import (
	"net/http"
	"net/url"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/web/answers"
)

// ownWriter saves the speaker's own answers to what each speaker is asked.
type ownWriter struct{ *visit }

func (w ownWriter) Read() (*call.OwnAnswers, error) {
	a, err := w.place.OwnAnswers(w.ctx(), w.event)
	if err == nil {
		w.worded(a.Form)
	}
	return a, err
}

func (w ownWriter) Save(in call.Saving) (*call.OwnAnswers, []call.Fault, error) {
	return w.place.SaveOwn(w.ctx(), w.event, in)
}

func (w ownWriter) AttachFile(key string, u models.Upload) (*call.OwnAnswers, error) {
	return w.place.AttachOwn(w.ctx(), w.event, key, u)
}

func (w ownWriter) RemoveFile(key string) (*call.OwnAnswers, error) {
	return w.place.RemoveOwn(w.ctx(), w.event, key)
}

// ownForm shows the form of what each speaker is asked; with check it says what is still missing.
func ownForm(v *visit) error {
	a, err := ownWriter{v}.Read()
	if err != nil {
		return err
	}
	s := answers.State{Values: a.Values}
	if v.Query("check") != "" {
		s.Faults = a.Missing()
	}
	return v.ownPage(http.StatusOK, a, s)
}

func (v *visit) ownPage(status int, a *call.OwnAnswers, s answers.State) error {
	p := pages.OwnPage{Public: v.sheet(v.T("place.about")), Action: v.path("place/answers"), UpdatedAt: a.Token(),
		First: answers.First(a),
		Back:  v.path("place"), Why: a.Why, Proposal: v.proposalMeant()}
	p.Scripts = []string{pages.QuestionScript, pages.SizeScript}
	if len(s.Faults) > 0 {
		p.Title = v.T("form.error", "Title", p.Title)
	}
	p.Parts = pages.Parts(a.Form, s.Values, s.Faults, a.Files)
	if a.IsAccepted {
		pages.Due(p.Parts, a.Form.Owed(s.Values))
	}
	for i := range p.Parts {
		for n, q := range p.Parts[i].Questions {
			if q.File != nil {
				p.Parts[i].Questions[n].FileURL = v.path("place/answers/files", q.Key)
			}
		}
	}
	p.Faults = pages.FaultsView{Parts: p.Parts, Faults: s.Faults, NotKept: s.NotKept, Lost: s.Lost,
		IsOwn: true, Rest: v.T("write.otherssaved")}
	p.Said = v.ownSaid(a)
	return v.Render(status, pages.Own(p))
}

// proposalMeant returns the id of the proposal that the speaker came from, and goes on with; "" for none.
func (v *visit) proposalMeant() string {
	id := v.Query("proposal")
	if !v.Reads() {
		id = v.Value("proposal")
	}
	if !store.IsID(id) {
		return ""
	}
	return id
}

// ownSaid returns the given answers, in words.
func (v *visit) ownSaid(a *call.OwnAnswers) (said []pages.AnswerText) {
	for _, q := range a.Form.Asked(a.Values) {
		one := pages.AnswerText{Label: q.Label, Text: v.inWords(&a.Filled, q)}
		if a.Files[q.Key] != nil {
			one.URL = v.path("place/answers/files", q.Key)
		}
		if one.Text != "" {
			said = append(said, one)
		}
	}
	return said
}

// saveOwn takes the form of what each speaker is asked.
func saveOwn(v *visit) error {
	a, err := ownWriter{v}.Read()
	if err != nil {
		return err
	}
	form := answers.Of[*call.OwnAnswers](v.Visit, ownWriter{v}, a)
	saved, faults, err := form.Save()
	if store.KindOf(err) == store.Stale {
		return v.ownConflict(form, v.path("place/answers"))
	}
	switch {
	case call.IsRefused(err):
		return v.SeeWarning(v.path("place"), err.Error())
	case store.KindOf(err) == store.Invalid:
		return v.ownPage(http.StatusUnprocessableEntity, a, form.Refused(a, err))
	case err != nil:
		return err
	}
	s := form.Saved(saved, append(faults, v.tooLarge(saved.Form)...))
	if saved, err = form.KeepFiles(saved, &s); err != nil {
		return err
	}
	switch {
	case len(s.Faults) > 0:
		return v.ownPage(http.StatusUnprocessableEntity, saved, s)
	case len(s.Lost) > 0:
		return v.ownPage(http.StatusOK, saved, s)
	}
	return v.pressOwn(saved)
}

// pressOwn does what the pressed button is for, after everything was saved.
func (v *visit) pressOwn(a *call.OwnAnswers) error {
	id := v.proposalMeant()
	again := v.path("place/answers") + "?proposal=" + id
	switch {
	case v.Value("remove_file") != "":
		return v.See(again, v.T("write.fileremoved"))
	case v.Value("do") == "check" && len(a.Missing()) > 0:
		return v.SeeInstead(again + "&check=1")
	case v.Value("do") == "check" && id != "":
		return v.SeeInstead(v.path("place/proposals", id, "check"))
	case v.Value("do") == "back" && id != "":
		return v.See(v.path("place/proposals", id, "edit"), v.T("own.aboutsaved"))
	}
	return v.See(v.path("place"), v.T("own.saved"))
}

// ownConflict has the speaker choose between what they typed into the form at an address and what is stored now.
func (v *visit) ownConflict(form *answers.Form[*call.OwnAnswers], address string, kept ...components.Hidden) error {
	a, err := ownWriter{v}.Read()
	if err != nil {
		return err
	}
	c := v.clashes(a.Token(), form.Edited(a), address, "own.changedby", v.T("own.these"))
	c.Kept = append(c.Kept, kept...)
	return v.conflictPage(c)
}

// ownFile sends the file of an answer.
func ownFile(v *visit) error {
	return v.SaveFile(v.place.OwnFile(v.ctx(), v.event, v.Params("key")))
}

// ownOf returns the address where the writer of a proposal answers what each speaker is asked.
func (v *visit) ownOf(p *call.Proposal) string {
	return v.path("place/answers") + "?proposal=" + url.QueryEscape(p.ID)
}

// lacksOwn tells whether missing answers about themselves keep the speaker from submitting.
func (v *visit) lacksOwn(p *call.Proposal) (bool, error) {
	a, err := v.place.OwnBeside(v.ctx(), p.Event, p.Form)
	return a != nil && len(a.Form.Unfinished(a.Values)) > 0, err
}

// ownPart says how far the speaker is with what each speaker is asked at an event, without the questions that are asked
// elsewhere; nil where none are left.
func (v *visit) ownPart(event *models.Event, form *call.Form, elsewhere map[string]bool) (*pages.OwnPart, error) {
	a, err := v.place.OwnBeside(v.ctx(), event, form)
	if a == nil || err != nil {
		return nil, err
	}
	part := &pages.OwnPart{URL: pathOf(event, "place/answers"), IsFixed: a.Why != ""}
	for _, fault := range a.Missing() {
		if !elsewhere[fault.Key] {
			part.Missing++
		}
	}
	here, open := 0, 0
	for _, q := range a.Form.Asked(a.Values) {
		if elsewhere[q.Key] {
			continue
		}
		if here++; a.Values[q.Key] == "" {
			open++
		}
	}
	switch {
	case here == 0:
		return nil, nil
	case part.Missing > 0:
		part.Says = v.N("own.needed", part.Missing)
	case open > 0:
		part.Says = v.N("own.more", open)
	default:
		part.Says = v.T("own.all")
	}
	return part, nil
}

// askedByTasks returns the questions, by key, of the speaker's unfinished tasks at the event; the tasks say that they
// are needed.
func (v *visit) askedByTasks(form *call.Form) (map[string]bool, error) {
	mine, err := v.myTasks()
	own, asked := form.Of(call.OfSpeaker), map[string]bool{}
	for _, m := range mine {
		if m.Task.Kind != tasks.Form || !m.IsMissing() || m.Task.PartID == nil {
			continue
		}
		if part := own.Part(m.Task.PartID); part != nil {
			for _, q := range part.Questions {
				asked[q.Key] = true
			}
		}
	}
	return asked, err
}

// ownChecked returns the answers about themselves, for the speaker to check before submitting.
func (v *visit) ownChecked(p *call.Proposal) (parts []pages.CheckPart, err error) {
	a, err := v.place.OwnBeside(v.ctx(), p.Event, p.Form)
	if a == nil || err != nil {
		return nil, err
	}
	parts = v.checkParts(&a.Filled, nil)
	for i := range parts {
		parts[i].IsOwn = true
		if a.Why == "" {
			parts[i].Edit = v.ownOf(p)
		}
	}
	return parts, nil
}
