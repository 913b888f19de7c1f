package lists

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/page"
)

// EditedFields returns the fields of the session's form.
func EditedFields() []*models.SessionField {
	fixed := func(f *models.SessionField) bool { return !f.IsEdited() }
	return slices.DeleteFunc(slices.Clone(models.SessionFields), fixed)
}

// FieldText returns a session's field as the form holds it.
func FieldText(field *models.SessionField, s *models.Session, zone *time.Location) string {
	switch value := field.Value(s).(type) {
	case nil:
		return ""
	case []string:
		return IDsText(value)
	case models.Answers:
		return AnswersText(value)
	case string:
		if at, err := store.ParseTime(value); err == nil && field.Kind == models.TimeField {
			return page.ClockText(page.ClockOf(&at, zone))
		}
		return value
	default:
		return fmt.Sprint(value)
	}
}

// IDsText joins ids as a form holds them.
func IDsText(ids []string) string { return strings.Join(slices.Sorted(slices.Values(ids)), " ") }

// AnswersText encodes answers as a form holds them.
func AnswersText(answers []models.Answer) string {
	if len(answers) == 0 {
		return ""
	}
	b, _ := json.Marshal(answers)
	return string(b)
}

// AnswersOf decodes what AnswersText encoded.
func AnswersOf(text string) (answers []models.Answer) {
	json.Unmarshal([]byte(text), &answers)
	return answers
}

// TextWords turns a field's text in a form into words; rows holds the names of the event's metadata rows by id.
func TextWords(field *models.SessionField, text string, rows map[string]string, zone *time.Location) string {
	switch field.Kind {
	case models.HTMLField:
		return page.Lines(text)
	case models.StatusField:
		return components.StatusName(text)
	case models.TimeField:
		return page.ClockWords(text, zone)
	case models.FlagField:
		return map[bool]string{true: "Yes", false: "No"}[text == "true"]
	case models.RowField, models.RowsField:
		return strings.Join(store.Map(strings.Fields(text), func(id string) string { return rows[id] }), ", ")
	case models.AnswersField:
		return answersWords(AnswersOf(text))
	}
	return text
}

// answersWords writes answers line by line.
func answersWords(answers []models.Answer) string {
	return strings.Join(store.Map(answers, func(a models.Answer) string { return a.Key + ": " + a.Value }), "\n")
}
