package admin

import "lectern/models"

const (
	eventPeople   = event + "/speakers"
	eventPerson   = eventPeople + "/:contact"
	personAnswers = eventPerson + "/answers"
	eventSegment  = eventPeople + "/segments/:segment"
	aContact      = contactsPath + "/:contact"
	aSegment      = contactsPath + "/segments/:segment"
	pairsPath     = contactsPath + "/pairs"
	aField        = fieldsPath + "/:field"
	eventSourcing = event + "/sourcing"
	aCard         = eventSourcing + "/:contact"
	aStage        = stagesPath + "/:stage"
	aPhoto        = aContact + "/photo"
	aFile         = aContact + "/files/:field"
	contactFile   = event + "/contacts/:contact/files/:field"
	contactPhoto  = event + "/contacts/:contact/photo"
	imports       = event + "/imports"
	anImport      = imports + "/:import"
)

// peopleRoutes are the addresses of people: the organization's directory, the speakers of an event, sourcing, segments and imports.
var peopleRoutes = []address{
	at(contactsPath, directory, tidy(listContacts), nil),
	at(contactsPath+".csv", exporting, exportContacts, nil),
	at(contactsPath+"/columns", directory, nil, keepRosterColumns),
	at(contactsPath+"/segments", directory, nil, addSegment),
	at(aSegment, directory, found(segment, showSegment), nil),
	at(aSegment+"/edit", directory, found(segment, editSegmentForm), found(segment, editSegment)),
	at(aSegment+"/update", directory, nil, found(segment, updateSegment)),
	at(aSegment+"/delete", directory, nil, found(segment, deleteSegment)),
	at(contactsPath+"/overview", directory, showOverview, nil),
	at(contactsPath+"/new", allEvents, newPersonForm, newPerson),
	at(fieldsPath, allEvents, listOwnFields, addOwnField),
	at(aField, allEvents, found(ownField, ownFieldForm), found(ownField, changeOwnField)),
	at(aField+"/delete", allEvents, found(ownField, askDeleteOwnField), found(ownField, deleteOwnField)),
	at(pairsPath, allEvents, tidy(listPairs), mergePairs),
	at(pairsPath+"/next", allEvents, nextPair, nil),
	at(pairsPath+"/dismiss", allEvents, nil, dismissPair),
	at(pairsPath+"/dismissed", allEvents, listDismissed, nil),
	at(pairsPath+"/bring-back", allEvents, nil, bringBackPair),
	at(stagesPath, allEvents, listStages, addStage),
	at(aStage, allEvents, found(stage, stageEditForm), found(stage, changeStage)),
	at(aStage+"/move", allEvents, nil, found(stage, moveStage)),
	at(aStage+"/delete", allEvents, found(stage, askRemoveStage), found(stage, removeStage)),
	at(contactsPath+"/place", directory, nil, placeContacts),
	at(contactsPath+"/write", directory, nil, writeToContacts),
	at(aContact, directory, showPerson, nil),
	at(aContact+"/invite", directory, nil, onPlace(invitePerson)),
	at(aContact+"/link", directory, nil, onPlace(linkPerson)),
	at(aContact+"/merge", allEvents, mergeWith, nil),
	at(aContact+"/merge/:other", allEvents, comparePair, mergePair),
	at(aContact+"/merges", allEvents, listMerges, nil),
	at(aContact+"/export", allEvents, nil, exportPerson),
	at(aContact+"/erase", allEvents, askErase, erasePerson),
	at(aContact+"/edit", allEvents, editPersonForm, with(models.Profile, editPerson)),
	at(eventPeople, seesPeople, tidy(listContacts), nil),
	at(eventPeople+".csv", organizer, exportContacts, nil),
	at(eventPeople+"/columns", seesPeople, nil, keepRosterColumns),
	at(eventPeople+"/segments", seesPeople, nil, addSegment),
	at(eventSegment, seesPeople, found(segment, showSegment), nil),
	at(eventSegment+"/edit", seesPeople, found(segment, editSegmentForm), found(segment, editSegment)),
	at(eventSegment+"/update", seesPeople, nil, found(segment, updateSegment)),
	at(eventSegment+"/delete", seesPeople, nil, found(segment, deleteSegment)),
	at(eventPeople+"/new", organizer, newPersonForm, newPerson),
	at(eventPeople+"/status", organizer, nil, moveStatuses),
	at(eventPeople+"/put-back", organizer, nil, putAtEvent),
	at(eventPeople+"/write", organizer, nil, writeToPeople),
	at(eventPerson, seesPeople, showPerson, nil),
	at(eventPerson+"/edit", organizer, editPersonForm, with(models.Profile, editPerson)),
	at(eventPerson+"/workflow", organizer, nil, with(models.Workflow, editPerson)),
	at(eventPerson+"/tags", organizer, nil, with(models.Tagging, editPerson)),
	at(personAnswers, organizer, personAnswersForm, savePersonAnswers),
	at(personAnswers+"/files/:question", seesPeople, personAnswerFile, nil),
	at(eventPerson+"/travel", organizer, nil, with(models.Travel, editPerson)),
	at(eventPerson+"/availability", organizer, nil, with(models.Available, editPerson)),
	at(eventPerson+"/notes", organizer, nil, addNote),
	at(eventPerson+"/invite", organizer, nil, onPlace(invitePerson)),
	at(eventPerson+"/link", organizer, nil, onPlace(linkPerson)),
	at(eventPerson+"/take-off", organizer, askTakeOff, takeOff),
	at(aPhoto, directory, downloadPhoto, nil),
	at(aPhoto, allEvents, nil, choosePhoto),
	at(aPhoto+"/remove", allEvents, nil, removePhoto),
	at(aFile, directory, downloadFile, nil),
	at(aFile, allEvents, nil, chooseFile),
	at(aFile+"/remove", allEvents, nil, removeFile),
	at(eventSourcing, seesPeople, tidy(showBoard), nil),
	at(eventSourcing+"/add", organizer, addCardForm, addCard),
	at(eventSourcing+"/move", organizer, nil, moveCard),
	at(eventSourcing+"/place", organizer, nil, placePeople),
	at(aCard, seesPeople, showCard, nil),
	at(aCard+"/notes", organizer, nil, noteOnCard),
	at(aCard+"/invite", organizer, nil, inviteFromBoard),
	at(aCard+"/remove", organizer, askRemoveCard, removeCard),
	at(contactPhoto, seesPeople, downloadPhoto, nil),
	at(contactPhoto, organizer, nil, choosePhoto),
	at(contactPhoto+"/remove", organizer, nil, removePhoto),
	at(contactFile, seesPeople, downloadFile, nil),
	at(contactFile, organizer, nil, chooseFile),
	at(contactFile+"/remove", organizer, nil, removeFile),
	at(imports, organizer, importsForm, uploadPeople),
	at(anImport, organizer, showImport, nil),
	at(anImport+"/columns", organizer, columnsForm, chooseColumns),
	at(anImport+"/check", organizer, checkImport, nil),
	at(anImport+"/start", organizer, nil, startImport),
	at(anImport+"/cancel", organizer, nil, cancelImport),
	at(anImport+"/faults.csv", organizer, importFaults, nil),
}
