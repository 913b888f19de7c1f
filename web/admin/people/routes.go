// Package people serves the pages on which staff work with people: the organization's directory, the people of an
// event, what is stored about each, segments, merges and imports, and the board on which an event looks for speakers.
package people

import (
	"lectern/models"
	"lectern/models/csv"
	"lectern/web/admin/visit"
)

const (
	eventPeople   = visit.Event + "/speakers"
	eventPerson   = eventPeople + "/:contact"
	personAnswers = eventPerson + "/answers"
	eventSegment  = eventPeople + "/segments/:segment"
	aContact      = visit.ContactsPath + "/:contact"
	aSegment      = visit.ContactsPath + "/segments/:segment"
	pairsPath     = visit.ContactsPath + "/pairs"
	aField        = fieldsPath + "/:field"
	eventSourcing = visit.Event + "/sourcing"
	aCard         = eventSourcing + "/:contact"
	aStage        = stagesPath + "/:stage"
	aPhoto        = aContact + "/photo"
	aFile         = aContact + "/files/:field"
	contactFile   = visit.Event + "/contacts/:contact/files/:field"
	contactPhoto  = visit.Event + "/contacts/:contact/photo"
	imports       = visit.Event + "/imports"
	anImport      = imports + "/:import"
)

// Routes are the addresses of people.
var Routes = []visit.Address{
	visit.At(visit.ContactsPath, visit.Directory, visit.Tidy(visit.Found(rosterHere, listContacts)), nil),
	visit.At(visit.ContactsPath+".csv", visit.Exporting, visit.Found(rosterHere, exportContacts), nil),
	visit.At(visit.ContactsPath+"/columns", visit.Directory, nil, visit.Found(postedRoster, keepRosterColumns)),
	visit.At(visit.ContactsPath+"/segments", visit.Directory, nil, visit.Found(postedRoster, addSegment)),
	visit.At(aSegment, visit.Directory, visit.Found(segment, showSegment), nil),
	visit.At(aSegment+"/edit", visit.Directory, visit.Found(segment, editSegmentForm),
		visit.Found(segment, editSegment)),
	visit.At(aSegment+"/update", visit.Directory, nil, visit.Found(segment, updateSegment)),
	visit.At(aSegment+"/delete", visit.Directory, nil, visit.Found(segment, deleteSegment)),
	visit.At(visit.ContactsPath+"/overview", visit.Directory, showOverview, nil),
	visit.At(visit.ContactsPath+"/new", visit.AllEvents, visit.Found(rosterHere, newPersonForm),
		visit.Found(rosterHere, newPerson)),
	visit.At(fieldsPath, visit.AllEvents, listOwnFields, addOwnField),
	visit.At(aField, visit.AllEvents, visit.Found(ownField, ownFieldForm), visit.Found(ownField, changeOwnField)),
	visit.At(aField+"/delete", visit.AllEvents, visit.Found(ownField, askDeleteOwnField),
		visit.Found(ownField, deleteOwnField)),
	visit.At(pairsPath, visit.AllEvents, visit.Tidy(listPairs), mergePairs),
	visit.At(pairsPath+"/next", visit.AllEvents, nextPair, nil),
	visit.At(pairsPath+"/dismiss", visit.AllEvents, nil, dismissPair),
	visit.At(pairsPath+"/dismissed", visit.AllEvents, listDismissed, nil),
	visit.At(pairsPath+"/bring-back", visit.AllEvents, nil, bringBackPair),
	visit.At(stagesPath, visit.AllEvents, listStages, addStage),
	visit.At(aStage, visit.AllEvents, visit.Found(stage, stageEditForm), visit.Found(stage, changeStage)),
	visit.At(aStage+"/move", visit.AllEvents, nil, visit.Found(stage, moveStage)),
	visit.At(aStage+"/delete", visit.AllEvents, visit.Found(stage, askRemoveStage), visit.Found(stage, removeStage)),
	visit.At(visit.ContactsPath+"/place", visit.Directory, nil, placeContacts),
	visit.At(visit.ContactsPath+"/write", visit.Directory, nil, writeToContacts),
	visit.At(aContact, visit.Directory, visit.Found(rosterHere, showPerson), nil),
	visit.At(aContact+"/invite", visit.Directory, nil, onPlace(invitePerson)),
	visit.At(aContact+"/link", visit.Directory, nil, onPlace(linkPerson)),
	visit.At(aContact+"/merge", visit.AllEvents, mergeWith, nil),
	visit.At(aContact+"/merge/:other", visit.AllEvents, comparePair, mergePair),
	visit.At(aContact+"/merges", visit.AllEvents, listMerges, nil),
	visit.At(aContact+"/export", visit.AllEvents, nil, exportPerson),
	visit.At(aContact+"/erase", visit.AllEvents, askErase, erasePerson),
	visit.At(aContact+"/edit", visit.AllEvents, visit.Found(personOf, editPersonForm), saves(models.Profile)),
	visit.At(eventPeople, visit.SeesPeople, visit.Tidy(visit.Found(rosterHere, listContacts)), nil),
	visit.At(eventPeople+".csv", visit.Organizer, visit.Found(rosterHere, exportContacts), nil),
	visit.At(eventPeople+"/columns", visit.SeesPeople, nil, visit.Found(postedRoster, keepRosterColumns)),
	visit.At(eventPeople+"/segments", visit.SeesPeople, nil, visit.Found(postedRoster, addSegment)),
	visit.At(eventSegment, visit.SeesPeople, visit.Found(segment, showSegment), nil),
	visit.At(eventSegment+"/edit", visit.SeesPeople, visit.Found(segment, editSegmentForm),
		visit.Found(segment, editSegment)),
	visit.At(eventSegment+"/update", visit.SeesPeople, nil, visit.Found(segment, updateSegment)),
	visit.At(eventSegment+"/delete", visit.SeesPeople, nil, visit.Found(segment, deleteSegment)),
	visit.At(eventPeople+"/new", visit.Organizer, visit.Found(rosterHere, newPersonForm),
		visit.Found(rosterHere, newPerson)),
	visit.At(eventPeople+"/status", visit.Organizer, nil, visit.Found(postedRoster, moveStatuses)),
	visit.At(eventPeople+"/put-back", visit.Organizer, nil, putAtEvent),
	visit.At(eventPeople+"/write", visit.Organizer, nil, visit.Found(postedRoster, writeToPeople)),
	visit.At(eventPerson, visit.SeesPeople, visit.Found(rosterHere, showPerson), nil),
	visit.At(eventPerson+"/edit", visit.Organizer, visit.Found(personOf, editPersonForm), saves(models.Profile)),
	visit.At(eventPerson+"/biography", visit.Organizer, visit.Found(personOf, listBiographies),
		visit.Found(personOf, restoreBiography)),
	visit.At(eventPerson+"/workflow", visit.Organizer, nil, saves(models.Workflow)),
	visit.At(eventPerson+"/tags", visit.Organizer, nil, saves(models.Tagging)),
	visit.At(personAnswers, visit.Organizer, visit.Found(personOf, personAnswersForm),
		visit.Found(personOf, savePersonAnswers)),
	visit.At(personAnswers+"/files/:question", visit.SeesPeople, visit.Found(personOf, personAnswerFile), nil),
	visit.At(eventPerson+"/travel", visit.Organizer, nil, saves(models.Travel)),
	visit.At(eventPerson+"/availability", visit.Organizer, nil, saves(models.Available)),
	visit.At(eventPerson+"/notes", visit.Organizer, nil, visit.Found(personOf, addNote)),
	visit.At(eventPerson+"/invite", visit.Organizer, nil, onPlace(invitePerson)),
	visit.At(eventPerson+"/link", visit.Organizer, nil, onPlace(linkPerson)),
	visit.At(eventPerson+"/take-off", visit.Organizer, visit.Found(personOf, askTakeOff), takeOff),
	visit.At(aPhoto, visit.Directory, downloadPhoto, nil),
	visit.At(aPhoto, visit.AllEvents, nil, choosePhoto),
	visit.At(aPhoto+"/remove", visit.AllEvents, nil, removePhoto),
	visit.At(aFile, visit.Directory, downloadFile, nil),
	visit.At(aFile, visit.AllEvents, nil, chooseFile),
	visit.At(aFile+"/remove", visit.AllEvents, nil, removeFile),
	visit.At(eventSourcing, visit.SeesPeople, visit.Tidy(showBoard), nil),
	visit.At(eventSourcing+"/add", visit.Organizer, addCardForm, addCard),
	visit.At(eventSourcing+"/move", visit.Organizer, nil, moveCard),
	visit.At(eventSourcing+"/place", visit.Organizer, nil, visit.Found(postedRoster, placePeople)),
	visit.At(aCard, visit.SeesPeople, showCard, nil),
	visit.At(aCard+"/notes", visit.Organizer, nil, noteOnCard),
	visit.At(aCard+"/invite", visit.Organizer, nil, inviteFromBoard),
	visit.At(aCard+"/remove", visit.Organizer, askRemoveCard, removeCard),
	visit.At(contactPhoto, visit.SeesPeople, downloadPhoto, nil),
	visit.At(contactPhoto, visit.Organizer, nil, choosePhoto),
	visit.At(contactPhoto+"/remove", visit.Organizer, nil, removePhoto),
	visit.At(contactFile, visit.SeesPeople, downloadFile, nil),
	visit.At(contactFile, visit.Organizer, nil, chooseFile),
	visit.At(contactFile+"/remove", visit.Organizer, nil, removeFile),
	visit.At(imports, visit.Organizer, importsForm, uploadPeople),
	visit.At(anImport, visit.Organizer, showImport, nil),
	visit.At(anImport+"/columns", visit.Organizer, columnsForm, chooseColumns),
	visit.At(anImport+"/check", visit.Organizer, checkImport, nil),
	visit.At(anImport+"/start", visit.Organizer, nil, startImport),
	visit.At(anImport+"/cancel", visit.Organizer, nil, cancelImport),
	visit.At(anImport+"/faults.csv", visit.Organizer, importFaults, nil),
}

// Uploads are the addresses of people whose forms take files.
var Uploads = visit.Uploads{visit.TakesPhoto(contactPhoto), visit.TakesPhoto(aPhoto),
	visit.TakesFile(aFile, models.MaxFileBytes+visit.FormRoom), visit.TakesFile(contactFile,
		models.MaxFileBytes+visit.FormRoom),
	{Path: imports, Limit: csv.MaxBytes + visit.FormRoom,
		Takes: "A file of people may have up to 20 MB. Split it, and import the parts one by one."},
	visit.TakesAnswers(personAnswers)}
