package cfp

import (
	"context"
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

const unprovenSubject = "{{event}}: we have a proposal ({{id}})"

const unprovenBody = `Hello,

a proposal was submitted to {{event}} with this address on {{when}}. Its number is {{id}}.

If that was you, open this link. It confirms your address, and leads to your proposal:
{{place_link}}

If it was not you, do nothing: your address stays unknown to everybody else.`

// confirmation tells who submitted that it arrived, with a copy of all answers.
func (p *Proposal) confirmation(a *Account) models.CallLetter {
	until, success := "", ""
	if end := p.Standing.Window.End(); end != nil {
		until = "Until " + Clock(*end, p.Event) + " you can edit it. "
	}
	if text := store.PlainText(p.Form.Success); text != "" {
		success = "\n" + text + "\n"
	}
	if !a.IsConfirmed() { // the address may be a stranger's, who reads no word of theirs
		return models.CallLetter{ContactID: p.ContactID, Name: a.Email, Email: a.Email, AboutID: p.ID, AccountID: a.ID,
			IsToStranger: true, Subject: unprovenSubject, Body: unprovenBody, Values: map[string]string{"id": p.FriendlyID,
				"when": Clock(*p.Standing.SubmittedAt, p.Event)}}
	}
	return models.CallLetter{ContactID: p.ContactID, Name: a.Name, AboutID: p.ID, AccountID: a.ID,
		Subject: confirmationSubject, Body: confirmationBody, Values: map[string]string{
			"name": a.Name, "title": p.Title, "id": p.FriendlyID, "when": Clock(*p.Standing.SubmittedAt, p.Event),
			"until": until, "success": success, "answers": p.copied()}}
}

// submission is a proposal that was submitted, by its ids.
type submission struct{ EventID, SessionID string }

// submissions finds what an account submitted before its address was confirmed: of these it has no copy yet.
func (o *opener) submissions(a *Account) (found []submission, err error) {
	err = o.tx.Table("proposals p").Joins("JOIN sessions s ON s.id = p.session_id").
		Joins("JOIN events e ON e.id = p.event_id").Select("p.event_id, p.session_id").
		Where("e.organization_id = ? AND p.contact_id = ? AND p.submitted_at IS NOT NULL", o.organizationID, a.ContactID).
		Where("s.deleted_at IS NULL AND s.status IN ?", taking).Order("p.submitted_at, p.session_id").Scan(&found).Error
	return found, err
}

// sendCopies mails the answers of each submission to an address that was confirmed just now.
func (o *opener) sendCopies(ctx context.Context, a *Account) error {
	ctx = o.tx.Within(ctx)
	place := PlaceOf(o.store, &Login{Account: a}, store.By{})
	for _, s := range o.unread {
		event, err := o.store.EventBy(ctx, s.EventID)
		if err != nil {
			return err
		}
		p, err := place.Proposal(ctx, event, s.SessionID)
		if err != nil {
			return err
		}
		if err := place.in(event).SendCallLetters(o.tx, p.confirmation(a)); err != nil {
			return err
		}
	}
	return nil
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
