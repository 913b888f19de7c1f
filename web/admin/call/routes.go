// Package call serves the pages where staff shape the call for papers: its form with parts and questions, its window,
// its texts, and its access codes.
package call

import "lectern/web/admin/visit"

const (
	theCallPath   = visit.Event + "/call"
	aCallPart     = theCallPath + "/parts/:part"
	aCallQuestion = theCallPath + "/questions/:question"
	aCallCode     = theCallPath + "/codes/:code"
)

// Routes are the addresses of the call for papers.
var Routes = []visit.Address{
	visit.At(theCallPath, visit.Viewer, showCall, nil),
	visit.At(theCallPath+"/start", visit.Organizer, nil, startCall),
	visit.At(theCallPath+"/copy", visit.Organizer, copyCallForm, copyCall),
	visit.At(theCallPath+"/ask", visit.Organizer, nil, OfCall(askStandard)),
	visit.At(theCallPath+"/parts", visit.Organizer, nil, addCallPart),
	visit.At(aCallPart, visit.Organizer, visit.Found(callPart, callPartForm), visit.Found(callPart, changeCallPart)),
	visit.At(aCallPart+"/move", visit.Organizer, nil, visit.Found(callPart, moveCallPart)),
	visit.At(aCallPart+"/remove", visit.Organizer, visit.Found(callPart, askRemovePart),
		visit.Found(callPart, removeCallPart)),
	visit.At(theCallPath+"/questions/new", visit.Organizer, OfCall(newCallQuestion), OfCall(addCallQuestion)),
	visit.At(aCallQuestion, visit.Organizer, visit.Found(callQuestion, callQuestionForm),
		visit.Found(callQuestion, changeCallQuestion)),
	visit.At(aCallQuestion+"/move", visit.Organizer, nil, visit.Found(callQuestion, moveCallQuestion)),
	visit.At(aCallQuestion+"/remove", visit.Organizer, visit.Found(callQuestion, askRemoveQuestion),
		visit.Found(callQuestion, removeCallQuestion)),
	visit.At(aCallQuestion+"/bring-back", visit.Organizer, nil, OfCall(bringBackQuestion)),
	visit.At(theCallPath+"/window", visit.Viewer, OfCall(callWindowForm), nil),
	visit.At(theCallPath+"/window", visit.Organizer, nil, OfCall(changeCallWindow)),
	visit.At(theCallPath+"/open", visit.Organizer, nil, OfCall(openCall)),
	visit.At(theCallPath+"/close", visit.Organizer, nil, OfCall(closeCall)),
	visit.At(theCallPath+"/texts", visit.Viewer, OfCall(callTextsForm), nil),
	visit.At(theCallPath+"/texts", visit.Organizer, nil, OfCall(changeCallTexts)),
	visit.At(theCallPath+"/codes", visit.Organizer, OfCall(listCodes), OfCall(makeCode)),
	visit.At(aCallCode, visit.Organizer, visit.Found(callCode, editCodeForm), visit.Found(callCode, changeCode)),
	visit.At(aCallCode+"/end", visit.Organizer, nil, visit.Found(callCode, endCode)),
	visit.At(theCallPath+"/preview", visit.Viewer, OfCall(previewCall), nil),
}
