package admin

import "lectern/models"

const (
	event           = "/admin/events/:event"
	eventSessions   = event + "/sessions"
	eventSession    = eventSessions + "/:id"
	eventAbstract   = event + "/submissions"
	eventPeople     = event + "/speakers"
	eventPerson     = eventPeople + "/:contact"
	eventSegment    = eventPeople + "/segments/:segment"
	aContact        = contactsPath + "/:contact"
	aSegment        = contactsPath + "/segments/:segment"
	pairsPath       = contactsPath + "/pairs"
	aField          = fieldsPath + "/:field"
	eventSourcing   = event + "/sourcing"
	aCard           = eventSourcing + "/:contact"
	aStage          = stagesPath + "/:stage"
	eventTrash      = event + "/trash"
	eventAgenda     = event + "/agenda"
	eventTriage     = event + "/triage"
	aQueue          = event + "/reviews/:round"
	rounds          = event + "/rounds"
	aRound          = rounds + "/:round"
	eventBatch      = event + "/batches/:batch"
	eventKeys       = event + "/keys"
	aBreak          = event + "/agenda/breaks/:break"
	aPhoto          = aContact + "/photo"
	contactPhoto    = event + "/contacts/:contact/photo"
	imports         = event + "/imports"
	anImport        = imports + "/:import"
	letters         = event + "/letters"
	aLetter         = letters + "/:letter"
	aMailing        = letters + "/mailings/:mailing"
	decisions       = event + "/decisions"
	aCommit         = decisions + "/:commit"
	eventPublish    = event + "/publish"
	aRelease        = eventPublish + "/versions/:version"
	metadataList    = event + "/metadata/:family"
	metadataRow     = metadataList + "/:row"
	endpoints       = "/admin/endpoints"
	anEndpoint      = endpoints + "/:endpoint"
	deliveries      = "/admin/deliveries"
	staffPath       = "/admin/staff"
	aMember         = staffPath + "/:user"
	securityPath    = "/admin/security"
	account         = "/admin/account"
	factorPath      = account + "/second-factor"
	anAgendaVersion = eventPublish + "/versions/:version"
)

