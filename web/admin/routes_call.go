package admin

import "lectern/web/admin/visit"

const (
	theCallPath   = visit.Event + "/call"
	aCallPart     = theCallPath + "/parts/:part"
	aCallQuestion = theCallPath + "/questions/:question"
	aCallCode     = theCallPath + "/codes/:code"
)

// callRoutes are the addresses of the call for papers: its form, its window, its codes.
var callRoutes = []visit.Address{
	visit.At(theCallPath, visit.Viewer, showCall, nil),
	visit.At(theCallPath+"/start", visit.Organizer, nil, startCall),
	visit.At(theCallPath+"/copy", visit.Organizer, copyCallForm, copyCall),
	visit.At(theCallPath+"/ask", visit.Organizer, nil, ofCall(askStandard)),
	visit.At(theCallPath+"/parts", visit.Organizer, nil, addCallPart),
	visit.At(aCallPart, visit.Organizer, visit.Found(callPart, callPartForm), visit.Found(callPart, changeCallPart)),
	visit.At(aCallPart+"/move", visit.Organizer, nil, visit.Found(callPart, moveCallPart)),
	visit.At(aCallPart+"/remove", visit.Organizer, visit.Found(callPart, askRemovePart),
		visit.Found(callPart, removeCallPart)),
	visit.At(theCallPath+"/questions/new", visit.Organizer, ofCall(newCallQuestion), ofCall(addCallQuestion)),
	visit.At(aCallQuestion, visit.Organizer, visit.Found(callQuestion, callQuestionForm),
		visit.Found(callQuestion, changeCallQuestion)),
	visit.At(aCallQuestion+"/move", visit.Organizer, nil, visit.Found(callQuestion, moveCallQuestion)),
	visit.At(aCallQuestion+"/remove", visit.Organizer, visit.Found(callQuestion, askRemoveQuestion),
		visit.Found(callQuestion, removeCallQuestion)),
	visit.At(aCallQuestion+"/bring-back", visit.Organizer, nil, ofCall(bringBackQuestion)),
	visit.At(theCallPath+"/window", visit.Viewer, ofCall(callWindowForm), nil),
	visit.At(theCallPath+"/window", visit.Organizer, nil, ofCall(changeCallWindow)),
	visit.At(theCallPath+"/open", visit.Organizer, nil, ofCall(openCall)),
	visit.At(theCallPath+"/close", visit.Organizer, nil, ofCall(closeCall)),
	visit.At(theCallPath+"/texts", visit.Viewer, ofCall(callTextsForm), nil),
	visit.At(theCallPath+"/texts", visit.Organizer, nil, ofCall(changeCallTexts)),
	visit.At(theCallPath+"/codes", visit.Organizer, ofCall(listCodes), ofCall(makeCode)),
	visit.At(aCallCode, visit.Organizer, visit.Found(callCode, editCodeForm), visit.Found(callCode, changeCode)),
	visit.At(aCallCode+"/end", visit.Organizer, nil, visit.Found(callCode, endCode)),
	visit.At(theCallPath+"/preview", visit.Viewer, ofCall(previewCall), nil),
	visit.At(theCallPath+"/proposals/new", visit.Organizer, ofCall(newProposalForm), ofCall(newProposal)),
}
