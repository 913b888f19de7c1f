package api

import (
	"context"

	"lectern/models"
	"lectern/models/reviews"
	"lectern/models/store"
)

// SessionReviews are the reviews of a submission, and their outcome.
type SessionReviews struct {
	Score   *float64       `json:"score" doc:"The mean of all scores, of whatever round; null before the first"`
	Reviews int            `json:"reviews" doc:"How many scores that is the mean of"`
	Rounds  []RoundOutcome `json:"rounds" nullable:"false" doc:"Those in which somebody answered"`
	Results []ReviewRow    `json:"results" nullable:"false" doc:"The reviews that count, the latest first"`
}

// RoundOutcome is the outcome of one round of reviews for a submission.
type RoundOutcome struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Scored int64    `json:"scored" doc:"Scores given"`
	Aside  int64    `json:"aside" doc:"Reviewers who stepped aside"`
	Mean   *float64 `json:"mean"`
	Spread *float64 `json:"spread" doc:"The standard deviation of the scores"`
}

// ReviewRow is the review of one member of staff.
type ReviewRow struct {
	RoundID   string         `json:"round_id"`
	Reviewer  string         `json:"reviewer" doc:"The name"`
	Score     *float64       `json:"score"`
	Comment   string         `json:"comment" doc:"Plain text"`
	Answers   []ReviewAnswer `json:"answers" nullable:"false" doc:"To the criteria of the round, in their order"`
	CreatedAt store.Time     `json:"created_at"`
	UpdatedAt store.Time     `json:"updated_at"`
}

// ReviewAnswer is a review's answer to one criterion.
type ReviewAnswer struct {
	Question string `json:"question"`
	Answer   string `json:"answer" doc:"In words, such as 4 of 5"`
}

// points returns a score as a JSON number.
func points(score *models.Score) *float64 {
	if score == nil {
		return nil
	}
	return new(float64(*score) / 100)
}

// listReviews returns what the event's organizers see; nothing for drafts and programme sessions.
func (a *API) listReviews(ctx context.Context, who *caller, in *OfSession) (*SessionReviews, error) {
	id, err := who.SessionID(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	s, err := who.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &SessionReviews{Rounds: []RoundOutcome{}, Results: []ReviewRow{}}
	if !s.IsAbstract || s.Status == models.Draft {
		return out, nil
	}
	out.Score, out.Reviews = points(s.Score), s.Reviews
	if out.Rounds, err = who.outcomes(ctx, id); err != nil {
		return nil, err
	}
	out.Results, err = who.reviews(ctx, id)
	return out, err
}

func (c *caller) outcomes(ctx context.Context, sessionID string) ([]RoundOutcome, error) {
	rounds := reviews.Of(c.Programme)
	named, err := rounds.Named(ctx)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, round := range named {
		names[round.ID] = round.Name
	}
	found, err := rounds.Outcomes(ctx, []string{sessionID})
	out := make([]RoundOutcome, len(found[sessionID]))
	for i, o := range found[sessionID] {
		out[i] = RoundOutcome{ID: o.RoundID, Name: names[o.RoundID], Scored: o.Scored, Aside: o.Aside,
			Mean: points(o.Mean), Spread: points(o.Spread())}
	}
	return out, err
}

func (c *caller) reviews(ctx context.Context, sessionID string) ([]ReviewRow, error) {
	all, err := c.Reviews(ctx, sessionID, "")
	if err != nil {
		return nil, err
	}
	answers, err := reviews.Of(c.Programme).Answers(ctx, all)
	if err != nil {
		return nil, err
	}
	out := make([]ReviewRow, len(all))
	for i, r := range all {
		out[i] = ReviewRow{RoundID: r.RoundID, Reviewer: r.Reviewer, Score: points(r.Points), Comment: r.Comment,
			Answers: []ReviewAnswer{}, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
		for _, answer := range answers[i] {
			out[i].Answers = append(out[i].Answers, ReviewAnswer{answer.Question, answer.Text})
		}
	}
	return out, nil
}
