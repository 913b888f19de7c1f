package sessions

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/layouts"
	public "lectern/views/pages/call/public"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/answers"
	"lectern/web/page"
)

// Asking returns the form of the event's call; nil where it has none.
func Asking(v *visit.Visit) (*call.Form, error) {
	form, err := call.FormOf(v.UserContext(), v.Store, v.Event)
	if store.KindOf(err) == store.NotFound {
		return nil, nil
	}
	return form, err
}

// besideForm splits a submission's answers: it returns the submission without those that the call's form asks for, and
// those, which have a form of their own.
func besideForm(v *visit.Visit, s *models.Session) (*models.Session, models.AnswersInput, error) {
	if !s.IsAbstract {
		return s, nil, nil
	}
	form, err := Asking(v)
	if err != nil || form == nil {
		return s, nil, err
	}
	var asked models.AnswersInput
	rest := *s
	rest.CustomFields = nil
	for _, a := range s.CustomFields {
		if form.Question(a.Key) != nil {
			asked = append(asked, a)
		} else {
			rest.CustomFields = append(rest.CustomFields, a)
		}
	}
	return &rest, asked, nil
}

// answersAt returns the address of a submission's answers.
func answersAt(v *visit.Visit, id string) string { return v.At("/sessions/" + id + "/answers") }

// answersShown returns the answers of a record that this user sees, with links to their files.
func answersShown(v *visit.Visit, s *models.Session, r *call.Record) (shown []records.Answer) {
	if len(s.CustomFields) == 0 {
		return nil
	}
	for _, a := range v.Sight().Seen(s.CustomFields) {
		answer := records.Answer{Question: v.Sight().Label(a.Key), Text: v.Sight().Says(a)}
		if r.Files[a.Key] != nil {
			answer.URL = answersAt(v, s.ID) + "/files/" + url.PathEscape(a.Key)
		}
		shown = append(shown, answer)
	}
	return shown
}

// staffProposalWriter saves what staff fill in on behalf of the people of one submission.
type staffProposalWriter struct {
	*visit.Visit
	id string
}

func (w staffProposalWriter) Read() (*call.Proposal, error) {
	return theCallOf(w.Visit).Proposal(w.UserContext(), w.id)
}

func (w staffProposalWriter) Save(in call.Saving) (*call.Proposal, []call.Fault, error) {
	return theCallOf(w.Visit).Save(w.UserContext(), w.id, in)
}

func (w staffProposalWriter) AttachFile(key string, u models.Upload) (*call.Proposal, error) {
	return theCallOf(w.Visit).AttachFile(w.UserContext(), w.id, key, u)
}

func (w staffProposalWriter) RemoveFile(key string) (*call.Proposal, error) {
	return theCallOf(w.Visit).RemoveFile(w.UserContext(), w.id, key)
}

// answersForm shows staff the form of the call with a submission's answers; the editor where there is no such form.
func answersForm(v *visit.Visit, s *models.Session) error {
	p, err := theCallOf(v).Proposal(v.UserContext(), s.ID)
	if store.KindOf(err) == store.NotFound {
		return v.SeeInstead(v.At("/sessions/"+s.ID+"/edit") + lists.PlaceQuery(v))
	}
	if err != nil {
		return err
	}
	state := answers.State{Values: p.Values}
	if v.Query("check") != "" {
		state.Faults = p.Unfinished()
	}
	return answersPage(v, http.StatusOK, p, state)
}

func answersPage(v *visit.Visit, status int, p *call.Proposal, state answers.State) error {
	from := lists.CameFrom(v, p.Session)
	v.Section = v.At("/" + from.Kind)
	shown := pages.AnswersPage{Action: answersAt(v, p.ID) + lists.PlaceQuery(v), UpdatedAt: p.Token(),
		First:  answers.First(p),
		Record: records.Record{Name: p.FriendlyID + " " + p.Title, URL: v.At("/sessions/"+p.ID) + lists.PlaceQuery(v)},
		Parts:  answersParts(v, p, state), IsDraft: !p.IsSubmitted(), Agreement: p.Form.Agreement}
	shown.AsItIs = shown.IsDraft && len(state.Faults) > 0 && state.NotKept == 0
	shown.Faults = public.FaultsView{Parts: shown.Parts, Faults: state.Faults, NotKept: state.NotKept, Lost: state.Lost,
		Rest: "The other answers are saved."}
	if shown.AsItIs {
		shown.Faults.Rest = "What is there is saved, and can stay a draft."
	}
	who, err := whoseProposal(v, p)
	if err != nil {
		return err
	}
	title := "Answers of " + p.FriendlyID
	shown.Says = "Staff can change them whatever the call says. Other services hear of it."
	if shown.IsDraft {
		title = "The form of the call for " + cmp.Or(who, p.FriendlyID)
		shown.Says = "Call for papers: " + visit.WindowSays(v) + " What staff fill in is bound neither by that nor by limits."
	}
	if p.CompositionStatus.IsReadOnly {
		composed, err := composed(v, p.Session)
		if err != nil {
			return err
		}
		shown.Shared = composed[0]
	}
	return visit.Show(v, status, title, pages.Answers, shown)
}

