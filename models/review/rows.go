package review

import "lectern/models"

// Rows are the structs of this package's tables, which are held against the schema.
var Rows = map[string]any{
	"review_criteria": Criterion{}, "round_reviewers": reviewerRow{}, "review_assignments": assignment{},
	"identifying_answers": identifyingAnswer{}, "review_rounds": models.ReviewRound{}, "review_results": result{},
}

// result is what the reviews of a session in a round come to. SQL alone writes it.
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

// TableName is where results are kept.
func (result) TableName() string { return "review_results" }
