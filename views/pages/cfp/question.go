package cfp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/views/words"
)

// QuestionScript is what a page with questions loads. Without it all of them stand there, and nothing is counted live.
const QuestionScript = "/static/question.js"

// PartView is a part of a form with its questions.
type PartView struct {
	ID, Title, Help string
	Questions       []QuestionView
	Unfinished      int  // what keeps it from being submitted
	Optional        bool // nothing in it has to be answered
}

// QuestionView is a question with what was answered.
type QuestionView struct {
	*cfp.Question
	Value   string // of what has one value
	Choices []ChoiceView
	Count   int
	Limit   int          // 0 for none
	Unit    string       // words or characters
	Fault   string       // a sentence
	Only    []cfp.Reason // under what it is asked; none of one that is always asked
	Because []cfp.Reason // what of that was chosen, where it holds
	clauses []cfp.Clause
	File    *models.File // that was given
	FileURL string       // where it can be fetched; "" for nowhere
	IsDue   bool         // it is needed now, if it is required later
}

// ChoiceView is one of the choices.
type ChoiceView struct {
	Value, Name, Note string // "" of what the page has a word for
	Minutes           int
	Chosen            bool
	Full              bool // nobody else may choose it
	Former            bool // no longer offered
}

// Parts are those of a form with what it holds, and faults at their questions.
func Parts(f *cfp.Form, v cfp.Values, faults []cfp.Fault, files map[string]*models.File) (parts []PartView) {
	unfinished := f.Unfinished(v)
	asked := f.Asked(v)
	for i, part := range f.Parts {
		view := PartView{ID: "part-" + strconv.Itoa(i+1), Title: part.Title, Help: part.Help, Optional: true}
		for _, q := range part.Questions {
			view.Questions = append(view.Questions, viewOf(f, q, v, faults, files[q.Key]))
			is := func(fault cfp.Fault) bool { return fault.Key == q.Key }
			if slices.ContainsFunc(unfinished, is) {
				view.Unfinished++
			}
			if q.Required == cfp.Required && slices.Contains(asked, q) {
				view.Optional = false
			}
		}
		parts = append(parts, view)
	}
	return parts
}

// Due marks what an accepted proposal is asked for later as asked for now, and counts what it still owes.
func Due(parts []PartView, owed []cfp.Fault) {
	for i := range parts {
		for n, q := range parts[i].Questions {
			parts[i].Questions[n].IsDue = true
			if slices.ContainsFunc(owed, func(f cfp.Fault) bool { return f.Key == q.Key }) {
				parts[i].Unfinished++
			}
		}
	}
}

func viewOf(f *cfp.Form, q *cfp.Question, v cfp.Values, faults []cfp.Fault, file *models.File) QuestionView {
	view := QuestionView{Question: q, Value: v[q.Key], File: file, clauses: f.Clauses(q)}
	view.Only, view.Because = f.Reasons(q, v)
	if q.MaxWords != nil {
		view.Unit, view.Limit, view.Count = "words", *q.MaxWords, cfp.Words(view.Value)
	} else if q.MaxLength != nil {
		view.Unit, view.Limit, view.Count = "characters", *q.MaxLength, cfp.Characters(view.Value)
	}
	for _, fault := range faults {
		if fault.Key == q.Key {
			view.Fault = fault.Message
		}
	}
	view.Choices = choicesOf(f, q, view.Value)
	return view
}

// choicesOf are the choices of a question; a former one that was chosen stands behind them.
func choicesOf(f *cfp.Form, q *cfp.Question, value string) (choices []ChoiceView) {
	chosen := []string{value}
	switch q.Type {
	case field.YesNo:
		return []ChoiceView{{Value: field.Yes, Chosen: value == field.Yes}, {Value: field.No, Chosen: value == field.No}}
	case field.Choices:
		chosen = strings.Split(value, "\n")
	case field.Choice:
	default:
		return nil
	}
	for _, o := range f.Offered(q) {
		is := slices.Contains(chosen, o.Value)
		chosen = slices.DeleteFunc(chosen, func(value string) bool { return value == o.Value })
		choices = append(choices, ChoiceView{Value: o.Value, Name: o.Name, Note: o.Note, Minutes: o.Minutes, Chosen: is})
	}
	for _, former := range chosen {
		name := former
		if q.Standard != "" {
			name = "" // see called
		}
		if former != "" {
			choices = append(choices, ChoiceView{Value: former, Name: name, Former: true, Chosen: true})
		}
	}
	return choices
}

// rule is a condition as the script reads it.
type rule struct {
	Name    string            `json:"name"`    // of the inputs
	Answers map[string]string `json:"answers"` // names by values
	Before  string            `json:"before"`  // what is said before the answers that were given
	After   string            `json:"after"`
}

