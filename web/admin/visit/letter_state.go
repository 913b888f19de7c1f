package visit

import (
	"strconv"
	"strings"

	"lectern/models"
	"lectern/web/page"
)

// LetterState returns the state of a letter in words, the reason for it, and its tone (its colour).
func (v *Visit) LetterState(l *models.LetterRow) (state, why, tone string) {
	code, words, found := strings.Cut(l.Answer, ": ")
	if !found {
		code, words = "", l.Answer
	}
	why = strings.TrimSpace(strings.ToUpper(words[:min(1, len(words))]) + words[min(1, len(words)):])
	switch l.State {
	case models.LetterDraft:
		return draftState(l)
	case models.LetterQueued:
		switch {
		case l.DueAt == nil:
			return "Paused", "", "warn"
		case l.Attempts == 0 && l.Answer != "":
			return "Waits for the mail server", "", "warn"
		case l.Attempts > 0:
			return "Put off, " + code, why + ". Next try " + page.When(l.DueAt, v.Zone()), "warn"
		}
		return "Waiting", "", ""
	case models.LetterSending:
		return "Going out", "", ""
	case models.LetterFailed:
		if l.Attempts > 1 {
			why += ". Tried " + strconv.Itoa(l.Attempts) + " times"
		}
		return strings.TrimSuffix("Refused, "+code, ", "), why, "bad"
	case models.LetterUnknown:
		return "Unknown", why, "warn"
	case models.LetterTold:
		return "Told by other means", l.Reason, "good"
	case models.LetterSuperseded:
		return "Not sent", "Another decision came before it went out", ""
	}
	return "Sent", page.When(l.SentAt, v.Zone()), "good"
}

// draftState says whether a draft can be sent.
func draftState(l *models.LetterRow) (state, why, tone string) {
	switch {
	case l.Within != "":
		return "In one letter with “" + l.Within + "”", "", ""
	case l.Email == "":
		return "Cannot be sent", "No e-mail address", "warn"
	case l.Body == "":
		return "Not written yet", "", ""
	case l.Missing != "":
		return "Cannot be sent", "Nothing to put for " + strings.ReplaceAll(l.Missing, ",", ", "), "warn"
	}
	return "Draft", "", ""
}
