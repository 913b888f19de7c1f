package cfp

import (
	"cmp"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// Values are what a form holds, by the keys of its questions, each in the one form that Clean makes: several choices on
// lines, a track, a format or a level as the row's id, a file as the file's id, description and biography as text.
type Values map[string]string

// Questions are all that the form asks, in its order.
func (f *Form) Questions() (all []*Question) {
	for _, part := range f.Parts {
		all = append(all, part.Questions...)
	}
	return all
}

// Question is the one with a key, nil when the form does not ask it.
func (f *Form) Question(key string) *Question {
	for _, part := range f.Parts {
		for _, q := range part.Questions {
			if q.Key == key {
				return q
			}
		}
	}
	return nil
}

// Known is the question with a key, also one that was removed; nil when there never was one.
func (f *Form) Known(key string) *Question {
	if q := f.Question(key); q != nil {
		return q
	}
	if i := slices.IndexFunc(f.Removed, func(q *Question) bool { return q.Key == key }); i >= 0 {
		return f.Removed[i]
	}
	return nil
}

// Label is what people call the question with a key: the key itself of one that the form does not know.
func (f *Form) Label(key string) string {
	if q := f.Known(key); f != nil && q != nil {
		return q.Label
	}
	return key
}

// Field is the name that the question's input has in a form, and the id of the element.
func (q *Question) Field() string { return cmp.Or(string(q.Standard), "q-"+q.ID) }

// Read reads a form that was sent; sent are the values of a name. Files are none of it.
func (f *Form) Read(sent func(name string) []string) Values {
	v := Values{}
	for _, q := range f.Questions() {
		values := sent(q.Field())
		if q.Type == field.File || len(values) == 0 {
			continue
		}
		if q.Type != field.Choices {
			values = values[len(values)-1:]
		}
		v[q.Key] = strings.Join(values, "\n")
	}
	return v
}

// split are the choices that a value consists of.
func (q *Question) split(value string) []string {
	return (&field.Definition{Type: q.Type}).Split(value)
}

// lineBreaks makes each one \n: a form sends \r\n.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Clean puts what was typed into the form in which it is kept, for saving, however unfinished it is. What is as it was
// in had, which may be nil, is taken as it is, so that what staff change of the form meanwhile costs nobody an answer.
// Answers to what is not asked are dropped. It answers Invalid, by the keys, for what is none of its type, and for a
// question that there never was.
func (f *Form) Clean(v, had Values) (Values, error) {
	clean, wrong := Values{}, map[string]error{}
	var faults store.Faults
	for key := range v {
		if f.Known(key) == nil {
			faults.Add(store.Invalidf(key, "is no question of this form"))
		}
	}
	for _, q := range f.Questions() {
		text, sent := v[q.Key]
		value, err := f.clean(q, text, had[q.Key])
		if sent && err != nil {
			wrong[q.Key] = err
		} else if value != "" {
			clean[q.Key] = value
		}
	}
	asked := Values{}
	for _, q := range f.Asked(clean) {
		faults.Add(wrong[q.Key])
		if value := clean[q.Key]; value != "" {
			asked[q.Key] = value
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return asked, nil
}

func (f *Form) clean(q *Question, text, had string) (string, error) {
	text = strings.TrimSpace(lineBreaks.Replace(text))
	switch {
	case text == had && text != "":
		return text, nil
	case q.Standard == Title:
		return store.CleanName(q.Key, strings.ReplaceAll(text, "\n", " "), store.MaxTitle)
	case q.isProse():
		return store.CleanText(q.Key, text, store.MaxDescription)
	}
	d := field.Definition{Key: q.Key, Type: q.Type}
	if q.Type.HasOptions() {
		for _, offer := range f.Offered(q) {
			d.Options = append(d.Options, offer.Value)
		}
		for _, value := range q.split(had) {
			if !slices.Contains(d.Options, value) {
				d.Options = append(d.Options, value)
			}
		}
	}
	value, err := d.Clean(text)
	if err != nil && q.Type.HasOptions() {
		err = store.Invalidf(q.Key, "has a choice that is not offered; choose again")
	}
	return value, err
}

// isProse tells of what is kept as HTML.
func (q *Question) isProse() bool { return q.Standard == Description || q.Standard == Biography }

// ValuesOf are the answers of a submission as the form holds them. About is the biography of who answers, and files
// are by key. Answers that no question takes any more, such as a choice that was renamed, are there as they are.
func (f *Form) ValuesOf(s *models.Session, about string, files map[string]*models.File) Values {
	v := Values{}
	put := func(key Standard, value string) {
		if f.Question(string(key)) != nil && value != "" {
			v[string(key)] = value
		}
	}
	id := func(id *string) string {
		if id == nil {
			return ""
		}
		return *id
	}
	put(Title, s.Title)
	put(Description, AsText(s.Description))
	put(Track, id(s.TrackID))
	put(Format, id(s.FormatID))
	put(Level, id(s.LevelID))
	put(Biography, AsText(about))
	for _, answer := range s.CustomFields {
		q := f.Question(answer.Key)
		switch {
		case q == nil || q.Standard != "" || answer.Value == "":
		case q.Type != field.File:
			v[q.Key] = q.valueOf(answer.Value)
		case files[q.Key] != nil:
			v[q.Key] = files[q.Key].ID
		}
	}
	return v
}

// joint stands between several choices of an answer. See apart.
const joint = ", "

// valueOf is a kept answer as the form holds it: choices by what they are called now.
func (q *Question) valueOf(answer string) string {
	switch q.Type {
	case field.Choice:
		if q.Standard == "" {
			return q.named(answer)
		}
	case field.Choices:
		var names []string
		for _, name := range q.apart(answer) {
			if name = q.named(name); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return strings.Join(names, "\n")
	case field.YesNo:
		if value, err := (&field.Definition{Type: q.Type}).Clean(answer); err == nil {
			return value
		}
	}
	return answer
}

// answerOf is a value as it is kept, in words.
func (q *Question) answerOf(value string) string {
	if q.Type == field.Choices {
		return strings.Join(q.split(value), joint)
	}
	return (&field.Definition{Type: q.Type}).Cell(value)
}

// Answers are what a submission keeps of clean values, in the order of the form; a file is its name, if it is the one
// of its key. Answers from before stay where the form does not ask: of questions that were removed, and of keys that it
// does not know.
func (f *Form) Answers(v Values, files map[string]*models.File, before models.Answers) models.Answers {
	answers := models.Answers{}
	add := func(key, value string) {
		if value != "" {
			answers = append(answers, models.Answer{Key: key, Value: value})
		}
	}
	for _, q := range f.Asked(v) {
		file := files[q.Key]
		switch {
		case q.Standard != "":
		case q.Type != field.File:
			add(q.Key, q.answerOf(v[q.Key]))
		case file != nil && file.ID == v[q.Key]:
			add(q.Key, file.Name)
		}
	}
	for _, answer := range before {
		if f.Question(answer.Key) == nil {
			add(answer.Key, answer.Value)
		}
	}
	return answers
}