// whoseProposal returns the name of the person who began a submission, else of the first person on it; "" for nobody.
func whoseProposal(v *visit.Visit, p *call.Proposal) (string, error) {
	if at := PlaceOn(p.Session, p.ContactID); at >= 0 {
		return p.Participants[at].FullName, nil
	}
	if p.ContactID == "" {
		return "", nil
	}
	who, err := v.Programme.Contact(v.UserContext(), p.ContactID)
	switch {
	case store.KindOf(err) == store.NotFound:
		return "", nil
	case err != nil:
		return "", err
	}
	return who.FullName, nil
}

// answersParts returns the parts of the form without questions that are answered elsewhere, or that nobody could be
// asked. Staff may choose options that are full.
func answersParts(v *visit.Visit, p *call.Proposal, state answers.State) []public.PartView {
	parts := public.Parts(p.Form, state.Values, state.Faults, p.Files)
	if p.Status == models.Accepted {
		public.Due(parts, p.Form.Owed(state.Values))
	}
	for i := range parts {
		parts[i].Questions = slices.DeleteFunc(parts[i].Questions, func(q public.QuestionView) bool {
			return p.IsElsewhere(q.Question) || q.Standard == call.Biography && p.ContactID == ""
		})
		for n, q := range parts[i].Questions {
			if q.File != nil {
				parts[i].Questions[n].FileURL = answersAt(v, p.ID) + "/files/" + url.PathEscape(q.Key)
			}
		}
	}
	return parts
}

// saveAnswers takes a submission's form. What was typed is saved first, whatever else the button does.
func saveAnswers(v *visit.Visit, s *models.Session) error {
	p, err := theCallOf(v).Proposal(v.UserContext(), s.ID)
	if err != nil {
		return err
	}
	form := answers.Of[*call.Proposal](v.Visit, staffProposalWriter{v, s.ID}, p)
	saved, faults, err := form.Save()
	switch store.KindOf(err) {
	case store.Stale:
		return answersConflict(v, s.ID, form)
	case store.Invalid:
		return answersPage(v, http.StatusUnprocessableEntity, p, form.Refused(p, err))
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
		return answersPage(v, http.StatusUnprocessableEntity, saved, state)
	case len(state.Lost) > 0:
		return answersPage(v, http.StatusOK, saved, state)
	}
	return pressAnswers(v, saved, state)
}

// pressAnswers does what the pressed button is for, after everything was saved.
func pressAnswers(v *visit.Visit, p *call.Proposal, state answers.State) error {
	record, do := v.At("/sessions/"+p.ID)+lists.PlaceQuery(v), v.Value("do")
	switch {
	case v.Value("remove_file") != "":
		return v.See(answersAt(v, p.ID)+lists.PlaceQuery(v), "The file is removed, and all else is saved.")
	case do == "submit" || do == "as-it-is":
		return submitFor(v, p, state, do == "as-it-is", record)
	case p.IsSubmitted():
		return v.See(record, "The answers are saved."+missing(p))
	}
	return v.See(record, "Kept as a draft."+missing(p))
}

// missing says what a submission lacks, "" for nothing.
func missing(p *call.Proposal) string {
	labels := store.Map(p.Unfinished(), func(f call.Fault) string { return "“" + visit.Cut(f.Label) + "”" })
	switch {
	case len(labels) == 0:
		return ""
	case len(labels) > 3:
		return " " + visit.Counted(int64(len(labels)), "answer is", "answers are") + " still missing or too long."
	}
	return " Still missing or too long: " + strings.Join(labels, ", ") + "."
}

// submitFor submits a draft on behalf of its people; where something is missing, it shows the form with faults.
func submitFor(v *visit.Visit, p *call.Proposal, state answers.State, asItIs bool, record string) error {
	_, err := theCallOf(v).SubmitFor(v.UserContext(), p.ID, call.SubmittingFor{Token: p.UpdatedAt, AsItIs: asItIs})
	switch kind := store.KindOf(err); {
	case kind == store.Stale, kind == store.Invalid && page.FaultsOf(err).Of("status") != "":
		return v.SeeWarning(record, "Your answers are saved. Somebody changed it meanwhile: look at it once more.")
	case kind == store.Invalid:
		state.Faults = p.Unfinished()
		return answersPage(v, http.StatusUnprocessableEntity, p, state)
	}
	return v.Done(err, record, submittedFor)
}

// answersConflict has staff choose, answer by answer, between what they sent and what is stored now.
func answersConflict(v *visit.Visit, id string, form *answers.Form[*call.Proposal]) error {
	p, err := theCallOf(v).Proposal(v.UserContext(), id)
	if err != nil {
		return err
	}
	c, changed := page.Clashes(p.Token(), form.Edited(p))
	if c.Who, err = v.WhoChanged(p.ID, changed, p.UpdatedAt); err != nil {
		return err
	}
	c.Action, c.Discard = answersAt(v, id)+lists.PlaceQuery(v), answersAt(v, id)+lists.PlaceQuery(v)
	return visit.Show(v, http.StatusConflict, "Answers of "+p.FriendlyID, layouts.Clashing, layouts.ClashPage{Conflict: *c})
}

// answerFile sends the file of an answer to users who see that answer.
func answerFile(v *visit.Visit, s *models.Session) error { return v.SendAnswer(s.ID, v.Sight()) }
