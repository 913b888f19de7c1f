package admin

const (
	eventSessions = event + "/sessions"
	eventSession  = eventSessions + "/:id"
	eventAbstract = event + "/submissions"
	eventTrash    = event + "/trash"
	eventTriage   = event + "/triage"
	eventBatch    = event + "/batches/:batch"
	answersPath   = eventSession + "/answers"
)

// sessionsRoutes are the addresses of submissions and sessions, and of what an event has besides.
var sessionsRoutes = []address{
	at("/admin/find", signedIn, findAnywhere, nil),
	at(event, anyRole, dashboard, nil),
	at(event+"/find", anyRole, find, nil),
	at(event+"/people/find", organizer, findPeople, nil),
	at(event+"/activity", viewer, tidy(listActivity), nil),
	at(eventAbstract, viewer, tidy(with("submissions", listSessions)), nil),
	at(eventAbstract+".csv", viewer, with("submissions", export), nil),
	at(eventAbstract+"/columns", viewer, nil, with("submissions", keepColumns)),
	at(eventAbstract+"/views", viewer, nil, with("submissions", saveView)),
	at(eventAbstract+"/views/:view/delete", viewer, nil, with("submissions", deleteView)),
	at(eventAbstract+"/bulk", organizer, nil, with("submissions", bulk)),
	at(eventAbstract+"/write", organizer, nil, with("submissions", writeToSpeakers)),
	at(eventAbstract+"/new", organizer, with(true, newSessionForm), with(true, newSession)),
	at(eventTriage, organizer, tidy(showTriage), nil),
	at(eventTriage+"/undo", organizer, nil, undoInTriage),
	at(eventTriage+"/:id", organizer, tidy(showTriage), moveInTriage),
	at(eventSessions, viewer, tidy(with("sessions", listSessions)), nil),
	at(eventSessions+".csv", viewer, with("sessions", export), nil),
	at(eventSessions+"/columns", viewer, nil, with("sessions", keepColumns)),
	at(eventSessions+"/views", viewer, nil, with("sessions", saveView)),
	at(eventSessions+"/views/:view/delete", viewer, nil, with("sessions", deleteView)),
	at(eventSessions+"/bulk", organizer, nil, with("sessions", bulk)),
	at(eventSessions+"/write", organizer, nil, with("sessions", writeToSpeakers)),
	at(eventSessions+"/new", organizer, with(false, newSessionForm), with(false, newSession)),
	at(event+"/compose", organizer, composePage, compose),
	at(eventSession, viewer, showSession, nil),
	at(eventSession+"/edit", organizer, found(liveSession, editSessionForm), found(liveSession, editSession)),
	at(eventSession+"/status", organizer, nil, setStatus),
	at(answersPath, organizer, found(liveSession, answersForm), found(liveSession, saveAnswers)),
	at(answersPath+"/files/:key", viewer, found(liveSession, answerFile), nil),
	at(eventSession+"/call/lock", organizer, nil, lockCall),
	at(eventSession+"/call/reopen", organizer, nil, reopenCall),
	at(eventSession+"/call/extend", organizer, nil, extendCall),
	at(eventSession+"/call/submit", organizer, nil, submitCall),
	at(eventSession+"/call/take-up", organizer, nil, takeUpCall),
	at(eventSession+"/call/invite", organizer, nil, inviteToPlace),
	at(eventSession+"/call/link", organizer, nil, linkToPlace),
	at(eventSession+"/call/answer", organizer, nil, answerCall),
	at(eventSession+"/undo-decision", organizer, found(liveSession, undoDecisionForm), found(liveSession, undoDecision)),
	at(eventSession+"/text", organizer, found(liveSession, editTextForm), found(liveSession, editText)),
	at(eventSession+"/detach", organizer, nil, found(liveSession, detach)),
	at(eventSession+"/link", organizer, found(liveSession, askLinkAgain), found(liveSession, linkAgain)),
	at(eventSession+"/content", organizer, nil, found(liveSession, setContent)),
	at(eventSession+"/put-back", organizer, nil, putBack),
	at(eventSession+"/place", organizer, nil, found(liveSession, changePlace)),
	at(eventSession+"/people", organizer, nil, found(liveSession, changePeople)),
	at(eventSession+"/publish", organizer, found(liveSession, publishSessionForm), found(liveSession, publishSession)),
	at(eventSession+"/unpublish", organizer, nil, found(liveSession, unpublishSession)),
	at(eventSession+"/delete", organizer, found(liveSession, deleteSessionForm), deleteSession),
	at(eventSession+"/restore", organizer, nil, restoreSession),
	at(eventSession+"/versions", viewer, found(liveSession, listVersions), nil),
	at(eventSession+"/versions", organizer, nil, found(liveSession, restoreVersion)),
	at(eventSession+"/review", reviewer, nil, found(liveSession, giveReview)),
	at(eventSession+"/review/take-back", reviewer, found(liveSession, takeReviewBackForm), takeReviewBack),
	at(eventTrash, organizer, tidy(with("trash", listSessions)), nil),
	at(eventTrash+"/columns", organizer, nil, with("trash", keepColumns)),
	at(eventTrash+"/bulk", organizer, nil, with("trash", bulk)),
	at(eventTrash+"/restore", organizer, nil, restoreOne),
	at(eventBatch, organizer, batchPage, nil),
	at(eventBatch+"/retry", organizer, nil, retryBatch),
	at(eventBatch+"/undo", organizer, nil, undoBatch),
}
