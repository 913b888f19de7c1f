package call

import (
	"net/http"
	"slices"

	"lectern/models/call"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/web/answers"
	"lectern/web/page"
)

// taskForm adds the questions that a task asks: one section of what each speaker is asked. sent is what was sent but
// not saved, nil for nothing.
func (v *visit) taskForm(p *pages.TaskPage, s *tasks.Sheet, sent *answers.State) error {
	a, err := ownWriter{v}.Read()
	if store.KindOf(err) == store.NotFound { // the call was deleted
		return nil
	}
	if err != nil {
		return err
	}
	at := slices.IndexFunc(a.Form.Parts, func(part *call.Part) bool { return s.Task.PartID != nil && part.ID == *s.Task.PartID })
	if at < 0 {
		return nil
	}
	if a.Why != "" || p.IsFixed {
		p.IsFixed, p.FormSaid = true, v.saidIn(a, a.Form.Parts[at])
		if a.Why != "" && p.Said == "" {
			p.Said = v.say(a.Why)
		}
		return nil
	}
	state := answers.State{Values: a.Values}
	if sent != nil {
		state = *sent
	} else if v.Query("check") != "" {
		state.Faults = a.MissingIn(*s.Task.PartID)
	}
	parts := pages.Parts(a.Form, state.Values, state.Faults, a.Files)
	pages.Due(parts, nil) // due now, whatever the call says
	part := parts[at].Alone()
	for i, q := range part.Questions {
		if q.File != nil {
			part.Questions[i].FileURL = v.path("place/answers/files", q.Key)
		}
	}
	p.Form = &pages.TaskForm{UpdatedAt: a.Token(), Part: part, First: firstOf(a, part), Faults: pages.FaultsView{
		Parts: []pages.PartView{part}, Faults: state.Faults, NotKept: state.NotKept, Lost: state.Lost, IsOwn: true,
		Rest: v.T("write.otherssaved")}}
	p.Scripts = append(p.Scripts, pages.QuestionScript)
	return nil
}

// firstOf returns the present values of a part's questions, which the form sends along.
func firstOf(a *call.OwnAnswers, part pages.PartView) []components.Hidden {
	return slices.DeleteFunc(answers.First(a), func(h components.Hidden) bool {
		return !slices.ContainsFunc(part.Questions, func(q pages.QuestionView) bool {
			return h.Name == components.FirstPrefix+q.Field()
		})
	})
}

// saidIn returns the answers to a part's questions, in words.
func (v *visit) saidIn(a *call.OwnAnswers, part *call.Part) []pages.AnswerText {
	labels := map[string]bool{}
	for _, q := range part.Questions {
		labels[q.Label] = true
	}
	return slices.DeleteFunc(v.ownSaid(a), func(one pages.AnswerText) bool { return !labels[one.Label] })
}

// answerTask saves the answers, and finishes the task once none is missing. The answers are saved even if the task was
// taken away meanwhile.
func (v *visit) answerTask() error {
	s, gone := v.task()
	if gone != nil && store.KindOf(gone) != store.NotFound {
		return gone
	}
	a, err := ownWriter{v}.Read()
	if store.KindOf(err) == store.NotFound && gone == nil {
		return v.taskRefused(store.Invalidf("task", "does not take that: it was changed meanwhile. Look at it again"), taskSent{})
	}
	if err != nil {
		return err
	}
	form := answers.Of[*call.OwnAnswers](v.Visit, ownWriter{v}, a)
	saved, faults, err := form.Save()
	if store.KindOf(err) == store.Stale {
		return v.ownConflict(form, v.Path(), components.Hidden{Name: "form", Value: "1"})
	}
	var state answers.State
	switch {
	case call.IsRefused(err):
		return v.SeeWarning(v.Path(), err.Error())
	case store.KindOf(err) == store.Invalid:
		state = form.Refused(a, err)
	case err != nil:
		return err
	default:
		state = form.Saved(saved, append(faults, v.tooLarge(saved.Form)...))
		if _, err = form.KeepFiles(saved, &state); err != nil {
			return err
		}
	}
	switch {
	case gone != nil:
		return v.SeeWarning(v.path("place/tasks"), v.T("task.goneanswers"))
	case len(state.Faults) > 0, len(state.Lost) > 0:
		return v.taskPage(http.StatusUnprocessableEntity, s, taskSent{form: &state})
	}
	return v.finishTask(s)
}

// finishTask finishes a task of questions, or says which are missing.
func (v *visit) finishTask(s *tasks.Sheet) error {
	if v.Value("remove_file") != "" {
		return v.See(v.Path(), v.T("write.fileremoved"))
	}
	if isFixed(s) { // fixed since the page was opened
		return v.See(v.Path(), v.T("own.saved"))
	}
	err := v.tasks().Finish(v.ctx(), s.TaskID, s.OwnerID())
	switch {
	case store.KindOf(err) == store.NotFound:
		return v.SeeWarning(v.path("place/tasks"), v.T("task.goneanswers"))
	case store.KindOf(err) == store.Invalid && len(page.FaultsOf(err)) > 0 && page.FaultsOf(err)[0].Field != "task":
		return v.SeeInstead(v.Path() + "?check=1")
	case err != nil:
		return v.taskRefused(err, taskSent{})
	}
	return v.See(v.Path(), v.T("own.saved"))
}
