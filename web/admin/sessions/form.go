package sessions

import (
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// sessionForm is the editor's form. It holds the text of each field by name, so that all fields compare alike: a moment
// is a ClockText, tags are their ids, and answers are JSON.
type sessionForm struct {
	values map[string]string
	token  string
	people peopleForm // only for a new record
}

// formOf returns the form of a session.
func formOf(s *models.Session, zone *time.Location) sessionForm {
	f := sessionForm{values: map[string]string{}, token: s.UpdatedAt.String()}
	for _, field := range lists.EditedFields() {
		f.values[field.Name] = lists.FieldText(field, s, zone)
	}
	return f
}

// sentSession reads the form that was sent. A field that the form does not have, such as a submission's room, stays as
// in was.
func sentSession(v *visit.Visit, was sessionForm) sessionForm {
	f := sessionForm{values: map[string]string{}, token: v.Value("updated_at")}
	for _, field := range lists.EditedFields() {
		name := field.Name
		switch {
		case field.Kind == models.RowsField: // a form without tags sends no value
			// The choice between two edits sends one value for the whole set of tags.
			f.values[name] = lists.IDsText(strings.Fields(strings.Join(v.Values(name), " ")))
		case field.Kind == models.AnswersField:
			f.values[name] = lists.AnswersText(sentAnswers(v, name))
		case !v.Request().PostArgs().Has(name):
			f.values[name] = was.values[name]
		case field.Kind == models.TimeField:
			f.values[name] = v.Clock(name)
		case field.Kind == models.HTMLField:
			f.values[name] = strings.ReplaceAll(v.FormValue(name), "\r\n", "\n")
		default:
			f.values[name] = v.Value(name)
		}
	}
	return f
}

// sentAnswers returns the answers of a choice between two edits, and those that were typed.
func sentAnswers(v *visit.Visit, name string) []models.Answer {
	answers := lists.AnswersOf(v.FormValue(name))
	keys, values := v.Values("answer_key"), v.Values("answer_value")
	for i := range min(len(keys), len(values)) {
		a := models.Answer{Key: strings.TrimSpace(keys[i]), Value: strings.ReplaceAll(values[i], "\r\n", "\n")}
		if a.Key != "" || strings.TrimSpace(a.Value) != "" {
			answers = append(answers, a)
		}
	}
	return answers
}

// first returns the form's present values as hidden fields, so that a save changes only what was changed in the form.
func (f sessionForm) first() []components.Hidden {
	return components.First(store.Map(lists.EditedFields(), func(field *models.SessionField) components.Hidden {
		return components.Hidden{Name: field.Name, Value: f.values[field.Name]}
	})...)
}

// firstForm returns the form as it was opened; fields whose first values were not sent are as they are now.
func firstForm(v *visit.Visit, s *models.Session) sessionForm {
	f := formOf(s, v.Event.Location())
	for _, field := range lists.EditedFields() {
		if name := components.FirstPrefix + field.Name; v.Request().PostArgs().Has(name) {
			f.values[field.Name] = strings.ReplaceAll(v.FormValue(name), "\r\n", "\n")
		}
	}
	return f
}

// page returns the form as the page shows it.
func (f sessionForm) page() pages.Form {
	return pages.Form{Values: f.values, Answers: lists.AnswersOf(f.values["custom_fields"]), Token: f.token}
}

// change returns what the form changes against was.
func (f sessionForm) change(was sessionForm, zone *time.Location) (models.SessionChange, components.Faults) {
	var c models.SessionChange
	var faults components.Faults
	for _, field := range lists.EditedFields() {
		if now := f.values[field.Name]; now != was.values[field.Name] {
			faults = append(faults, page.FaultsOf(setField(&c, field, now, zone))...)
		}
	}
	if f.token != "" {
		token, err := store.ParseTime(f.token)
		if err != nil {
			faults = append(faults, components.Fault{Field: "updated_at", Message: "is damaged; reload the page"})
		}
		c.UpdatedAt = &token
	}
	return c, faults
}

// setField sets a field of a change from a form's text. It answers Invalid for a text that it cannot read.
func setField(c *models.SessionChange, field *models.SessionField, text string, zone *time.Location) (err error) {
	switch to := field.Input(c).(type) {
	case **string:
		if field.Kind == models.HTMLField {
			text = store.Paragraphs(text)
		}
		*to = &text
	case **models.Status:
		*to = new(models.Status(text))
	case *store.Optional[string]:
		*to = store.Optional[string]{Set: true, Value: visit.Optional(text)}
	case *store.Optional[store.Time]:
		*to, err = page.SentClock(field.Name, text, zone)
	case *store.Optional[int]:
		to.Set = true
		if text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				return store.Invalidf(field.Name, "must be a whole number")
			}
			to.Value = &n
		}
	case **[]string:
		*to = new(append([]string{}, strings.Fields(text)...))
	case **bool:
		*to = new(text == "true")
	case **models.AnswersInput:
		*to = new(append(models.AnswersInput{}, lists.AnswersOf(text)...))
	}
	return err
}
