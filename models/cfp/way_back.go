package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// WayBackMail goes to the address that somebody typed: a link by which they prove it, and come back. It has no word of
// theirs, for the address may be a stranger's.
var WayBackMail = models.LetterTemplate{Subject: "{{event}}: the way back to your proposal", Body: `Hello,

somebody began a proposal for {{event}} with this address. If that was you, this link is the way back to it:

{{place_link}}

If it was not you, do nothing: your address stays unknown to everybody else.
`}

// wayBack makes the link of a WayBackMail that leaves now. Where as many left for strangers as may in an hour, the mail
// is put in line and the link is "".
func wayBack(tx *store.Tx, p *models.Programme, a *Account) (token string, err error) {
	event := p.Event()
	due, err := models.StrangerMailDue(tx, event.OrganizationID)
	if err != nil {
		return "", err
	}
	if due.After(tx.Now.Time) {
		return "", p.SendCallLetters(tx, models.CallLetter{ContactID: a.ContactID, Name: a.Email, Email: a.Email,
			AccountID: a.ID, DueAt: &due, Subject: WayBackMail.Subject, Body: WayBackMail.Body})
	}
	return NewLink(tx, LinkTo{OrganizationID: event.OrganizationID, EventID: &event.ID, AccountID: a.ID})
}

// WayBack makes another link by which whose place it is comes back, for a mail to their address: "" for one that waits
// among those to strangers. It answers TooMany.
func (pl *Place) WayBack(ctx context.Context, event *models.Event) (token string, err error) {
	a := pl.Account()
	return store.Make(ctx, pl.store.Write, func(tx *store.Tx) (string, error) {
		by := signin.By("speaker link "+pl.organizationID, store.Mailbox(a.Email), linksToAddress)
		if err := signin.Attempt(tx, by); err != nil {
			return "", err
		}
		return wayBack(tx, pl.in(event), a)
	})
}
