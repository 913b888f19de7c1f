package public

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/views/words"
)

// QuestionScript hides questions whose condition is not met, and counts while people write.
const QuestionScript = "/static/question.js"

// PartView is a part of a form with its questions.
type PartView struct {
	ID, Title, Help string
	Questions       []QuestionView
	Unfinished      int  // number of its questions that must still be answered
	Optional        bool // none of its questions must be answered
}

// QuestionView is a question with its answer.
type QuestionView struct {
	*call.Question
	Value   string // the answer to a question with one value
	Choices []ChoiceView
	Count   int
	Limit   int                  // 0 for none
	Unit    string               // words or characters
	Fault   string               // a sentence
	Only    []call.ConditionPart // the conditions, none if it is always asked
	Because []call.ConditionPart // the conditions that the answers meet
	clauses []call.Clause
	File    *models.File // the uploaded file
	FileURL string       // address of the file, "" if it cannot be downloaded
	IsDue   bool         // an answer that is required later is required now
}

// ChoiceView is a choice of a question.
type ChoiceView struct {
	Value, Name, Note string // Name is "" if the page has its own word for it
	Minutes           int
	Chosen            bool
	Full              bool // too many people have chosen it
	Former            bool // no longer offered
}

// Parts returns the parts of a form with the answers in v, each question with its faults.
func Parts(f *call.Form, v call.Values, faults []call.Fault, files map[string]*models.File) (parts []PartView) {
	unfinished := f.Unfinished(v)
	asked := f.Asked(v)
	for i, part := range f.Parts {
		view := PartView{ID: "part-" + strconv.Itoa(i+1), Title: part.Title, Help: part.Help, Optional: true}
		for _, q := range part.Questions {
			view.Questions = append(view.Questions, viewOf(f, q, v, faults, files[q.Key]))
			is := func(fault call.Fault) bool { return fault.Key == q.Key }
			if slices.ContainsFunc(unfinished, is) {
				view.Unfinished++
			}
			if q.Required == call.Required && slices.Contains(asked, q) {
				view.Optional = false
			}
		}
		parts = append(parts, view)
	}
	return parts
}

// Due marks answers that were required "later" as required now, and counts those that are still owed.
func Due(parts []PartView, owed []call.Fault) {
	for i := range parts {
		for n, q := range parts[i].Questions {
			parts[i].Questions[n].IsDue = true
			if slices.ContainsFunc(owed, func(f call.Fault) bool { return f.Key == q.Key }) {
				parts[i].Unfinished++
			}
		}
	}
}

func viewOf(f *call.Form, q *call.Question, v call.Values, faults []call.Fault, file *models.File) QuestionView {
	view := QuestionView{Question: q, Value: v[q.Key], File: file, clauses: f.Clauses(q)}
	view.Only, view.Because = f.ConditionParts(q, v)
	if q.MaxWords != nil {
		view.Unit, view.Limit, view.Count = "words", *q.MaxWords, call.Words(view.Value)
	} else if q.MaxLength != nil {
		view.Unit, view.Limit, view.Count = "characters", *q.MaxLength, call.Characters(view.Value)
	}
	for _, fault := range faults {
		if fault.Key == q.Key {
			view.Fault = fault.Message
		}
	}
	view.Choices = choicesOf(f, q, view.Value)
	return view
}

// choicesOf returns the choices of a question. A chosen one that is no longer offered comes last.
func choicesOf(f *call.Form, q *call.Question, value string) (choices []ChoiceView) {
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
			name = "" // see called, which names it
		}
		if former != "" {
			choices = append(choices, ChoiceView{Value: former, Name: name, Former: true, Chosen: true})
		}
	}
	return choices
}

// rule is a condition in the script's JSON.
type rule struct {
	Name    string            `json:"name"`    // name of the inputs
	Answers map[string]string `json:"answers"` // names of the answers by value
	Before  string            `json:"before"`  // text before the given answers
	After   string            `json:"after"`
}

// rules returns the conditions for the script, with the texts around the given answers.
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
	text, _ := json.Marshal(rules) // cannot fail: the rules are texts
	return templ.Attributes{"data-if": string(text), "data-only": conditions(l, "question.onlyif", q.Only),
		"data-because": l.T("question.because", "Conditions", "%s"),
		"data-or":      " " + l.T("form.or") + " ", "data-and": " " + l.T("frame.and") + " "}
}

// conditions says when a question is asked; id is the catalogue's sentence around the conditions.
func conditions(l *words.Language, id string, reasons []call.ConditionPart) string {
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

// called returns the name of a choice.
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

// Takes says which files a question accepts: "PDF or ZIP archive, up to 10 MB".
func Takes(l *words.Language, q *call.Question) string {
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

// ofLimit returns the words behind the count: "of 300 words".
func (q QuestionView) ofLimit(ctx context.Context) string {
	if q.Unit == "words" {
		return words.T(ctx, "question.ofwords", "Limit", q.Limit)
	}
	return words.T(ctx, "question.ofcharacters", "Limit", q.Limit)
}

// isList reports whether the question is shown as a select: it has many choices, and none has a note.
func (q QuestionView) isList() bool {
	return q.Type == field.Choice && len(q.Choices) > listFrom &&
		!slices.ContainsFunc(q.Choices, func(c ChoiceView) bool { return c.Note != "" || c.Minutes > 0 })
}

const listFrom = 4

// clearable reports whether its radio buttons need one for "no answer".
func (q QuestionView) clearable() bool { return q.Required != call.Required && q.Type != field.Choices }

func (q QuestionView) inputType() string {
	switch q.Type {
	case field.Date:
		return "date"
	case field.Email:
		return "email"
	}
	return "text" // type=number and type=url would reject what people write
}

func (q QuestionView) inputMode() string {
	return map[field.Type]string{field.Number: "decimal", field.URL: "url"}[q.Type]
}

// described returns the ids of the elements that describe the input.
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

// aside returns the word beside the label, such as "optional".
func (q QuestionView) aside(ctx context.Context) string {
	switch q.Required {
	case call.Optional:
		return words.T(ctx, "question.optional")
	case call.Later:
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

// rows returns how many lines a long text shows at first.
func (q QuestionView) rows() string {
	if q.Unit == "words" && q.Limit <= 60 || q.Unit == "characters" && q.Limit <= 400 {
		return "3"
	}
	return "7"
}
