package moving

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
)

// isOfTheRow reports whether an error is caused by the content of one row, so that others may come.
func isOfTheRow(err error) bool {
	kind := store.KindOf(err)
	return kind == store.Invalid || kind == store.NotFound || kind == store.Stale
}

// questions adds the questions of the other form that this one lacks, and starts a call if the event has none.
func (m *Move) questions(ctx context.Context) error {
	if len(m.frame.Questions) == 0 {
		return nil
	}
	if err := m.call.Start(ctx); err != nil {
		return err
	}
	keys := store.Map(m.frame.Questions, func(q Question) string { return q.Key })
	known, err := m.arrival.Known(ctx, arrival.Questions, keys)
	for i := 0; err == nil && i < len(keys); i++ {
		q := &m.frame.Questions[i]
		if err = m.question(ctx, q, known[q.Key]); err == nil {
			continue
		}
		var reason string
		if reason, err = fault(err); err == nil {
			m.skip(q.Key, q.Label, reason)
		}
	}
	return err
}

// question brings one question. If the form has one in the same words it becomes that one; one that changed there is
// changed here.
func (m *Move) question(ctx context.Context, q *Question, before arrival.ArrivedRow) error {
	form, err := m.call.Form(ctx)
	if err != nil {
		return err
	}
	said := arrival.FieldHashes{"question": arrival.HashOf([]any{q.Label, q.Help, q.Options, q.Type}),
		"label": arrival.HashOf(q.input().Label)}
	is := q.in(form, before.RecordID)
	isMade, at := false, before.At
	switch m.asked[q.Key] = is; {
	case is == nil && before.RecordID != "":
		return nil
	case is == nil:
		if m.asked[q.Key], isMade, err = m.ask(ctx, form, q); err != nil {
			return err
		}
		if at = nil; isMade {
			m.report.Questions.Created++
			at = &m.asked[q.Key].UpdatedAt
		} else {
			m.report.Questions.Unchanged++
		}
	case before.RecordID == "" || before.Said["question"] == said["question"] || is.RemovedAt != nil:
		m.report.Questions.Unchanged++
	default:
		if here := arrival.HashOf(is.Label); here != before.Said["label"] && here != said["label"] {
			m.arrival.Replaced(q.Key, is.Label, "label")
		}
		if at, err = m.askOtherwise(ctx, is, q); err != nil {
			return err
		}
		m.report.Questions.Updated++
	}
	return m.arrival.Keep(ctx, arrival.Questions,
		arrival.ArrivedRow{Key: q.Key, RecordID: m.asked[q.Key].ID, Said: said, IsMade: isMade, At: at})
}

// in returns the question with this id or, without an id, one in the same words; nil if the form has neither.
func (q *Question) in(form *call.Form, id string) *call.Question {
	all := append(form.Questions(), form.Removed...)
	at := slices.IndexFunc(all, func(is *call.Question) bool {
		return is.ID == id || id == "" && (is.RemovedAt == nil || q.IsRetired) && is.Standard == "" &&
			is.AskedOf == q.AskedOf && store.Searchable(is.Label) == store.Searchable(q.Label)
	})
	if at < 0 {
		return nil
	}
	return all[at]
}

// input returns a question as input for our form.
func (q *Question) input() call.QuestionInput {
	in := call.QuestionInput{Type: q.Type, AskedOf: q.AskedOf, Label: shortened(q.Label, store.MaxName),
		Help: shortened(q.Help, field.MaxHelp), Required: call.Optional, SeenBy: cmp.Or(q.SeenBy, call.UsualAudience(q.Type))}
	if q.IsRetired {
		in.Key = q.Key[strings.LastIndex(q.Key, "/")+1:]
	}
	if q.IsRequired {
		in.Required = call.Required
	}
	for _, o := range q.Options {
		in.Options = append(in.Options, call.Choice{Value: o})
	}
	return in
}

func shortened(text string, limit int) string {
	if letters := []rune(strings.TrimSpace(text)); len(letters) > limit {
		return string(letters[:limit-1]) + "…"
	}
	return strings.TrimSpace(text)
}

// ask adds a question to the last part of the form. If its choices are invalid here it becomes a text question, and if
// another one has its words its label gets whom it is asked of. It tells whether it made the question.
func (m *Move) ask(ctx context.Context, form *call.Form, q *Question) (made *call.Question, isMade bool, err error) {
	if len(form.Parts) == 0 {
		part, err := m.call.AddPart(ctx, call.PartInput{Title: "From " + m.frame.System})
		if err != nil {
			return nil, false, err
		}
		form.Parts = append(form.Parts, part)
	}
	in, part := q.input(), form.Parts[len(form.Parts)-1].ID
	made, err = m.call.AddQuestion(ctx, part, in)
	if store.KindOf(err) == store.Invalid && in.Type.HasOptions() {
		in.Type, in.Options = field.LongText, nil
		made, err = m.call.AddQuestion(ctx, part, in)
	}
	if store.KindOf(err) == store.Invalid {
		if form, err = m.call.Form(ctx); err != nil {
			return nil, false, err
		}
		if is := q.in(form, ""); is != nil { // another move was faster
			return is, false, nil
		}
		in.Key, in.Label = "", shortened(in.Label, store.MaxName-20)+" ("+string(in.AskedOf)+")"
		made, err = m.call.AddQuestion(ctx, part, in)
	}
	if err == nil && q.IsRetired {
		err = m.call.RemoveQuestion(ctx, made.ID)
	}
	return made, err == nil, err
}

// askOtherwise updates label, help and choices of a question that came before, and returns when it was changed.
func (m *Move) askOtherwise(ctx context.Context, is *call.Question, q *Question) (*store.Time, error) {
	in, there := call.InputOf(is), q.input()
	in.Label, in.Help = there.Label, there.Help
	if is.Type.HasOptions() {
		in.Options = there.Options
	}
	if _, err := m.call.ChangeQuestion(ctx, is.ID, in, nil); err != nil {
		return nil, err
	}
	form, err := m.call.Form(ctx)
	if err != nil {
		return nil, err
	}
	if now := q.in(form, is.ID); now != nil {
		return &now.UpdatedAt, nil
	}
	return nil, nil // it was removed meanwhile
}

// inWords returns answers in the form in which submissions store them. Answers to questions that the form could not
// take are stored under the question's key.
func (m *Move) inWords(answers []Answer) (words models.AnswersInput) {
	for _, a := range answers {
		q := m.asked[a.Question]
		key, text := strings.TrimPrefix(a.Question, m.frame.Prefix), strings.Join(a.Values, ", ")
		if q != nil {
			key = q.Key
		}
		if text == field.Yes || text == field.No {
			text = (&field.Definition{Type: field.YesNo}).Cell(text)
		}
		if text = shortened(text, store.MaxCustomValue); text != "" {
			words = append(words, models.Answer{Key: key, Value: text})
		}
	}
	return words
}
