package call

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// moreRows are empty rows for further choices.
const moreRows = "\n\n\n\n"

// emptyRows is how many empty rows follow the existing choices.
const emptyRows = 3

// questionFields are the fields of the form of a question; tabs stand between the parts of a choice. Of a new question
// they hold the defaults, and its key can be said.
func questionFields(q *questionAt) []page.Edited {
	names := questionNames(q)
	one := func(name, label, now string) page.Edited {
		return page.Edited{Name: name, Label: label, Theirs: now, Show: names}
	}
	lines := func(name, label string, now []string) page.Edited {
		return page.Edited{Name: name, Label: label, Theirs: strings.Join(now, "\n"), Show: names, Lines: true}
	}
	of := call.Question{Type: field.Text, Required: call.Optional, PartID: new("")}
	if q.Question != nil {
		of = *q.Question
	}
	unit, limit, size := "words", visit.WholeText(of.MaxWords), ""
	if of.MaxLength != nil {
		unit, limit = "characters", visit.WholeText(of.MaxLength)
	}
	if of.MaxBytes != nil {
		size = strconv.Itoa(*of.MaxBytes >> 20)
	}
	kinds := store.Map(of.FileKinds, func(kind call.FileKind) string { return string(kind) })
	after := store.Map(of.AskedIf.Answers, func(answer string) string { return of.AskedIf.Question + "\t" + answer })
	all := []page.Edited{one("label", "Question", of.Label), one("help", "Help", of.Help),
		one("type", "Answered with", string(of.Type)), one("part", "In the part", *of.PartID),
		one("required", "Has to be answered", string(of.Required)), one("limit", "At most", limit),
		one("unit", "What is counted", unit), one("seen_by", "Reviewers see the answer", string(of.SeenBy)),
		one("asked_of", "Asked of", string(of.AskedOf)),
		one("is_open", "Who reads the answers", map[bool]string{true: "yes"}[of.IsOpen]),
		lines("options", "Choices", store.Map(of.Options, packChoice)), lines("kinds", "What the file may be", kinds),
		one("size", "Size at most, in MB", size), lines("formats", "For these formats", of.AskedIf.Formats),
		lines("tracks", "For these tracks", of.AskedIf.Tracks), lines("after", "After an answer", after)}
	if q.Question == nil {
		all = append(all, one("key", "Key in the API", ""))
	}
	return all
}

// packChoice writes a choice as a line.
func packChoice(c call.Choice) string {
	limit := ""
	if c.Limit > 0 {
		limit = strconv.Itoa(c.Limit)
	}
	return packLine(c.Value, c.Note, limit, "")
}

// packLine writes a row of choices as a line; was is the choice's former value, if it was renamed.
func packLine(value, note, limit, was string) string {
	if was == value {
		was = ""
	}
	return strings.TrimRight(value+"\t"+note+"\t"+limit+"\t"+was, "\t")
}

func unpackLine(line string) (value, note, limit, was string) {
	parts := append(strings.SplitN(line, "\t", 4), "", "", "")
	return parts[0], parts[1], parts[2], parts[3]
}

// questionSent reads the form of a question.
func questionSent(v *visit.Visit, q *questionAt) *page.Edit {
	e := v.Sent(q.form.UpdatedAt, questionFields(q))
	e.Set("unit", cmp.Or(e.Of("unit"), "words"))
	if e.Of("options") == "" {
		e.Set("options", rowsSent(v))
	}
	return e
}

// rowsSent returns the choices of the form's rows, as lines: those with a text, or those that are ticked.
func rowsSent(v *visit.Visit) string {
	lines, ticked := store.Map(inPlace(sentChoices(v)), lineOf), v.Values("offer")
	for i, id := range v.Values("offer_id") {
		if slices.Contains(ticked, id) {
			lines = append(lines, packLine(id, besideChoice(v, "choice_note", i), besideChoice(v, "choice_limit", i), ""))
		}
	}
	return strings.Join(lines, "\n")
}

