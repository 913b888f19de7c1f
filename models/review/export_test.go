package review

import "lectern/models"

// Rows are the structs of the tables.
var Rows = map[string]any{
	"review_criteria": Criterion{}, "round_reviewers": reviewerRow{}, "review_assignments": assignment{},
	"identifying_answers": identifyingAnswer{}, "review_rounds": models.ReviewRound{},
}
