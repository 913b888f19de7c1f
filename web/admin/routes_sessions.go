package admin

import (
	"lectern/web/admin/agenda"
	"lectern/web/admin/call"
	"lectern/web/admin/visit"
)

const (
	decisions     = visit.Event + "/decisions"
	aCommit       = decisions + "/:commit"
	eventSessions = visit.Event + "/sessions"
	eventSession  = eventSessions + "/:id"
	eventAbstract = visit.Event + "/submissions"
	eventTriage   = visit.Event + "/triage"
	answersPath   = eventSession + "/answers"
)

// sessionsRoutes are the addresses of submissions and sessions, and of what an event has besides.
var sessionsRoutes = []visit.Address{
	visit.At(visit.Event+"/reviews", visit.RoundReviewer, listReviews, nil),
	visit.At("/admin/find", visit.SignedIn, findAnywhere, nil),
	visit.At(visit.Event, visit.AnyRole, dashboard, nil),
	visit.At(visit.Event+"/find", visit.AnyRole, find, nil),
	visit.At(visit.Event+"/people/find", visit.Organizer, findPeople, nil),
	visit.At(visit.Event+"/activity", visit.Viewer, visit.Tidy(listActivity), nil),
	visit.At(eventAbstract+"/new", visit.Organizer, visit.With(true, newSessionForm), visit.With(true, newSession)),
	visit.At(eventTriage, visit.Organizer, visit.Tidy(showTriage), nil),
	visit.At(eventTriage+"/undo", visit.Organizer, nil, undoInTriage),
	visit.At(eventTriage+"/:id", visit.Organizer, visit.Tidy(showTriage), moveInTriage),
	visit.At(eventSessions+"/new", visit.Organizer, visit.With(false, newSessionForm), visit.With(false, newSession)),
	visit.At(visit.Event+"/compose", visit.Organizer, composePage, compose),
	visit.At(eventSession, visit.Viewer, showSession, nil),
	visit.At(eventSession+"/edit", visit.Organizer, visit.Found(liveSession, editSessionForm),
		visit.Found(liveSession, editSession)),
	visit.At(eventSession+"/status", visit.Organizer, nil, setStatus),
	visit.At(answersPath, visit.Organizer, visit.Found(liveSession, answersForm), visit.Found(liveSession, saveAnswers)),
	visit.At(answersPath+"/files/:key", visit.Viewer, visit.Found(liveSession, answerFile), nil),
	visit.At(eventSession+"/call/lock", visit.Organizer, nil, lockCall),
	visit.At(eventSession+"/call/reopen", visit.Organizer, nil, reopenCall),
	visit.At(eventSession+"/call/extend", visit.Organizer, nil, extendCall),
	visit.At(eventSession+"/call/submit", visit.Organizer, nil, submitCall),
	visit.At(eventSession+"/call/take-up", visit.Organizer, nil, takeUpCall),
	visit.At(eventSession+"/call/invite", visit.Organizer, nil, inviteToPlace),
	visit.At(eventSession+"/call/link", visit.Organizer, nil, linkToPlace),
	visit.At(eventSession+"/call/answer", visit.Organizer, nil, answerCall),
	visit.At(eventSession+"/undo-decision", visit.Organizer, visit.Found(liveSession, undoDecisionForm),
		visit.Found(liveSession, undoDecision)),
	visit.At(eventSession+"/text", visit.Organizer, visit.Found(liveSession, editTextForm),
		visit.Found(liveSession, editText)),
	visit.At(eventSession+"/detach", visit.Organizer, nil, visit.Found(liveSession, detach)),
	visit.At(eventSession+"/link", visit.Organizer, visit.Found(liveSession, askLinkAgain),
		visit.Found(liveSession, linkAgain)),
	visit.At(eventSession+"/content", visit.Organizer, nil, visit.Found(liveSession, setContent)),
	visit.At(eventSession+"/put-back", visit.Organizer, nil, putBack),
	visit.At(eventSession+"/place", visit.Organizer, nil, visit.Found(liveSession, changePlace)),
	visit.At(eventSession+"/people", visit.Organizer, nil, visit.Found(liveSession, changePeople)),
	visit.At(eventSession+"/publish", visit.Organizer, visit.Found(liveSession, fromList(agenda.PublishSessionForm)),
		visit.Found(liveSession, fromList(agenda.PublishSession))),
	visit.At(eventSession+"/unpublish", visit.Organizer, nil, visit.Found(liveSession, fromList(agenda.UnpublishSession))),
	visit.At(eventSession+"/delete", visit.Organizer, visit.Found(liveSession, deleteSessionForm), deleteSession),
	visit.At(eventSession+"/restore", visit.Organizer, nil, restoreSession),
	visit.At(eventSession+"/versions", visit.Viewer, visit.Found(liveSession, listVersions), nil),
	visit.At(eventSession+"/versions", visit.Organizer, nil, visit.Found(liveSession, restoreVersion)),
	visit.At(eventSession+"/review", visit.Reviewer, nil, visit.Found(liveSession, giveReview)),
	visit.At(eventSession+"/review/take-back", visit.Reviewer, visit.Found(liveSession, takeReviewBackForm),
		takeReviewBack),
	visit.At(decisions, visit.Organizer, listDecisions, openCommit),
	visit.At(aCommit, visit.Organizer, showCommit, startCommit),
	visit.At(aCommit+"/choose", visit.Organizer, nil, chooseCommit),
	visit.At(aCommit+"/undo", visit.Organizer, askUndoCommit, undoCommit),
	visit.At(visit.Event+"/call/proposals/new", visit.Organizer, call.OfCall(newProposalForm), call.OfCall(newProposal)),
}