// rules are the conditions as the script reads them, with the words around what was answered.
func (q QuestionView) rules(ctx context.Context) templ.Attributes {
	const names = "\x00"
	l := words.In(ctx)
	var rules []rule
	for _, c := range q.clauses {
		r := rule{Name: c.On.Field(), Answers: c.Names}
		said := l.T("question.chose", "Names", names)
		if c.On.Standard == "" {
			said = l.T("question.answered", "Names", names, "Question", c.On.Label)
		}
		r.Before, r.After, _ = strings.Cut(said, names)
		rules = append(rules, r)
	}
	text, _ := json.Marshal(rules) // texts alone
	return templ.Attributes{"data-if": string(text), "data-only": conditions(l, "question.onlyif", q.Only),
		"data-because": l.T("question.because", "Conditions", "%s"),
		"data-or":      " " + l.T("form.or") + " ", "data-and": " " + l.T("frame.and") + " "}
}

// conditions say under what a question is asked, by an id of the catalogue.
func conditions(l *words.Language, id string, reasons []cfp.Reason) string {
	one, of := "question.choose", "question.answer"
	if id == "question.because" {
		one, of = "question.chose", "question.answered"
	}
	var said []string
	for _, r := range reasons {
		names := cmp.Or(strings.Join(r.Names, " "+l.T("form.or")+" "), l.T("question.gone"))
		if r.Question == "" {
			said = append(said, l.T(one, "Names", names))
		} else {
			said = append(said, l.T(of, "Names", names, "Question", r.Question))
		}
	}
	return l.T(id, "Conditions", strings.Join(said, " "+l.T("frame.and")+" "))
}

// called is what the choice of a question is called.
func (c ChoiceView) called(ctx context.Context, q QuestionView) string {
	switch {
	case q.Type == field.YesNo && c.Value == field.Yes:
		return words.T(ctx, "form.yes")
	case q.Type == field.YesNo && c.Value == field.No:
		return words.T(ctx, "form.no")
	case c.Former && c.Name == "":
		return words.T(ctx, "question.before")
	}
	return c.Name
}

// takes says what files answer it: "PDF or ZIP archive, up to 10 MB".
func (q QuestionView) takes(ctx context.Context) string {
	l := words.In(ctx)
	var kinds []string
	for _, kind := range q.Kinds() {
		kinds = append(kinds, l.T("file."+string(kind)))
	}
	size, unit := q.Bytes()>>20, "file.mb"
	if size == 0 {
		size, unit = max(1, q.Bytes()>>10), "file.kb"
	}
	return l.T("question.takes", "Kinds", l.Either(kinds), "Size", l.T(unit, "N", size))
}

// ofLimit is what stands behind how much was written.
func (q QuestionView) ofLimit(ctx context.Context) string {
	if q.Unit == "words" {
		return words.T(ctx, "question.ofwords", "Limit", q.Limit)
	}
	return words.T(ctx, "question.ofcharacters", "Limit", q.Limit)
}

// isList tells of one of many choices without notes, which a select shows in a line.
func (q QuestionView) isList() bool {
	return q.Type == field.Choice && len(q.Choices) > listFrom &&
		!slices.ContainsFunc(q.Choices, func(c ChoiceView) bool { return c.Note != "" || c.Minutes > 0 })
}

const listFrom = 4

// clearable tells of radio buttons that need one for no answer.
func (q QuestionView) clearable() bool { return q.Required != cfp.Required && q.Type != field.Choices }

func (q QuestionView) inputType() string {
	switch q.Type {
	case field.Date:
		return "date"
	case field.Email:
		return "email"
	}
	return "text" // a browser would refuse numbers and addresses as people write them
}

func (q QuestionView) inputMode() string {
	return map[field.Type]string{field.Number: "decimal", field.URL: "url"}[q.Type]
}

// described are the ids of what is said of the input.
func (q QuestionView) described() string {
	var ids []string
	for suffix, is := range map[string]bool{"help": q.Help != "", "fault": q.Fault != "", "count": q.Limit > 0,
		"takes": q.Type == field.File} {
		if is {
			ids = append(ids, q.Field()+"-"+suffix)
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

// aside is what stands beside the label.
func (q QuestionView) aside(ctx context.Context) string {
	switch q.Required {
	case cfp.Optional:
		return words.T(ctx, "question.optional")
	case cfp.Later:
		if q.IsDue {
			return ""
		}
		return words.T(ctx, "question.notyet")
	}
	return ""
}

func (q QuestionView) why(ctx context.Context) string {
	if len(q.Because) > 0 {
		return conditions(words.In(ctx), "question.because", q.Because)
	}
	return conditions(words.In(ctx), "question.onlyif", q.Only)
}

// rows is how many lines a long text has room for at first.
func (q QuestionView) rows() string {
	if q.Unit == "words" && q.Limit <= 60 || q.Unit == "characters" && q.Limit <= 400 {
		return "3"
	}
	return "7"
}
