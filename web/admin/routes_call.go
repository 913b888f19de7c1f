package admin

const (
	theCallPath   = event + "/call"
	aCallPart     = theCallPath + "/parts/:part"
	aCallQuestion = theCallPath + "/questions/:question"
	aCallCode     = theCallPath + "/codes/:code"
)

// callRoutes are the addresses of the call for papers: its form, its window, its codes.
var callRoutes = []address{
	at(theCallPath, viewer, showCall, nil),
	at(theCallPath+"/start", organizer, nil, startCall),
	at(theCallPath+"/copy", organizer, copyCallForm, copyCall),
	at(theCallPath+"/ask", organizer, nil, ofCall(askStandard)),
	at(theCallPath+"/parts", organizer, nil, addCallPart),
	at(aCallPart, organizer, found(callPart, callPartForm), found(callPart, changeCallPart)),
	at(aCallPart+"/move", organizer, nil, found(callPart, moveCallPart)),
	at(aCallPart+"/remove", organizer, found(callPart, askRemovePart), found(callPart, removeCallPart)),
	at(theCallPath+"/questions/new", organizer, ofCall(newCallQuestion), ofCall(addCallQuestion)),
	at(aCallQuestion, organizer, found(callQuestion, callQuestionForm), found(callQuestion, changeCallQuestion)),
	at(aCallQuestion+"/move", organizer, nil, found(callQuestion, moveCallQuestion)),
	at(aCallQuestion+"/remove", organizer, found(callQuestion, askRemoveQuestion), found(callQuestion, removeCallQuestion)),
	at(aCallQuestion+"/bring-back", organizer, nil, ofCall(bringBackQuestion)),
	at(theCallPath+"/window", viewer, ofCall(callWindowForm), nil),
	at(theCallPath+"/window", organizer, nil, ofCall(changeCallWindow)),
	at(theCallPath+"/open", organizer, nil, ofCall(openCall)),
	at(theCallPath+"/close", organizer, nil, ofCall(closeCall)),
	at(theCallPath+"/texts", viewer, ofCall(callTextsForm), nil),
	at(theCallPath+"/texts", organizer, nil, ofCall(changeCallTexts)),
	at(theCallPath+"/codes", organizer, ofCall(listCodes), ofCall(makeCode)),
	at(aCallCode, organizer, found(callCode, editCodeForm), found(callCode, changeCode)),
	at(aCallCode+"/end", organizer, nil, found(callCode, endCode)),
	at(theCallPath+"/preview", viewer, ofCall(previewCall), nil),
	at(theCallPath+"/proposals/new", organizer, ofCall(newProposalForm), ofCall(newProposal)),
}