// addresses are all of the admin: where, who may come in, what answers GET, and what answers POST.
var addresses = []struct {
	path      string
	needs     access
	get, post handler
}{
	{"/", anyone, goHome, nil},
	{"/setup", anyone, setupForm, setUp},
	{"/sign-in", anyone, signInForm, signIn},
	{"/second-factor", anyone, secondFactorForm, secondFactor},
	{"/sign-out", anyone, nil, signOut},
	{"/theme", anyone, nil, setTheme},
	{"/invitations/:token", anyone, found(invitation, joinForm), found(invitation, join)},
	{"/reset", anyone, resetForm, askForReset},
	{"/reset/:token", anyone, found(forgetful, newPasswordForm), found(forgetful, newPassword)},

	{"/admin", signedIn, start, nil},
	{"/admin/find", signedIn, findAnywhere, nil},
	{account, signedIn, showAccount, nil},
	{account + "/password", signedIn, nil, changePassword},
	{account + "/logins/:login/end", signedIn, nil, endLogin},
	{account + "/sign-out-everywhere", signedIn, nil, signOutEverywhere},
	{factorPath, enrolling, showFactor, beginFactor},
	{factorPath + "/confirm", enrolling, nil, confirmFactor},
	{factorPath + "/off", signedIn, nil, endFactor},

	{"/admin/events/new", owner, newEventForm, newEvent},
	{staffPath, owner, listStaff, nil},
	{staffPath + "/invite", owner, inviteForm, invite},
	{staffPath + "/invitations/:invitation/withdraw", owner, nil, withdraw},
	{staffPath + "/mail", owner, tidy(listStaffMail), nil},
	{aMember, owner, found(member, showMember), found(member, changeMember)},
	{aMember + "/reset-link", owner, nil, makeResetLink},
	{aMember + "/remove", owner, found(member, removeForm), found(member, remove)},
	{securityPath, owner, tidy(showSecurity), nil},
	{securityPath + "/second-factor", owner, nil, requireFactor},

	{contactsPath, signedIn, tidy(listContacts), nil},
	{contactsPath + ".csv", signedIn, exportContacts, nil},
	{contactsPath + "/columns", signedIn, nil, keepRosterColumns},
	{contactsPath + "/segments", signedIn, nil, addSegment},
	{aSegment, signedIn, found(segment, showSegment), nil},
	{aSegment + "/edit", signedIn, found(segment, editSegmentForm), found(segment, editSegment)},
	{aSegment + "/update", signedIn, nil, found(segment, updateSegment)},
	{aSegment + "/delete", signedIn, nil, found(segment, deleteSegment)},
	{contactsPath + "/overview", signedIn, showOverview, nil},
	{contactsPath + "/new", allEvents, newPersonForm, newPerson},
	{fieldsPath, allEvents, listOwnFields, addOwnField},
	{aField, allEvents, found(ownField, ownFieldForm), found(ownField, changeOwnField)},
	{aField + "/delete", allEvents, found(ownField, askDeleteOwnField), found(ownField, deleteOwnField)},
	{pairsPath, allEvents, tidy(listPairs), mergePairs},
	{pairsPath + "/next", allEvents, nextPair, nil},
	{pairsPath + "/dismiss", allEvents, nil, dismissPair},
	{pairsPath + "/dismissed", allEvents, listDismissed, nil},
	{pairsPath + "/bring-back", allEvents, nil, bringBackPair},
	{stagesPath, allEvents, listStages, addStage},
	{aStage, allEvents, found(stage, stageEditForm), found(stage, changeStage)},
	{aStage + "/move", allEvents, nil, found(stage, moveStage)},
	{aStage + "/delete", allEvents, found(stage, askRemoveStage), found(stage, removeStage)},
	{contactsPath + "/place", signedIn, nil, placeContacts},
	{contactsPath + "/write", signedIn, nil, writeToContacts},
	{aContact, signedIn, showPerson, nil},
	{aContact + "/merge", allEvents, mergeWith, nil},
	{aContact + "/merge/:other", allEvents, comparePair, mergePair},
	{aContact + "/merges", allEvents, listMerges, nil},
	{aContact + "/export", allEvents, nil, exportPerson},
	{aContact + "/erase", allEvents, askErase, erasePerson},
	{aContact + "/edit", allEvents, editPersonForm, with(models.Profile, editPerson)},

	{endpoints, allEvents, listEndpoints, nil},
	{endpoints + "/new", allEvents, unmanaged(newEndpoint), unmanaged(makeEndpoint)},
	{endpoints + "/check", allEvents, checkForm, check},
	{anEndpoint, allEvents, found(endpoint, showEndpoint), nil},
	{anEndpoint + "/test", allEvents, nil, unmanaged(found(endpoint, sendTest))},
	{anEndpoint + "/activate", allEvents, nil, unmanaged(with(true, setEndpoint))},
	{anEndpoint + "/deactivate", allEvents, nil, unmanaged(with(false, setEndpoint))},
	{anEndpoint + "/rotate", allEvents, nil, unmanaged(rotateSecret)},
	{anEndpoint + "/use-new-secret", allEvents, nil, unmanaged(useNewSecret)},
	{anEndpoint + "/keep-old-secret", allEvents, nil, unmanaged(keepOldSecret)},
	{anEndpoint + "/delete", allEvents, unmanaged(found(endpoint, askDeleteEndpoint)), unmanaged(deleteEndpoint)},
	{deliveries, allEvents, tidy(listDeliveries), nil},

	{event, anyRole, dashboard, nil},
	{event + "/find", anyRole, find, nil},
	{eventPeople, viewer, tidy(listContacts), nil},
	{eventPeople + ".csv", viewer, exportContacts, nil},
	{eventPeople + "/columns", viewer, nil, keepRosterColumns},
	{eventPeople + "/segments", viewer, nil, addSegment},
	{eventSegment, viewer, found(segment, showSegment), nil},
	{eventSegment + "/edit", viewer, found(segment, editSegmentForm), found(segment, editSegment)},
	{eventSegment + "/update", viewer, nil, found(segment, updateSegment)},
	{eventSegment + "/delete", viewer, nil, found(segment, deleteSegment)},
	{eventPeople + "/new", organizer, newPersonForm, newPerson},
	{eventPeople + "/status", organizer, nil, moveStatuses},
	{eventPeople + "/put-back", organizer, nil, putAtEvent},
	{eventPeople + "/write", organizer, nil, writeToPeople},
	{eventPerson, viewer, showPerson, nil},
	{eventPerson + "/edit", organizer, editPersonForm, with(models.Profile, editPerson)},
	{eventPerson + "/workflow", organizer, nil, with(models.Workflow, editPerson)},
	{eventPerson + "/tags", organizer, nil, with(models.Tagging, editPerson)},
	{eventPerson + "/travel", organizer, nil, with(models.Travel, editPerson)},
	{eventPerson + "/availability", organizer, nil, with(models.Available, editPerson)},
	{eventPerson + "/notes", organizer, nil, addNote},
	{eventPerson + "/take-off", organizer, askTakeOff, takeOff},
	{event + "/people/find", organizer, findPeople, nil},
	{aPhoto, signedIn, downloadPhoto, nil},
	{aPhoto, allEvents, nil, choosePhoto},
	{aPhoto + "/remove", allEvents, nil, removePhoto},
	{eventSourcing, viewer, tidy(showBoard), nil},
	{eventSourcing + "/add", organizer, addCardForm, addCard},
	{eventSourcing + "/move", organizer, nil, moveCard},
	{eventSourcing + "/place", organizer, nil, placePeople},
	{aCard, viewer, showCard, nil},
	{aCard + "/notes", organizer, nil, noteOnCard},
	{aCard + "/invite", organizer, nil, inviteFromBoard},
	{aCard + "/remove", organizer, askRemoveCard, removeCard},
	{contactPhoto, viewer, downloadPhoto, nil},
	{contactPhoto, organizer, nil, choosePhoto},
	{contactPhoto + "/remove", organizer, nil, removePhoto},
	{imports, organizer, importsForm, uploadPeople},
	{anImport, organizer, showImport, nil},
	{anImport + "/columns", organizer, columnsForm, chooseColumns},
	{anImport + "/check", organizer, checkImport, nil},
	{anImport + "/start", organizer, nil, startImport},
	{anImport + "/cancel", organizer, nil, cancelImport},
	{anImport + "/faults.csv", organizer, importFaults, nil},
	{letters, organizer, tidy(listLetters), nil},
	{letters + "/templates/:kind", organizer, found(letterTemplate, letterTemplateForm), found(letterTemplate, saveLetterTemplate)},
	{letters + "/templates/:kind/delete", organizer, found(letterTemplate, askDeleteTemplate), found(letterTemplate, deleteTemplate)},
	{aMailing, organizer, found(mailing, showMailing), found(mailing, saveMailing)},
	{aMailing + "/letters", organizer, found(mailing, listMailing), nil},
	{aMailing + "/send", organizer, found(mailing, askSendMailing), found(mailing, sendMailing)},
	{aMailing + "/discard", organizer, found(mailing, askDiscardMailing), found(mailing, discardMailing)},
	{letters + "/send", organizer, askSendLetters, sendLetters},
	{letters + "/now", organizer, nil, sendLetterNow},
	{letters + "/hold", organizer, nil, holdLetters},
	{letters + "/pause", organizer, nil, pauseLetters},
	{letters + "/resume", organizer, nil, resumeLetter},
	{letters + "/retry", organizer, nil, retryLetters},
	{letters + "/regenerate", organizer, nil, regenerate},
	{letters + "/draft", organizer, nil, draftLetters},
	{letters + "/told", organizer, nil, tellPerson},
	{aLetter, organizer, showLetter, editLetter},
	{aLetter + "/send", organizer, nil, sendOneLetter},
	{aLetter + "/hold", organizer, nil, holdOneLetter},
	{aLetter + "/rewrite", organizer, nil, rewriteLetter},
	{aLetter + "/take-out", organizer, nil, takeOutLetter},
	{decisions, organizer, listDecisions, openCommit},
	{aCommit, organizer, showCommit, startCommit},
	{aCommit + "/choose", organizer, nil, chooseCommit},
	{aCommit + "/undo", organizer, askUndoCommit, undoCommit},
	{event + "/reviews", roundReviewer, listReviews, nil},
	{aQueue, roundReviewer, showQueue, nil},
	{aQueue + "/:id", roundReviewer, showSheet, giveVerdict},
	{rounds, organizer, listRounds, addRound},
	{event + "/identifying-answers", organizer, nil, identifyAnswers},
	{aRound, organizer, found(round, showRound), found(round, changeRound)},
	{aRound + "/scorecard", organizer, found(round, cardForm), found(round, changeCard)},
	{aRound + "/reviewers", organizer, nil, found(round, changeReviewers)},
	{aRound + "/assign", organizer, found(round, planAssignment), found(round, distribute)},
	{aRound + "/submissions", organizer, found(round, listCover), nil},
	{aRound + "/submissions/:id", organizer, found(round, assignForm), found(round, assignTo)},
	{aRound + "/results", organizer, found(round, showResults), nil},
	{aRound + "/results.csv", organizer, found(round, exportResults), nil},
	{event + "/activity", viewer, tidy(listActivity), nil},
	{event + "/settings", organizer, settingsForm, changeSettings},

	{eventAbstract, viewer, tidy(with("submissions", listSessions)), nil},
	{eventAbstract + ".csv", viewer, with("submissions", export), nil},
	{eventAbstract + "/columns", viewer, nil, with("submissions", keepColumns)},
	{eventAbstract + "/views", viewer, nil, with("submissions", saveView)},
	{eventAbstract + "/views/:view/delete", viewer, nil, with("submissions", deleteView)},
	{eventAbstract + "/bulk", organizer, nil, with("submissions", bulk)},
	{eventAbstract + "/write", organizer, nil, with("submissions", writeToSpeakers)},
	{eventAbstract + "/new", organizer, with(true, newSessionForm), with(true, newSession)},

	{eventTriage, organizer, tidy(showTriage), nil},
	{eventTriage + "/undo", organizer, nil, undoInTriage},
	{eventTriage + "/:id", organizer, tidy(showTriage), moveInTriage},
	{eventSessions, viewer, tidy(with("sessions", listSessions)), nil},
	{eventSessions + ".csv", viewer, with("sessions", export), nil},
	{eventSessions + "/columns", viewer, nil, with("sessions", keepColumns)},
	{eventSessions + "/views", viewer, nil, with("sessions", saveView)},
	{eventSessions + "/views/:view/delete", viewer, nil, with("sessions", deleteView)},
	{eventSessions + "/bulk", organizer, nil, with("sessions", bulk)},
	{eventSessions + "/write", organizer, nil, with("sessions", writeToSpeakers)},
	{eventSessions + "/new", organizer, with(false, newSessionForm), with(false, newSession)},

	{eventAgenda, viewer, tidy(showAgenda), nil},
	{eventAgenda + "/version", viewer, agendaVersion, nil},
	{eventAgenda + "/rows", viewer, nil, keepAgendaRows},
	{eventAgenda + "/move/:id", organizer, moveForm, moveSession},
	{eventAgenda + "/suggest", organizer, suggestForm, suggestPlaces},
	{eventAgenda + "/suggest/:placing", organizer, showPlaces, applyPlaces},
	{eventAgenda + "/suggest/:placing/discard", organizer, nil, discardPlaces},
	{eventPublish, organizer, tidy(showPublish), publish},
	{eventPublish + "/count", organizer, nil, countPublish},
	{eventPublish + "/anyway", organizer, nil, publishAnyway},
	{eventPublish + "/versions", organizer, listAgendaVersions, releaseAgenda},
	{anAgendaVersion, organizer, found(releasedVersion, showAgendaVersion), nil},
	{anAgendaVersion + "/letters", organizer, nil, found(releasedVersion, draftChangeLetters)},
	{aRelease, organizer, found(releasedVersion, showAgendaVersion), nil},
	{aRelease + "/letters", organizer, nil, found(releasedVersion, draftChangeLetters)},
	{event + "/compose", organizer, composePage, compose},
	{eventSession, viewer, showSession, nil},
	{eventSession + "/edit", organizer, found(liveSession, editSessionForm), found(liveSession, editSession)},
	{eventSession + "/status", organizer, nil, setStatus},
	{eventSession + "/undo-decision", organizer, found(liveSession, undoDecisionForm), found(liveSession, undoDecision)},
	{eventSession + "/text", organizer, found(liveSession, editTextForm), found(liveSession, editText)},
	{eventSession + "/detach", organizer, nil, found(liveSession, detach)},
	{eventSession + "/link", organizer, found(liveSession, askLinkAgain), found(liveSession, linkAgain)},
	{eventSession + "/content", organizer, nil, found(liveSession, setContent)},
	{eventSession + "/put-back", organizer, nil, putBack},
	{eventSession + "/place", organizer, nil, found(liveSession, changePlace)},
	{eventSession + "/people", organizer, nil, found(liveSession, changePeople)},
	{eventSession + "/publish", organizer, found(liveSession, publishSessionForm), found(liveSession, publishSession)},
	{eventSession + "/unpublish", organizer, nil, found(liveSession, unpublishSession)},
	{eventSession + "/delete", organizer, found(liveSession, deleteSessionForm), deleteSession},
	{eventSession + "/restore", organizer, nil, restoreSession},
	{eventSession + "/versions", viewer, found(liveSession, listVersions), nil},
	{eventSession + "/versions", organizer, nil, found(liveSession, restoreVersion)},
	{eventSession + "/review", reviewer, nil, found(liveSession, giveReview)},
	{eventSession + "/review/take-back", reviewer, found(liveSession, takeReviewBackForm), takeReviewBack},
	{event + "/agenda/breaks/new", organizer, newBreakForm, addBreak},
	{aBreak, viewer, found(agendaBreak, showBreak), nil},
	{aBreak, organizer, nil, found(agendaBreak, changeBreak)},
	{aBreak + "/copy", organizer, nil, found(agendaBreak, copyBreak)},
	{aBreak + "/delete", organizer, nil, found(agendaBreak, deleteBreak)},
	{aBreak + "/restore", organizer, nil, restoreBreak},
	{eventTrash, organizer, tidy(with("trash", listSessions)), nil},
	{eventTrash + "/columns", organizer, nil, with("trash", keepColumns)},
	{eventTrash + "/bulk", organizer, nil, with("trash", bulk)},
	{eventTrash + "/restore", organizer, nil, restoreOne},
	{eventBatch, organizer, batchPage, nil},
	{eventBatch + "/retry", organizer, nil, retryBatch},
	{eventBatch + "/undo", organizer, nil, undoBatch},
	{event + "/metadata", viewer, listTracks, nil},
	{metadataList, viewer, found(family, listMetadata), nil},
	{metadataList, organizer, nil, found(family, addMetadata)},
	{metadataRow, viewer, found(row, findMetadata), nil},
	{metadataRow, organizer, nil, found(row, changeMetadata)},
	{metadataRow + "/move", organizer, nil, found(row, moveMetadata)},
	{metadataRow + "/delete", organizer, found(row, deleteMetadataForm), found(row, deleteMetadata)},

	{eventKeys, organizer, listKeys, nil},
	{eventKeys + "/new", organizer, newKey, makeKey},
	{eventKeys + "/:key/revoke", organizer, found(key, askRevokeKey), found(key, revokeKey)},
}
