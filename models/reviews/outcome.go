package reviews

import (
	"context"
	"math"

	"lectern/models"
)

// Outcome is the result of one round for one submission. Only SQL writes it.
type Outcome struct {
	EventID   string
	RoundID   string `gorm:"primaryKey"`
	SessionID string `gorm:"primaryKey"`
	Assigned  int64
	Answered  int64 // including those who stepped aside
	Aside     int64
	Scored    int64         // reviews with a score, which make the mean
	Mean      *models.Score // nil without a score
	Variance  *int64        // in squared hundredths
}

// TableName returns the name of the table of results.
func (Outcome) TableName() string { return "review_results" }

// Spread returns the standard deviation of the scores in hundredths; nil without a score.
func (o *Outcome) Spread() *models.Score {
	if o.Variance == nil {
		return nil
	}
	return new(models.Score(math.Round(math.Sqrt(float64(*o.Variance)))))
}

// Outcomes returns the results of submissions, by submission id: for each those of the rounds in which somebody
// reviewed it, first the round of all submissions, then the others in the order of their creation.
func (r *Rounds) Outcomes(ctx context.Context, sessionIDs []string) (map[string][]*Outcome, error) {
	of := map[string][]*Outcome{}
	if len(sessionIDs) == 0 {
		return of, nil
	}
	var rows []*Outcome
	err := r.p.Read(ctx).Table("review_results x").Joins("JOIN review_rounds ON review_rounds.id = x.round_id").
		Select("x.*").
		Where("x.event_id = ? AND x.session_id IN ? AND x.answered > 0", r.p.Event().ID, sessionIDs).
		Order("x.session_id, review_rounds.gives_all DESC, review_rounds.created_at, x.round_id").Scan(&rows).Error
	for _, row := range rows {
		of[row.SessionID] = append(of[row.SessionID], row)
	}
	return of, err
}

// Together combines outcomes of one submission as if all reviews had been given in one round: each score counts the
// same.
func Together(outcomes []*Outcome) *Outcome {
	var all Outcome
	var sum, squares float64
	for _, o := range outcomes {
		all.SessionID, all.Aside = o.SessionID, all.Aside+o.Aside
		if o.Mean == nil || o.Variance == nil {
			continue
		}
		n, mean := float64(o.Scored), float64(*o.Mean)
		all.Scored, sum, squares = all.Scored+o.Scored, sum+n*mean, squares+n*(float64(*o.Variance)+mean*mean)
	}
	if n := float64(all.Scored); n > 0 {
		mean := sum / n
		all.Mean = new(models.Score(math.Round(mean)))
		all.Variance = new(max(0, int64(math.Round(squares/n-mean*mean))))
	}
	return &all
}

// Named returns the rounds of the event without their counts: first the round of all submissions, then the others in
// the order of their creation.
func (r *Rounds) Named(ctx context.Context) ([]*models.ReviewRound, error) {
	var rounds []*models.ReviewRound
	err := r.p.Read(ctx).Where("event_id = ?", r.p.Event().ID).Order("gives_all DESC, created_at, id").Find(&rounds).Error
	return rounds, err
}
