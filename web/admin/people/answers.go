package people

import (
	"net/http"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/layouts"
	public "lectern/views/pages/call/public"
	"lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/answers"
	"lectern/web/page"
)

// personAnswer returns a person's answer to a question that is asked of each speaker, for their page.
func (r *roster) personAnswer(f *models.ContactField, x *models.Person) records.Answer {
	a := records.Answer{Question: f.Label, Text: cellText(f, x, nil)}
	if f.File(x) != nil {
		a.URL = personAnswersAt(r.Visit, x.ID) + "/files/" + f.Key
	}
	return a
}

// personAnswersAt returns the address of the form of a person's answers.
func personAnswersAt(v *visit.Visit, contactID string) string {
	return v.At("/speakers/" + contactID + "/answers")
}

// staffOwnWriter saves what staff answer on behalf of a speaker.
type staffOwnWriter struct {
	*visit.Visit
	id string
}

func (w staffOwnWriter) Read() (*call.OwnAnswers, error) {
	return call.Of(w.Programme).OwnAnswers(w.UserContext(), w.id)
}

func (w staffOwnWriter) Save(in call.Saving) (*call.OwnAnswers, []call.Fault, error) {
	return call.Of(w.Programme).SaveOwn(w.UserContext(), w.id, in)
}

func (w staffOwnWriter) AttachFile(key string, u models.Upload) (*call.OwnAnswers, error) {
	return call.Of(w.Programme).AttachOwn(w.UserContext(), w.id, key, u)
}

func (w staffOwnWriter) RemoveFile(key string) (*call.OwnAnswers, error) {
	return call.Of(w.Programme).RemoveOwn(w.UserContext(), w.id, key)
}

// personAnswersForm shows organizers the form of what each speaker is asked.
func personAnswersForm(v *visit.Visit, r *roster) error {
	x := r.person
	a, err := staffOwnWriter{v, x.ID}.Read()
	if err != nil {
		return err
	}
	return personAnswersPage(v, http.StatusOK, x, a, answers.State{Values: a.Values})
}

func personAnswersPage(v *visit.Visit, status int, x *models.Person, a *call.OwnAnswers, state answers.State) error {
	shown := sessions.AnswersPage{Action: personAnswersAt(v, x.ID), UpdatedAt: a.Token(), First: answers.First(a),
		Record: records.Record{Name: x.FullName, URL: v.At("/speakers/" + x.ID)},
		Says:   "Asked of each speaker. Who speaks with them and who reviews does not read it.",
		Parts:  public.Parts(a.Form, state.Values, state.Faults, a.Files)}
	if a.IsAccepted {
		public.Due(shown.Parts, a.Form.Owed(state.Values))
	}
	for i := range shown.Parts {
		for n, q := range shown.Parts[i].Questions {
			if q.File != nil {
				shown.Parts[i].Questions[n].FileURL = shown.Action + "/files/" + q.ID
			}
		}
	}
	shown.Faults = public.FaultsView{Parts: shown.Parts, Faults: state.Faults, NotKept: state.NotKept, Lost: state.Lost,
		IsOwn: true, Rest: "The other answers are saved."}
	return visit.Show(v, status, "Answers of "+x.FullName, sessions.Answers, shown)
}

func savePersonAnswers(v *visit.Visit, r *roster) error {
	x := r.person
	stead := staffOwnWriter{v, x.ID}
	a, err := stead.Read()
	if err != nil {
		return err
	}
	form := answers.Of[*call.OwnAnswers](v.Visit, stead, a)
	saved, faults, err := form.Save()
	switch store.KindOf(err) {
	case store.Stale:
		return personAnswersConflict(v, x, stead, form)
	case store.Invalid:
		return personAnswersPage(v, http.StatusUnprocessableEntity, x, a, form.Refused(a, err))
	}
	if err != nil {
		return err
	}
	state := form.Saved(saved, faults)
	if saved, err = form.KeepFiles(saved, &state); err != nil {
		return err
	}
	switch {
	case len(state.Faults) > 0:
		return personAnswersPage(v, http.StatusUnprocessableEntity, x, saved, state)
	case len(state.Lost) > 0:
		return personAnswersPage(v, http.StatusOK, x, saved, state)
	case v.Value("remove_file") != "":
		return v.See(personAnswersAt(v, x.ID), "The file is removed, and all else is saved.")
	}
	return v.See(v.At("/speakers/"+x.ID)+"#answers", "The answers are saved.")
}

// personAnswersConflict has staff choose, answer by answer, between what they sent and what is stored now.
func personAnswersConflict(v *visit.Visit, x *models.Person, stead staffOwnWriter,
	form *answers.Form[*call.OwnAnswers]) error {
	a, err := stead.Read()
	if err != nil {
		return err
	}
	c, changed := page.Clashes(a.Token(), form.Edited(a))
	if len(changed) == 0 {
		changed = []string{"these answers"}
	}
	c.Who = x.FullName + ", or somebody of the staff, changed " + visit.Enumerated(changed)
	c.Action, c.Discard = personAnswersAt(v, x.ID), personAnswersAt(v, x.ID)
	return visit.Show(v, http.StatusConflict, "Answers of "+x.FullName, layouts.Clashing, layouts.ClashPage{Conflict: *c})
}

// personAnswerFile sends the file of a person's answer to users who may read it.
func personAnswerFile(v *visit.Visit, r *roster) error {
	for _, f := range r.fields {
		if file := f.File(r.person); f.Part == models.Answered && f.Key == v.Params("question") && file != nil {
			return page.SendFile(v.UserContext(), v.Ctx, v.Store, file, "attachment")
		}
	}
	return store.Missing("There is no such file.")
}
