package admin

import (
	"cmp"
	"slices"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// holdWords are what holds a session, in the order in which it is counted.
var holdWords = []struct {
	hold             models.Hold
	text, icon, tone string
}{
	{models.HeldFailed, "Letter failed", "circle-x", "bad"},
	{models.HeldUnknown, "Letter unknown", "circle-question", "warn"},
	{models.HeldUndrafted, "Letter not drafted", "file-pen", "warn"},
	{models.HeldUnsent, "Letter not sent", "mail", "warn"},
	{models.HeldUndecided, "Not decided", "gavel", "warn"},
	{models.HeldContent, "Content not approved", "file-text", "warn"},
	{models.HeldAlone, "Nobody to write to", "users", "warn"},
}

func sorted(numbers []int) []int {
	slices.Sort(numbers)
	return numbers
}

func statusWords(s models.Status) string { return components.StatusName(string(s)) }

// sayHold gives a row the words of what holds its session, and the way to mend it.
func (d *publishDesk) sayHold(row *pages.PublishRow, x *models.Publishable, hold models.Hold) {
	for _, h := range holdWords {
		if h.hold == hold {
			row.Why, row.Icon, row.Tone = h.text, h.icon, h.tone
		}
	}
	letter := d.letters[x.LetterID]
	submission := d.at("/sessions/" + x.AbstractID)
	switch hold {
	case models.HeldAlone:
		row.Detail = "No submission is behind it, so no letter can be"
	case models.HeldUndecided:
		row.Detail, row.Remedy, row.RemedyURL = "A submission behind it is not accepted", "Look at the submission", submission
	case models.HeldUndrafted:
		row.Detail, row.Remedy, row.RemedyURL = "Nobody began one to its people", "Draft the letter", submission
	case models.HeldContent:
		row.Detail, row.Remedy, row.RemedyURL = "This event asks for approved content", "Read and approve it", row.URL
	default:
		d.sayLetter(row, x, letter)
	}
}

// sayLetter is why a letter holds a session.
func (d *publishDesk) sayLetter(row *pages.PublishRow, x *models.Publishable, letter *models.LetterRow) {
	row.Remedy, row.RemedyURL = "Open the letter", d.at("/letters/"+x.LetterID)
	if letter == nil { // it went a moment ago
		return
	}
	who := cmp.Or(letter.Name, "somebody who is gone")
	state, why, _ := d.letterState(letter)
	switch letter.State {
	case models.LetterFailed:
		row.Detail, row.Remedy = joinWords(": ", state, why)+" ("+who+")", "Open the letter"
		if letter.IsHere {
			row.Remedy, row.RemedyURL = "Correct the address", d.at("/speakers/"+letter.ContactID+"/edit")
		}
	case models.LetterUnknown:
		row.Detail, row.Remedy = cmp.Or(why, "The mail server never answered"), "Ask "+who+", or send again"
	case models.LetterDraft:
		row.Detail = "Drafted " + d.since(letter.CreatedAt.Time) + ", not sent off"
		if state != "Draft" {
			row.Detail = joinWords(": ", state, why) + " (" + who + ")"
		}
	default:
		row.Detail = joinWords(": ", state, why) + " (" + who + ")"
	}
}
