// Package reviews serves the pages where organizers plan review rounds and read their results, and where reviewers work
// through what a round assigns to them.
package reviews

import "lectern/web/admin/visit"

const (
	aQueue = visit.Event + "/reviews/:round"
	rounds = visit.Event + "/rounds"
	aRound = rounds + "/:round"
)

// Routes are the addresses of the rounds of reviews.
var Routes = []visit.Address{
	visit.At(aQueue, visit.RoundReviewer, showQueue, nil),
	visit.At(aQueue+"/:id", visit.RoundReviewer, showSheet, giveVerdict),
	visit.At(aQueue+"/:id/files/:key", visit.RoundReviewer, sheetFile, nil),
	visit.At(rounds, visit.Organizer, listRounds, addRound),
	visit.At(visit.Event+"/identifying-answers", visit.Organizer, nil, identifyAnswers),
	visit.At(aRound, visit.Organizer, visit.Found(round, showRound), visit.Found(round, changeRound)),
	visit.At(aRound+"/scorecard", visit.Organizer, visit.Found(round, cardForm), visit.Found(round, changeCard)),
	visit.At(aRound+"/reviewers", visit.Organizer, nil, visit.Found(round, changeReviewers)),
	visit.At(aRound+"/assign", visit.Organizer, visit.Found(round, planAssignment), visit.Found(round, distribute)),
	visit.At(aRound+"/submissions", visit.Organizer, visit.Found(round, listCover), nil),
	visit.At(aRound+"/submissions/:id", visit.Organizer, visit.Found(round, assignForm), visit.Found(round, assignTo)),
	visit.At(aRound+"/results", visit.Organizer, visit.Found(round, showResults), nil),
	visit.At(aRound+"/results.csv", visit.Organizer, visit.Found(round, exportResults), nil),
	visit.At(aRound+"/delete", visit.Organizer, visit.Found(round, askDeleteRound), visit.Found(round, deleteRound)),
}
