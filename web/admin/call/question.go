package call

import (
	"context"
	"net/http"
	"slices"

	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// questionAt is the question of the path, with the form that it belongs to.
type questionAt struct {
	*call.Question
	form *call.Form
}

func callQuestion(v *visit.Visit) (*questionAt, error) {
	f, err := callForm(v)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(f.Questions(), func(q *call.Question) bool { return q.ID == v.Params("question") })
	if i < 0 {
		return nil, store.Missing("There is no such question in this form. It may have been removed.")
	}
	return &questionAt{f.Questions()[i], f}, nil
}

func newCallQuestion(v *visit.Visit, f *call.Form) error {
	part := v.Query("part")
	if f.Part(&part) == nil {
		part = f.Parts[len(f.Parts)-1].ID
	}
	e := page.Opened(store.Time{}, questionFields(&questionAt{nil, f}))
	e.Set("part", part)
	return callQuestionPage(v, http.StatusOK, &questionAt{nil, f}, e)
}

func callQuestionForm(v *visit.Visit, q *questionAt) error {
	return callQuestionPage(v, http.StatusOK, q, page.Opened(q.form.UpdatedAt, questionFields(q)))
}

// callQuestionPage shows the form of a question; q.Question is nil for a new one.
func callQuestionPage(v *visit.Visit, status int, q *questionAt, e *page.Edit) error {
	title := "New question"
	p := pages.QuestionPage{Edit: e.Shown(), New: q.Question == nil, Action: v.At("/call/questions/new"),
		Cancel: v.At("/call#part-" + e.Of("part"))}
	asked := q.Question
	if asked == nil {
		asked = &call.Question{Type: field.Type(e.Of("type"))}
	} else {
		title = asked.Label
		p.Action, p.Cancel = v.At("/call/questions/"+asked.ID), v.At("/call#question-"+asked.ID)
		p.Broken, p.Standard = q.form.Broken(asked), string(asked.Standard)
		if asked.Standard == "" {
			p.Key = asked.Key
		}
		answers, err := theCall(v).Answered(v.UserContext(), asked)
		if err != nil {
			return err
		}
		p.Answers = visit.SomeOf(int64(answers.Total()), "answer", "answers")
		p.Offers = offersOf(q.form, asked, e.Of("options"), answers)
	}
	if p.New {
		p.Offers = offersOf(q.form, asked, e.Of("options"), nil)
	}
	questionChoices(v, q.form, asked, &p)
	v.Faults = questionFaults(v.Faults, p, e)
	return visit.Show(v, status, title, pages.Question, p)
}

// questionChoices fills in the options of a question's form.
func questionChoices(v *visit.Visit, f *call.Form, asked *call.Question, p *pages.QuestionPage) {
	p.Types = visit.Choices(field.Types(), func(t field.Type) (string, string) { return string(t), t.Label() },
		p.Values["type"])
	p.Parts = visit.Choices(f.Parts, func(of *call.Part) (string, string) { return of.ID, of.Title }, p.Values["part"])
	if family := asked.Family(); family != "" {
		p.FromRows, p.RowsURL = true, v.At("/metadata/"+string(family))
	}
	for _, kind := range call.FileKinds {
		p.Kinds = append(p.Kinds, components.Option{Value: string(kind.FileKind), Name: kind.Name,
			Chosen: slices.Contains(store.Lines(p.Values["kinds"]), string(kind.FileKind))})
	}
	for _, on := range f.Questions() {
		if !on.MayDecide() || on.Key == asked.Key {
			continue
		}
		var options []components.Option
		chosen, prefix := store.Lines(p.Values["after"]), on.Key+"\t"
		switch on.Standard {
		case call.Format:
			chosen, prefix = store.Lines(p.Values["formats"]), ""
		case call.Track:
			chosen, prefix = store.Lines(p.Values["tracks"]), ""
		}
		for _, answer := range f.Decides(on) {
			options = append(options, components.Option{Value: prefix + answer.Value, Name: answer.Name,
				Chosen: slices.Contains(chosen, prefix+answer.Value)})
		}
		switch on.Standard {
		case call.Format:
			p.Formats = options
		case call.Track:
			p.Tracks = options
		default:
			p.After = append(p.After, pages.After{Label: on.Label, Answers: options})
		}
	}
}

func addCallQuestion(v *visit.Visit, f *call.Form) error {
	e := questionSent(v, &questionAt{nil, f})
	again := func(status int) error { return callQuestionPage(v, status, &questionAt{nil, f}, e) }
	if arrangesChoices(v, e) {
		return again(http.StatusOK)
	}
	in, err := questionInput(e, "")
	if err == nil {
		_, err = visit.Made(v, func(ctx context.Context) (*call.Question, error) {
			return theCall(v).AddQuestion(ctx, in.PartID, in)
		}, func(q *call.Question) string { return v.At("/call#question-" + q.ID) })
	}
	return v.DoneOrAgain(err, v.At("/call#part-"+in.PartID), "“"+visit.Cut(in.Label)+"” is asked now.", again)
}

func changeCallQuestion(v *visit.Visit, q *questionAt) error {
	e := questionSent(v, q)
	again := func(status int) error { return callQuestionPage(v, status, q, e) }
	if arrangesChoices(v, e) {
		return again(http.StatusOK)
	}
	in, err := questionInput(e, q.Standard)
	var effects []string
	if err == nil {
		effects, err = theCall(v).ChangeQuestion(v.UserContext(), q.ID, in, e.PartToken())
	}
	if err != nil {
		return v.Unsaved(err, e, v.Event.ID, v.At("/call/questions/"+q.ID), again)
	}
	return seeEffects(v, q, in.Label, effects)
}

// seeEffects leads back to the form, with what the change means for answers.
func seeEffects(v *visit.Visit, q *questionAt, label string, effects []string) error {
	text, kind := "“"+visit.Cut(label)+"” is saved.", "good"
	for _, effect := range effects {
		text, kind = text+" "+effect, "warn"
	}
	v.KeepNotice(kind, text)
	return v.See(v.At("/call#question-"+q.ID), "")
}

func moveCallQuestion(v *visit.Visit, q *questionAt) error {
	part := v.Value("to")
	to := q.form.Part(&part)
	if to == nil {
		to = q.form.Part(q.PartID)
	}
	from, of := q.form.Part(q.PartID), len(to.Questions)
	if from != to {
		of++
	}
	position, err := moved(v, of)
	if err == nil {
		err = theCall(v).MoveQuestion(v.UserContext(), q.ID, to.ID, position)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return callPage(v, status, "") })
	}
	return seeMoved(v, "questions/"+q.ID, "question-"+q.ID, q.Label, slices.Index(from.Questions, q.Question), position,
		of,
		components.Hidden{Name: "to", Value: from.ID})
}

