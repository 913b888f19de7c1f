package pretalx

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/moving"
	"lectern/models/store"
)

// facts are properties of a submission without a field here; they become answers to questions that nobody is asked.
var facts = []moving.Question{
	{Key: "notes", Type: field.LongText, Label: "Notes to the organizers"},
	{Key: "internal_notes", Type: field.LongText, Label: "Notes of the organizers", SeenBy: call.StaffOnly},
	{Key: "language", Type: field.Text, Label: "Language"},
	{Key: "minutes", Type: field.Number, Label: "Length in minutes"},
	{Key: "not_recorded", Type: field.YesNo, Label: "May not be recorded"},
	{Key: "featured", Type: field.YesNo, Label: "Featured"},
}

// types maps the types of pretalx's questions to ours. A date with time becomes text, a file its address there.
var types = map[string]field.Type{"number": field.Number, "string": field.Text, "text": field.LongText,
	"url": field.URL, "date": field.Date, "datetime": field.Text, "boolean": field.YesNo, "file": field.URL, "choices": field.Choice,
	"multiple_choice": field.Choices}

func (c *Client) readQuestions(ctx context.Context, f *moving.Frame) error {
	for _, fact := range facts {
		fact.Key, fact.AskedOf, fact.IsRetired = c.key("fact", fact.Key), call.OfProposal, true
		f.Questions = append(f.Questions, fact)
	}
	c.questions = map[int]*question{}
	query := url.Values{"expand": {"options"}}
	return each(ctx, c, "questions", "questions/", query, func(some []question) error {
		for i := range some {
			q := &some[i]
			c.questions[q.ID] = q
			asked := moving.Question{Key: c.key("question", q.ID), Type: types[q.Variant],
				Label: store.OneLine(q.Question.of(c.locale)), Help: q.HelpText.of(c.locale), IsRequired: q.Required == "required", SeenBy: call.StaffOnly}
			if q.IsVisibleToReviewers {
				asked.SeenBy = call.Reviewers
			}
			for _, o := range q.Options {
				asked.Options = append(asked.Options, store.OneLine(o.Answer.of(c.locale)))
			}
			switch q.Target {
			case "submission":
				asked.AskedOf = call.OfProposal
			case "speaker":
				asked.AskedOf = call.OfSpeaker
			default: // asked of reviewers: it goes into the comment
				continue
			}
			f.Questions = append(f.Questions, asked)
		}
		return nil
	})
}

// answers returns the answers of a row, in the order of their questions.
func (c *Client) answers(some []answer) (all []moving.Answer) {
	for _, a := range some {
		if values := c.values(a); len(values) > 0 {
			all = append(all, moving.Answer{Question: c.key("question", a.Question), Values: values})
		}
	}
	slices.SortFunc(all, func(a, b moving.Answer) int { return strings.Compare(a.Question, b.Question) })
	return all
}

// values returns the values of an answer.
func (c *Client) values(a answer) (values []string) {
	q := c.questions[a.Question]
	switch {
	case q == nil:
		return nil
	case q.Variant == "boolean" && strings.EqualFold(a.Answer, "true"):
		return []string{field.Yes}
	case q.Variant == "boolean":
		return []string{field.No}
	case a.AnswerFile != nil:
		return []string{*a.AnswerFile}
	case types[q.Variant].HasOptions():
		for _, o := range q.Options {
			if slices.Contains(a.Options, o.ID) {
				values = append(values, store.OneLine(o.Answer.of(c.locale)))
			}
		}
		return values
	case strings.TrimSpace(a.Answer) == "":
		return nil
	}
	return []string{strings.TrimSpace(a.Answer)}
}

// facts returns a submission's values for the questions in facts.
func (c *Client) facts(s *submission) (all []moving.Answer) {
	add := func(key, value string) {
		if value != "" {
			all = append(all, moving.Answer{Question: c.key("fact", key), Values: []string{value}})
		}
	}
	add("notes", store.ValueOf(s.Notes))
	add("internal_notes", store.ValueOf(s.InternalNotes))
	add("language", store.ValueOf(s.ContentLocale))
	if s.Duration != nil {
		add("minutes", strconv.Itoa(*s.Duration))
	}
	if s.DoNotRecord != nil && *s.DoNotRecord {
		add("not_recorded", field.Yes)
	}
	if s.IsFeatured {
		add("featured", field.Yes)
	}
	return all
}
