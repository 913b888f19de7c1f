package admin

import (
	"slices"

	"lectern/models"
)

// addresses are all of the admin.
var addresses = slices.Concat(everywhere, ofEvents, inPublic)

// everywhere are those of no event.
var everywhere = []address{
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
	{"/admin/sidebar", signedIn, nil, setSidebar},
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

	{contactsPath, directory, tidy(listContacts), nil},
	{contactsPath + ".csv", exporting, exportContacts, nil},
	{contactsPath + "/columns", directory, nil, keepRosterColumns},
	{contactsPath + "/segments", directory, nil, addSegment},
	{aSegment, directory, found(segment, showSegment), nil},
	{aSegment + "/edit", directory, found(segment, editSegmentForm), found(segment, editSegment)},
	{aSegment + "/update", directory, nil, found(segment, updateSegment)},
	{aSegment + "/delete", directory, nil, found(segment, deleteSegment)},
	{contactsPath + "/overview", directory, showOverview, nil},
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
	{contactsPath + "/place", directory, nil, placeContacts},
	{contactsPath + "/write", directory, nil, writeToContacts},
	{aContact, directory, showPerson, nil},
	{aContact + "/invite", directory, nil, onPlace(invitePerson)},
	{aContact + "/link", directory, nil, onPlace(linkPerson)},
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
}