func askRemoveQuestion(v *visit.Visit, q *questionAt) error {
	answers, err := theCall(v).Answered(v.UserContext(), q.Question)
	if err != nil {
		return err
	}
	p := layouts.ConfirmPage{Action: v.At("/call/questions/" + q.ID + "/remove"), Verb: "Stop asking", Keeps: true,
		Cancel: v.At("/call#question-" + q.ID), Text: "Nobody has answered it yet. It can be brought back."}
	if n := answers.Total(); n > 0 {
		p.Text = visit.Counted(int64(n), "answer stays with its submission", "answers stay with their submissions") +
			" and in the API. The question can be brought back."
	}
	for _, other := range q.form.Questions() {
		if q.form.DependsOn(other, q.Question) {
			p.Points = append(p.Points, "“"+other.Label+"” depends on it, and would be asked of nobody.")
		}
	}
	return v.Ask("Stop asking “"+q.Label+"”?", p)
}

func removeCallQuestion(v *visit.Visit, q *questionAt) error {
	if err := theCall(v).RemoveQuestion(v.UserContext(), q.ID); err != nil {
		return v.Again(err, func(status int) error { return callPage(v, status, "") })
	}
	return v.SeeUndo(v.At("/call"), "“"+visit.Cut(q.Label)+"” is no longer asked. What was answered stays.",
		v.At("/call/questions/"+q.ID+"/bring-back"), components.Hidden{Name: "part", Value: *q.PartID})
}

func bringBackQuestion(v *visit.Visit, f *call.Form) error {
	part := v.Value("part")
	if f.Part(&part) == nil {
		part = f.Parts[len(f.Parts)-1].ID
	}
	q, err := theCall(v).BringBack(v.UserContext(), v.Params("question"), part)
	if err != nil {
		return v.Again(err, func(status int) error { return callPage(v, status, "") })
	}
	return v.See(v.At("/call#question-"+q.ID), "“"+visit.Cut(q.Label)+"” is asked again.")
}
