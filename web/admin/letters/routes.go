// Package letters serves the pages where staff write to people: letters about decisions, letters to chosen people, the
// templates of both, and the outbox.
package letters

import "lectern/web/admin/visit"

const (
	all      = visit.Event + "/letters"
	aLetter  = all + "/:letter"
	aMailing = all + "/mailings/:mailing"
)

// Routes are the addresses of letters.
var Routes = []visit.Address{
	visit.At(all, visit.Organizer, visit.Tidy(listLetters), nil),
	visit.At(all+"/templates/:kind", visit.Organizer, visit.Found(letterTemplate, letterTemplateForm),
		visit.Found(letterTemplate, saveLetterTemplate)),
	visit.At(all+"/templates/:kind/delete", visit.Organizer, visit.Found(letterTemplate, askDeleteTemplate),
		visit.Found(letterTemplate, deleteTemplate)),
	visit.At(aMailing, visit.Organizer, visit.Found(mailing, showMailing), visit.Found(mailing, saveMailing)),
	visit.At(aMailing+"/letters", visit.Organizer, visit.Found(mailing, listMailing), nil),
	visit.At(aMailing+"/send", visit.Organizer, visit.Found(mailing, askSendMailing), visit.Found(mailing, sendMailing)),
	visit.At(aMailing+"/discard", visit.Organizer, visit.Found(mailing, askDiscardMailing),
		visit.Found(mailing, discardMailing)),
	visit.At(all+"/send", visit.Organizer, askSendLetters, sendLetters),
	visit.At(all+"/now", visit.Organizer, nil, sendLetterNow),
	visit.At(all+"/hold", visit.Organizer, nil, holdLetters),
	visit.At(all+"/pause", visit.Organizer, nil, pauseLetters),
	visit.At(all+"/resume", visit.Organizer, nil, resumeLetter),
	visit.At(all+"/retry", visit.Organizer, nil, retryLetters),
	visit.At(all+"/regenerate", visit.Organizer, nil, regenerate),
	visit.At(all+"/join", visit.Organizer, nil, joinLetters),
	visit.At(all+"/draft", visit.Organizer, nil, draftLetters),
	visit.At(all+"/told", visit.Organizer, nil, tellPerson),
	visit.At(aLetter, visit.Organizer, showLetter, editLetter),
	visit.At(aLetter+"/send", visit.Organizer, nil, sendOneLetter),
	visit.At(aLetter+"/hold", visit.Organizer, nil, holdOneLetter),
	visit.At(aLetter+"/part", visit.Organizer, nil, partLetters),
	visit.At(aLetter+"/rewrite", visit.Organizer, nil, rewriteLetter),
	visit.At(aLetter+"/take-out", visit.Organizer, nil, takeOutLetter),
}
