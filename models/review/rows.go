package review

import "lectern/models"

// Rows maps each table to its struct; a test compares them with the schema.
var Rows = map[string]any{
	"review_criteria": Criterion{}, "round_reviewers": reviewerRow{}, "review_assignments": assignment{},
	"identifying_answers": identifyingAnswer{}, "review_rounds": models.ReviewRound{}, "review_results": result{},
}

// result holds the counts of the reviews of a session in a round. Only SQL writes it.
type result struct {
	EventID        string
	RoundID        string `gorm:"primaryKey"`
	SessionID      string `gorm:"primaryKey"`
	Assigned       int
	Answered       int
	Aside          int
	Scored         int
	Mean, Variance *int // nil without a score
}

// TableName returns the name of the table of results.
func (result) TableName() string { return "review_results" }
