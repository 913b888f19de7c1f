// Package letters is where staff write to people: the letters of decisions, letters to people whom they choose, the texts
// that letters begin with, and the outbox in which all of them stand until they have gone.
package letters

import "lectern/web/admin/visit"

const (
	letters  = visit.Event + "/letters"
	aLetter  = letters + "/:letter"
	aMailing = letters + "/mailings/:mailing"
)

// Routes are the addresses of letters.
var Routes = []visit.Address{
	visit.At(letters, visit.Organizer, visit.Tidy(listLetters), nil),
	visit.At(letters+"/templates/:kind", visit.Organizer, visit.Found(letterTemplate, letterTemplateForm),
		visit.Found(letterTemplate, saveLetterTemplate)),
	visit.At(letters+"/templates/:kind/delete", visit.Organizer, visit.Found(letterTemplate, askDeleteTemplate),
		visit.Found(letterTemplate, deleteTemplate)),
	visit.At(aMailing, visit.Organizer, visit.Found(mailing, showMailing), visit.Found(mailing, saveMailing)),
	visit.At(aMailing+"/letters", visit.Organizer, visit.Found(mailing, listMailing), nil),
	visit.At(aMailing+"/send", visit.Organizer, visit.Found(mailing, askSendMailing), visit.Found(mailing, sendMailing)),
	visit.At(aMailing+"/discard", visit.Organizer, visit.Found(mailing, askDiscardMailing),
		visit.Found(mailing, discardMailing)),
	visit.At(letters+"/send", visit.Organizer, askSendLetters, sendLetters),
	visit.At(letters+"/now", visit.Organizer, nil, sendLetterNow),
	visit.At(letters+"/hold", visit.Organizer, nil, holdLetters),
	visit.At(letters+"/pause", visit.Organizer, nil, pauseLetters),
	visit.At(letters+"/resume", visit.Organizer, nil, resumeLetter),
	visit.At(letters+"/retry", visit.Organizer, nil, retryLetters),
	visit.At(letters+"/regenerate", visit.Organizer, nil, regenerate),
	visit.At(letters+"/join", visit.Organizer, nil, joinLetters),
	visit.At(letters+"/draft", visit.Organizer, nil, draftLetters),
	visit.At(letters+"/told", visit.Organizer, nil, tellPerson),
	visit.At(aLetter, visit.Organizer, showLetter, editLetter),
	visit.At(aLetter+"/send", visit.Organizer, nil, sendOneLetter),
	visit.At(aLetter+"/hold", visit.Organizer, nil, holdOneLetter),
	visit.At(aLetter+"/part", visit.Organizer, nil, partLetters),
	visit.At(aLetter+"/rewrite", visit.Organizer, nil, rewriteLetter),
	visit.At(aLetter+"/take-out", visit.Organizer, nil, takeOutLetter),
}