// questionInput turns the form into a question; a standard question has its own type.
func questionInput(e *page.Edit, standard call.StandardField) (in call.QuestionInput, err error) {
	var faults store.Faults
	number := func(field, text string) *int {
		n, err := visit.WholeNumber(field, text)
		faults.Add(err)
		return n
	}
	in = call.QuestionInput{Key: e.Of("key"), PartID: e.Of("part"), Type: field.Type(e.Of("type")), Label: e.Of("label"),
		Help: e.Of("help"), AskedOf: call.AskedOf(e.Of("asked_of")), IsOpen: e.Of("is_open") != "",
		Required: call.Need(cmp.Or(e.Of("required"), string(call.Required))),
		SeenBy:   cmp.Or(call.Audience(e.Of("seen_by")), call.UsualAudience(field.Type(e.Of("type"))))}
	if standard != "" {
		in.Type = call.NewStandard(standard).Type
	}
	for i, line := range store.Lines(e.Of("options")) {
		value, note, limit, was := unpackLine(line)
		choice := call.Choice{Value: value, Note: note}
		if was != "" {
			choice.Was = []string{was}
		}
		if n := number("options["+strconv.Itoa(i)+"]", limit); n != nil {
			choice.Limit = *n
		}
		in.Options = append(in.Options, choice)
	}
	if in.Type.HasLength() {
		limit := number("max_length", e.Of("limit"))
		if e.Of("unit") == "characters" {
			in.MaxLength = limit
		} else {
			in.MaxWords = limit
		}
	}
	in.FileKinds = store.Map(store.Lines(e.Of("kinds")), func(kind string) call.FileKind { return call.FileKind(kind) })
	if n := number("max_bytes", e.Of("size")); n != nil && in.Type == field.File {
		in.MaxBytes = new(min(*n, 1<<20) << 20)
	}
	in.AskedIf.Formats, in.AskedIf.Tracks = store.Lines(e.Of("formats")), store.Lines(e.Of("tracks"))
	for _, line := range store.Lines(e.Of("after")) {
		key, answer, _ := strings.Cut(line, "\t")
		if in.AskedIf.Question != "" && in.AskedIf.Question != key {
			faults.Add(store.Invalidf("answers", "has answers to two questions; leave those to one"))
			break
		}
		in.AskedIf.Question, in.AskedIf.Answers = key, append(in.AskedIf.Answers, answer)
	}
	return in, faults.Err()
}

// offersOf returns the rows of a question's choices: the existing ones and some empty rows, or all rows of its family.
func offersOf(f *call.Form, q *call.Question, options string,
	answers call.Answered) (offers []pages.Offer) {
	uses := func(value string) string { return visit.SomeOf(int64(answers.Of(q, value)), "answer", "answers") }
	lines := strings.Split(options, "\n")
	if family := q.Family(); family != "" {
		for _, row := range f.Rows {
			if row.Family != family {
				continue
			}
			offer := pages.Offer{Value: row.ID, Name: row.Name, Uses: uses(row.ID)}
			for _, line := range lines {
				if value, note, limit, _ := unpackLine(line); value == row.ID {
					offer.Offered, offer.Note, offer.Limit = true, note, limit
				}
			}
			offers = append(offers, offer)
		}
		return offers
	}
	empty := 0
	for _, line := range lines {
		value, note, limit, was := unpackLine(line)
		if value == "" {
			empty++
			continue
		}
		if was == "" && slices.ContainsFunc(q.Options, func(o call.Choice) bool { return o.Value == value }) {
			was = value
		}
		offers = append(offers, pages.Offer{Value: value, Note: note, Limit: limit, Was: was, Uses: uses(cmp.Or(was, value))})
	}
	return append(offers, make([]pages.Offer, max(empty, emptyRows))...)
}

// questionNames returns the function that words the values of the form.
func questionNames(q *questionAt) func(string) string {
	names := map[string]string{"no": "No", "yes": "Yes", "later": "Later, once accepted", "reviewers": "Reviewers",
		"open_rounds": "Reviewers who see names", "staff": "Organizers alone", "proposal": "The proposal",
		"speaker": "Each speaker"}
	for _, row := range q.form.Rows {
		names[row.ID] = row.Name
	}
	for _, part := range q.form.Parts {
		names[part.ID] = part.Title
	}
	for _, t := range field.Types() {
		names[string(t)] = t.Label()
	}
	for _, on := range q.form.Questions() {
		names[on.Key] = on.Label
	}
	return func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			parts := strings.Split(line, "\t")
			for n, part := range parts {
				parts[n] = cmp.Or(names[part], part)
				if n == 3 && part != "" {
					parts[n] = "was “" + part + "”"
				}
			}
			lines[i] = strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
		}
		return strings.Join(lines, "\n")
	}
}
