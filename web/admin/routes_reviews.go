package admin

const (
	aQueue = event + "/reviews/:round"
	rounds = event + "/rounds"
	aRound = rounds + "/:round"
)

// reviewsRoutes are the addresses of the rounds of reviews.
var reviewsRoutes = []address{
	at(event+"/reviews", roundReviewer, listReviews, nil),
	at(aQueue, roundReviewer, showQueue, nil),
	at(aQueue+"/:id", roundReviewer, showSheet, giveVerdict),
	at(aQueue+"/:id/files/:key", roundReviewer, sheetFile, nil),
	at(rounds, organizer, listRounds, addRound),
	at(event+"/identifying-answers", organizer, nil, identifyAnswers),
	at(aRound, organizer, found(round, showRound), found(round, changeRound)),
	at(aRound+"/scorecard", organizer, found(round, cardForm), found(round, changeCard)),
	at(aRound+"/reviewers", organizer, nil, found(round, changeReviewers)),
	at(aRound+"/assign", organizer, found(round, planAssignment), found(round, distribute)),
	at(aRound+"/submissions", organizer, found(round, listCover), nil),
	at(aRound+"/submissions/:id", organizer, found(round, assignForm), found(round, assignTo)),
	at(aRound+"/results", organizer, found(round, showResults), nil),
	at(aRound+"/results.csv", organizer, found(round, exportResults), nil),
	at(aRound+"/delete", organizer, found(round, askDeleteRound), found(round, deleteRound)),
}
