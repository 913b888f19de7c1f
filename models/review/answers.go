package review

import (
	"context"
	"fmt"

	"lectern/models"
)

// Answer is the answer of a review to one criterion of its scorecard.
type Answer struct{ Question, Text string }

// Answers returns, for each of the given reviews of the event, its answers to the criteria of its round, in their
// order. Whoever may read the reviews may read these.
func (r *Rounds) Answers(ctx context.Context, reviews []*models.Review) ([][]Answer, error) {
	said := make([][]Answer, len(reviews))
	var rounds []string
	for _, review := range reviews {
		if len(review.Answers) > 0 {
			rounds = append(rounds, review.RoundID)
		}
	}
	if len(rounds) == 0 {
		return said, nil
	}
	var card Card
	err := r.p.Read(ctx).Where("event_id = ? AND round_id IN ?", r.p.Event().ID, rounds).Order("round_id, position").
		Find(&card).Error
	for i, review := range reviews {
		for _, c := range card {
			if answer := review.Answers[c.ID]; answer != "" {
				said[i] = append(said[i], Answer{c.Name, c.inWords(answer)})
			}
		}
	}
	return said, err
}

// inWords returns an answer for readers who do not see the form: "4 of 5".
func (c *Criterion) inWords(answer string) string {
	if c.Kind == Number {
		return fmt.Sprintf("%s of %d", answer, *c.High)
	}
	return answer
}
