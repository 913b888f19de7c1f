package agenda

import (
	"cmp"

	"lectern/models"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
)

// holdWords say what holds sessions, foremost first, and what resolves it: a page to go to, or "" to publish the
// sessions anyway.
var holdWords = []struct {
	hold             models.Hold
	text, icon, tone string
	says             string
	action, path     string
}{
	{models.HeldFailed, "Letter failed", "circle-x", "bad",
		"It did not arrive. Correct the address, then send it again.", "Go to the failed letters", "/letters?tab=failed"},
	{models.HeldUnknown, "Letter unknown", "circle-question", "warn",
		"Nobody knows whether it arrived. Ask them, or send it again.", "Go to the unknown letters", "/letters?tab=unknown"},
	{models.HeldUndrafted, "Letter not drafted", "file-pen", "warn",
		"Nobody has begun the letter of the decision.", "Draft the letters", "/letters?tab=drafts"},
	{models.HeldUnsent, "Letter not sent", "mail", "warn",
		"Their people do not know yet.", "Send the letters", "/letters?tab=drafts"},
	{models.HeldUndecided, "Not decided", "gavel", "warn",
		"A submission behind them is not accepted.", "Go to the decisions", "/decisions"},
	{models.HeldContent, "Content not approved", "file-text", "warn",
		"This event asks for approved content.", "Read and approve", "/sessions?content=draft&content=review"},
	{models.HeldAlone, "Nobody to write to", "users", "quiet",
		"No submission is behind them, such as panels, breaks or supper. One reason is enough for all.", "", ""},
}

// held returns the held sessions, grouped by their foremost hold.
func (d *publishDesk) held() pages.PublishHeld {
	p := pages.PublishHeld{PublishPart: d.part("held", "Held", "Each group says why, and what mends it.", d.all.Held)}
	p.All = numbersOf(d.all.Held, nil, everyOne)
	var shown []*models.Publishable
	for _, h := range holdWords {
		group := d.heldBy(h.hold)
		if len(group) == 0 {
			continue
		}
		name := heldName(h.hold)
		g := pages.PublishGroup{PublishPart: d.part(name, h.text, h.says, group), Name: name, Icon: h.icon, Tone: h.tone,
			Action: h.action, ActionURL: d.At(h.path)}
		if h.path == "" {
			g.All = numbersOf(group, nil, everyOne)
			g.Action = "Publish " + map[bool]string{true: "it", false: "those " + g.Count}[len(group) == 1] + " anyway…"
		}
		for _, x := range d.shown(name, group) {
			shown = append(shown, x)
			row := d.row(x)
			d.sayHold(&row, x, h.hold)
			if len(x.Holds) > 1 {
				row.Besides = "And its content is not approved."
			}
			row.Ticked = d.chosen.takesHeld(x)
			g.Rows = append(g.Rows, row)
		}
		p.Groups = append(p.Groups, g)
	}
	p.Rest = numbersOf(d.all.Held, shown, d.chosen.takesHeld)
	if len(d.all.Held) > 1 {
		p.AllName, p.AllTicked = "All "+p.Count+" held", d.chosen != nil && d.chosen.allHeld
	}
	return p
}

// heldName returns the name of a hold's group in addresses.
func heldName(h models.Hold) string { return "held-" + string(h) }

// heldBy returns the sessions whose foremost hold this is.
func (d *publishDesk) heldBy(h models.Hold) (group []*models.Publishable) {
	for _, x := range d.all.Held {
		if x.Holds[0] == h {
			group = append(group, x)
		}
	}
	return group
}

func everyOne(*models.Publishable) bool { return true }

// sayHold adds to a row what holds its session, and the link that resolves it.
func (d *publishDesk) sayHold(row *pages.PublishRow, x *models.Publishable, hold models.Hold) {
	for _, h := range holdWords {
		if h.hold == hold {
			row.Why, row.Icon, row.Tone = h.text, h.icon, h.tone
		}
	}
	submission := d.At("/sessions/" + x.AbstractID)
	switch hold {
	case models.HeldAlone:
		row.Detail = "No submission is behind it"
	case models.HeldUndecided:
		row.Detail, row.Remedy, row.RemedyURL = "A submission behind it is not accepted", "Look at the submission", submission
	case models.HeldUndrafted:
		row.Detail, row.Remedy, row.RemedyURL = "Nobody began one to its people", "Draft the letter", submission
	case models.HeldContent:
		row.Detail, row.Remedy, row.RemedyURL = "This event asks for approved content", "Read and approve it", row.URL
	default:
		d.sayLetter(row, x, d.letters[x.LetterID])
	}
}

// sayLetter adds why a letter holds a session.
func (d *publishDesk) sayLetter(row *pages.PublishRow, x *models.Publishable, letter *models.LetterRow) {
	row.Remedy, row.RemedyURL = "Open the letter", d.At("/letters/"+x.LetterID)
	if letter == nil { // it was sent a moment ago
		return
	}
	who := cmp.Or(letter.Name, "somebody who is gone")
	state, why, _ := d.LetterState(letter)
	switch letter.State {
	case models.LetterFailed:
		row.Detail, row.Remedy = visit.JoinWords(": ", state, why)+" ("+who+")", "Open the letter"
		if letter.IsHere {
			row.Remedy, row.RemedyURL = "Correct the address", d.At("/speakers/"+letter.ContactID+"/edit")
		}
	case models.LetterUnknown:
		row.Detail, row.Remedy = cmp.Or(why, "The mail server never answered"), "Ask "+who+", or send again"
	case models.LetterDraft:
		row.Detail = "Drafted " + d.since(letter.CreatedAt.Time) + ", not sent off"
		if state != "Draft" {
			row.Detail = visit.JoinWords(": ", state, why) + " (" + who + ")"
		}
	default:
		row.Detail = visit.JoinWords(": ", state, why) + " (" + who + ")"
	}
}
