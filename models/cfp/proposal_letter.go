package cfp

import (
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

const confirmationSubject = "{{event}}: we have “{{title}}” ({{id}})"

const confirmationBody = `Hello {{name}},

“{{title}}” was submitted to {{event}} on {{when}}. Its number is {{id}}.

{{until}}Your proposal and all that becomes of it:
{{place_link}}
{{success}}
What you sent:

{{answers}}`

// confirmation tells who submitted that it arrived, with a copy of all answers.
func (p *Proposal) confirmation(a *Account) models.CallLetter {
	until, success := "", ""
	if end := p.Standing.Window.End(); end != nil {
		until = "Until " + Clock(*end, p.Event) + " you can edit it. "
	}
	if text := store.PlainText(p.Form.Success); text != "" {
		success = "\n" + text + "\n"
	}
	l := models.CallLetter{ContactID: p.ContactID, Name: a.Name, AboutID: p.ID, AccountID: a.ID,
		Subject: confirmationSubject, Body: confirmationBody, Values: map[string]string{
			"name": a.Name, "title": p.Title, "id": p.FriendlyID, "when": Clock(*p.Standing.SubmittedAt, p.Event),
			"until": until, "success": success, "answers": p.copied()}}
	if !a.IsConfirmed() {
		l.Email = a.Email // which the contact does not have
	}
	return l
}

// copied are all answers, as a letter has them.
func (p *Proposal) copied() string {
	var out strings.Builder
	for _, q := range p.Form.Asked(p.Values) {
		said := p.Said(q)
		if said == "" {
			said = "–"
		}
		joint := " "
		if q.Type == field.LongText || strings.Contains(said, "\n") {
			joint = "\n"
		}
		out.WriteString(q.Label + ":" + joint + said + "\n\n")
	}
	return strings.TrimSpace(out.String())
}
