package admin

const (
	letters   = event + "/letters"
	aLetter   = letters + "/:letter"
	aMailing  = letters + "/mailings/:mailing"
	decisions = event + "/decisions"
	aCommit   = decisions + "/:commit"
)

// lettersRoutes are the addresses of letters and of the decisions that they tell.
var lettersRoutes = []address{
	at(letters, organizer, tidy(listLetters), nil),
	at(letters+"/templates/:kind", organizer, found(letterTemplate, letterTemplateForm), found(letterTemplate, saveLetterTemplate)),
	at(letters+"/templates/:kind/delete", organizer, found(letterTemplate, askDeleteTemplate), found(letterTemplate, deleteTemplate)),
	at(aMailing, organizer, found(mailing, showMailing), found(mailing, saveMailing)),
	at(aMailing+"/letters", organizer, found(mailing, listMailing), nil),
	at(aMailing+"/send", organizer, found(mailing, askSendMailing), found(mailing, sendMailing)),
	at(aMailing+"/discard", organizer, found(mailing, askDiscardMailing), found(mailing, discardMailing)),
	at(letters+"/send", organizer, askSendLetters, sendLetters),
	at(letters+"/now", organizer, nil, sendLetterNow),
	at(letters+"/hold", organizer, nil, holdLetters),
	at(letters+"/pause", organizer, nil, pauseLetters),
	at(letters+"/resume", organizer, nil, resumeLetter),
	at(letters+"/retry", organizer, nil, retryLetters),
	at(letters+"/regenerate", organizer, nil, regenerate),
	at(letters+"/join", organizer, nil, joinLetters),
	at(letters+"/draft", organizer, nil, draftLetters),
	at(letters+"/told", organizer, nil, tellPerson),
	at(aLetter, organizer, showLetter, editLetter),
	at(aLetter+"/send", organizer, nil, sendOneLetter),
	at(aLetter+"/hold", organizer, nil, holdOneLetter),
	at(aLetter+"/part", organizer, nil, partLetters),
	at(aLetter+"/rewrite", organizer, nil, rewriteLetter),
	at(aLetter+"/take-out", organizer, nil, takeOutLetter),
	at(decisions, organizer, listDecisions, openCommit),
	at(aCommit, organizer, showCommit, startCommit),
	at(aCommit+"/choose", organizer, nil, chooseCommit),
	at(aCommit+"/undo", organizer, askUndoCommit, undoCommit),
}
