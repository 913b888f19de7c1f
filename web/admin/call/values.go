package call

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// moreRows are empty rows for further choices.
const moreRows = "\n\n\n\n"

// emptyRows is how many empty rows follow the existing choices.
const emptyRows = 3

// questionValues returns a question as its form holds it.
func questionValues(q *cfp.Question) pages.QuestionValues {
	values := pages.QuestionValues{
		Label: q.Label, Help: q.Help, Type: string(q.Type), Part: *q.PartID, Required: string(q.Required),
		SeenBy: string(q.SeenBy), AskedOf: string(q.AskedOf), Unit: "words", Limit: visit.WholeText(q.MaxWords),
		Formats: strings.Join(q.AskedIf.Formats, "\n"), Tracks: strings.Join(q.AskedIf.Tracks, "\n"),
	}
	if q.MaxLength != nil {
		values.Unit, values.Limit = "characters", visit.WholeText(q.MaxLength)
	}
	if q.IsOpen {
		values.IsOpen = "yes"
	}
	if q.MaxBytes != nil {
		values.Size = strconv.Itoa(*q.MaxBytes >> 20)
	}
	var options, kinds, after []string
	for _, o := range q.Options {
		options = append(options, packChoice(o))
	}
	for _, kind := range q.FileKinds {
		kinds = append(kinds, string(kind))
	}
	for _, answer := range q.AskedIf.Answers {
		after = append(after, q.AskedIf.Question+"\t"+answer)
	}
	values.Options, values.Kinds = strings.Join(options, "\n"), strings.Join(kinds, "\n")
	values.After = strings.Join(after, "\n")
	return values
}

// packChoice writes a choice as a line.
func packChoice(c cfp.Choice) string {
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

// questionForm reads the form of a question; was is the prefix of the values that it had when it was opened, "" for
// those sent.
func questionForm(v *visit.Visit, was string) pages.QuestionValues {
	read := func(name string) string { return strings.ReplaceAll(v.Value(was+name), "\r\n", "\n") }
	lines := func(name string) string {
		return strings.ReplaceAll(strings.Join(v.Values(was+name), "\n"), "\r\n", "\n")
	}
	values := pages.QuestionValues{
		Label: read("label"), Help: read("help"), Key: read("key"), Type: read("type"), Part: read("part"),
		Required: read("required"), Limit: read("limit"), Unit: cmp.Or(read("unit"), "words"), SeenBy: read("seen_by"),
		AskedOf: read("asked_of"), IsOpen: read("is_open"),
		Kinds: lines("kinds"), Size: read("size"), Formats: lines("formats"), Tracks: lines("tracks"), After: lines("after"),
		Options: lines("options"),
	}
	if values.Options == "" && was == "" {
		values.Options = rowsSent(v)
	}
	return values
}

// rowsSent returns the choices of the form's rows, as lines: those with a text, or those that are ticked.
func rowsSent(v *visit.Visit) string {
	lines, ticked := choicesSent(v), v.Values("offer")
	for i, id := range v.Values("offer_id") {
		if slices.Contains(ticked, id) {
			lines = append(lines, packLine(id, besideChoice(v, "choice_note", i), besideChoice(v, "choice_limit", i), ""))
		}
	}
	return strings.Join(lines, "\n")
}

// questionInput turns the form into a question; a standard question has its own type.
func questionInput(values pages.QuestionValues, standard cfp.StandardField) (in cfp.QuestionInput, err error) {
	var faults store.Faults
	number := func(field, text string) *int {
		n, err := visit.WholeNumber(field, text)
		faults.Add(err)
		return n
	}
	in = cfp.QuestionInput{Key: values.Key, PartID: values.Part, Type: field.Type(values.Type), Label: values.Label,
		Help: values.Help, AskedOf: cfp.AskedOf(values.AskedOf), IsOpen: values.IsOpen != "", Required: cfp.Need(cmp.Or(values.Required, string(cfp.Required))),
		SeenBy: cmp.Or(cfp.Audience(values.SeenBy), cfp.UsualAudience(field.Type(values.Type)))}
	if standard != "" {
		in.Type = cfp.NewStandard(standard).Type
	}
	for i, line := range store.Lines(values.Options) {
		value, note, limit, was := unpackLine(line)
		choice := cfp.Choice{Value: value, Note: note}
		if was != "" {
			choice.Was = []string{was}
		}
		if n := number("options["+strconv.Itoa(i)+"]", limit); n != nil {
			choice.Limit = *n
		}
		in.Options = append(in.Options, choice)
	}
	if in.Type.HasLength() {
		limit := number("max_length", values.Limit)
		if values.Unit == "characters" {
			in.MaxLength = limit
		} else {
			in.MaxWords = limit
		}
	}
	for _, kind := range store.Lines(values.Kinds) {
		in.FileKinds = append(in.FileKinds, cfp.FileKind(kind))
	}
	if n := number("max_bytes", values.Size); n != nil && in.Type == field.File {
		in.MaxBytes = new(min(*n, 1<<20) << 20)
	}
	in.AskedIf.Formats, in.AskedIf.Tracks = store.Lines(values.Formats), store.Lines(values.Tracks)
	for _, line := range store.Lines(values.After) {
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
func offersOf(f *cfp.Form, q *cfp.Question, values pages.QuestionValues,
	answers cfp.Answered) (offers []pages.Offer) {
	uses := func(value string) string {
		if n := answers.Of(q, value); n > 0 {
			return visit.Counted(int64(n), "answer", "answers")
		}
		return ""
	}
	lines := strings.Split(values.Options, "\n")
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
		if was == "" && slices.ContainsFunc(q.Options, func(o cfp.Choice) bool { return o.Value == value }) {
			was = value
		}
		offers = append(offers, pages.Offer{Value: value, Note: note, Limit: limit, Was: was, Uses: uses(cmp.Or(was, value))})
	}
	return append(offers, make([]pages.Offer, max(empty, emptyRows))...)
}

// questionConflict asks, field by field, whose value shall stay.
func questionConflict(v *visit.Visit, q *questionAt, p pages.QuestionPage, now pages.QuestionValues) (
	*components.Conflict, error) {
	names := questionNames(q)
	was, mine, theirs := p.Was.Fields(), p.Values.Fields(), now.Fields()
	fields := make([]page.Edited, len(was))
	for i, field := range was {
		label := questionLabels[field.Name]
		fields[i] = page.Edited{Name: field.Name, Label: label, Was: field.Value, Mine: mine[i].Value,
			Theirs: theirs[i].Value, Show: names}
	}
	c, err := v.Conflict(v.Event.ID, q.form.UpdatedAt, fields)
	if err == nil {
		c.Action, c.Discard = v.At("/call/questions/"+q.ID), v.At("/call/questions/"+q.ID)
	}
	return c, err
}

var questionLabels = map[string]string{
	"label": "Question", "help": "Help", "type": "Answered with", "part": "In the part", "required": "Has to be answered",
	"limit": "At most", "unit": "What is counted", "seen_by": "Reviewers see the answer", "options": "Choices",
	"kinds": "What the file may be", "size": "Size at most, in MB", "formats": "For these formats",
	"tracks": "For these tracks", "after": "After an answer", "asked_of": "Asked of", "is_open": "Who reads the answers", "key": "Key in the API",
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
