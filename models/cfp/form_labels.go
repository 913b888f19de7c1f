package cfp

import (
	"context"

	"lectern/models"
)

// Labels are what people call the questions of a form by their keys, in the order of the form; those that were removed
// stand behind the others.
type Labels []struct{ Key, Label string }

// Labels reads those of the event's form, none where it has no call. It is one statement, for pages that only show
// answers.
func (c *Call) Labels(ctx context.Context) (labels Labels, err error) {
	err = c.p.Read(ctx).Raw(`SELECT q.key, q.label FROM call_questions q
		LEFT JOIN call_parts p ON p.event_id = q.event_id AND p.id = q.part_id
		WHERE q.event_id = ? AND q.standard = ''
		ORDER BY CASE WHEN p.id IS NULL THEN 1 ELSE 0 END, p.position, q.position, q.id`, c.p.Event().ID).Scan(&labels).Error
	return labels, err
}

// Of is what people call a question; its key where the form does not know it.
func (l Labels) Of(key string) string {
	for _, q := range l {
		if q.Key == key {
			return q.Label
		}
	}
	return key
}

// Told are answers in the order of the form, with labels in the place of their keys; those that the form does not know
// stand behind the others, as they are.
func (l Labels) Told(answers models.Answers) models.Answers {
	told, left := models.Answers{}, models.Answers{}
	by := map[string]string{}
	for _, q := range l {
		by[q.Key] = q.Label
	}
	for _, q := range l {
		for _, answer := range answers {
			if answer.Key == q.Key {
				told = append(told, models.Answer{Key: q.Label, Value: answer.Value})
			}
		}
	}
	for _, answer := range answers {
		if _, known := by[answer.Key]; !known {
			left = append(left, answer)
		}
	}
	return append(told, left...)
}
