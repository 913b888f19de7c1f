package call

import (
	"cmp"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// Values are the answers in a form, by the keys of its questions, as Clean normalises them: several choices on lines, a
// track, a format or a level as the row's id, a file as the file's id, description and biography as text.
type Values map[string]string

// Questions returns all questions of the form in order.
func (f *Form) Questions() (all []*Question) {
	for _, part := range f.Parts {
		all = append(all, part.Questions...)
	}
	return all
}

// Question returns the question with a key, nil if the form does not ask it.
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

// Known returns the question with a key, also a removed one; nil if there never was one.
func (f *Form) Known(key string) *Question {
	if q := f.Question(key); q != nil {
		return q
	}
	if i := slices.IndexFunc(f.Removed, func(q *Question) bool { return q.Key == key }); i >= 0 {
		return f.Removed[i]
	}
	return nil
}

// Label returns the label of the question with a key, or the key itself if the form does not know it.
func (f *Form) Label(key string) string {
	if q := f.Known(key); f != nil && q != nil {
		return q.Label
	}
	return key
}

// Field returns the name of the question's input in a form, and the id of the element.
func (q *Question) Field() string { return cmp.Or(string(q.Standard), "q-"+q.ID) }

// Read returns the values of a submitted form, without files; sent returns the values of an input.
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

// split returns the choices of which a value consists.
func (q *Question) split(value string) []string {
	return (&field.Definition{Type: q.Type}).Split(value)
}

// lineBreaks replaces each line break by \n, since browsers send \r\n.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Clean normalises typed values for saving, however unfinished. A value that equals the one in had, which may be nil,
// is taken unchecked, so that nobody loses an answer if staff change the form meanwhile. Answers to questions that are
// not asked are dropped. It answers Invalid, by the keys, for values not of the question's type, and for keys that
// never were in the form.
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

// isProse reports whether the answer is stored as HTML.
func (q *Question) isProse() bool { return q.Standard == Description || q.Standard == Biography }

// ValuesOf returns the answers of a submission as values of the form. about is the biography of the person who answers,
// and files are by key. Answers that no longer fit their question, such as a deleted choice, are kept unchanged.
func (f *Form) ValuesOf(s *models.Session, about string, files map[string]*models.File) Values {
	v := Values{}
	put := func(key StandardField, value string) {
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

// joint separates several choices in a stored answer; apart splits them.
const joint = ", "

// valueOf returns a stored answer as a value of the form, with choices by their present names.
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

// answerOf returns a value as it is stored, in words.
func (q *Question) answerOf(value string) string {
	if q.Type == field.Choices {
		return strings.Join(q.split(value), joint)
	}
	return (&field.Definition{Type: q.Type}).Cell(value)
}

// Answers returns what a submission stores of clean values, in the order of the form; a file is stored by its name, if
// it is the file of its key. Earlier answers to questions that are not in the form stay: of removed questions, and of
// unknown keys.
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
