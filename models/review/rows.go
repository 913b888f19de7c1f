package review

import "lectern/models"

// Rows are the structs of this package's tables, which are held against the schema.
var Rows = map[string]any{
	"review_criteria": Criterion{}, "round_reviewers": reviewerRow{}, "review_assignments": assignment{},
	"identifying_answers": identifyingAnswer{}, "review_rounds": models.ReviewRound{},
}
