// Package sessions serves a submission or a programme session: its page, its editor, its people, its answers to the
// call, and the versions of its text. It stands on top of lists, from which users come.
package sessions

import (
	"lectern/web/admin/agenda"
	"lectern/web/admin/call"
	"lectern/web/admin/visit"
)

const (
	eventSessions = visit.Event + "/sessions"
	eventSession  = eventSessions + "/:id"
	eventAbstract = visit.Event + "/submissions"
	answersPath   = eventSession + "/answers"
)

// Routes are the addresses of submissions and sessions.
var Routes = []visit.Address{
	visit.At(visit.Event+"/people/find", visit.Organizer, findPeople, nil),
	visit.At(eventAbstract+"/new", visit.Organizer, visit.With(true, newSessionForm), visit.With(true, newSession)),
	visit.At(eventSessions+"/new", visit.Organizer, visit.With(false, newSessionForm), visit.With(false, newSession)),
	visit.At(eventSession, visit.Viewer, showSession, nil),
	visit.At(eventSession+"/edit", visit.Organizer, visit.Found(Live, editSessionForm),
		visit.Found(Live, editSession)),
	visit.At(eventSession+"/status", visit.Organizer, nil, setStatus),
	visit.At(answersPath, visit.Organizer, visit.Found(Live, answersForm), visit.Found(Live, saveAnswers)),
	visit.At(answersPath+"/files/:key", visit.Viewer, visit.Found(Live, answerFile), nil),
	visit.At(eventSession+"/call/lock", visit.Organizer, nil, lockCall),
	visit.At(eventSession+"/call/reopen", visit.Organizer, nil, reopenCall),
	visit.At(eventSession+"/call/extend", visit.Organizer, nil, extendCall),
	visit.At(eventSession+"/call/submit", visit.Organizer, nil, submitCall),
	visit.At(eventSession+"/call/take-up", visit.Organizer, nil, takeUpCall),
	visit.At(eventSession+"/call/invite", visit.Organizer, nil, inviteToPlace),
	visit.At(eventSession+"/call/link", visit.Organizer, nil, linkToPlace),
	visit.At(eventSession+"/call/answer", visit.Organizer, nil, answerCall),
	visit.At(eventSession+"/undo-decision", visit.Organizer, visit.Found(Live, undoDecisionForm),
		visit.Found(Live, undoDecision)),
	visit.At(eventSession+"/text", visit.Organizer, visit.Found(Live, editTextForm),
		visit.Found(Live, editText)),
	visit.At(eventSession+"/detach", visit.Organizer, nil, visit.Found(Live, detach)),
	visit.At(eventSession+"/link", visit.Organizer, visit.Found(Live, askLinkAgain),
		visit.Found(Live, linkAgain)),
	visit.At(eventSession+"/content", visit.Organizer, nil, visit.Found(Live, setContent)),
	visit.At(eventSession+"/put-back", visit.Organizer, nil, putBack),
	visit.At(eventSession+"/place", visit.Organizer, nil, visit.Found(Live, changePlace)),
	visit.At(eventSession+"/people", visit.Organizer, nil, visit.Found(Live, changePeople)),
	visit.At(eventSession+"/publish", visit.Organizer, visit.Found(Live, fromList(agenda.PublishSessionForm)),
		visit.Found(Live, fromList(agenda.PublishSession))),
	visit.At(eventSession+"/unpublish", visit.Organizer, nil, visit.Found(Live, fromList(agenda.UnpublishSession))),
	visit.At(eventSession+"/delete", visit.Organizer, visit.Found(Live, deleteSessionForm), deleteSession),
	visit.At(eventSession+"/restore", visit.Organizer, nil, restoreSession),
	visit.At(eventSession+"/versions", visit.Viewer, visit.Found(Live, listVersions), nil),
	visit.At(eventSession+"/versions", visit.Organizer, nil, visit.Found(Live, restoreVersion)),
	visit.At(eventSession+"/review", visit.Reviewer, nil, visit.Found(Live, giveReview)),
	visit.At(eventSession+"/review/take-back", visit.Reviewer, visit.Found(Live, takeReviewBackForm),
		takeReviewBack),
	visit.At(visit.Event+"/call/proposals/new", visit.Organizer, call.OfCall(newProposalForm), call.OfCall(newProposal)),
}

// Uploads are the addresses whose forms take files.
var Uploads = visit.Uploads{visit.Skimmed(visit.TakesAnswers(answersPath))}
