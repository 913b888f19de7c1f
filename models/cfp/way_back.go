package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// maxToMailbox limits the mails in a day that strangers cause to one mailbox with an unproven address.
const maxToMailbox = 10

// mailDue counts a mail to the mailbox of an unproven address, and returns when it may be sent. It answers TooMany if
// it may not be sent at all.
func mailDue(tx *store.Tx, organizationID, email string) (store.Time, error) {
	err := signin.Attempt(tx,
		signin.ByDay("strangers' mailbox", organizationID+" "+store.Mailbox(email), maxToMailbox))
	if err != nil {
		return store.Time{}, err
	}
	return models.StrangerMailDue(tx, organizationID, models.OfStrangers)
}

// wayBack makes the link for the mail to a typed address, by which somebody proves it and comes back. If the mail is
// due later, because of the hourly limit for strangers, it is queued and the link is "".
func wayBack(tx *store.Tx, p *models.Programme, a *Account, due store.Time) (token string, err error) {
	event := p.Event()
	if due.After(tx.Now.Time) {
		letter := models.CallLetter{ContactID: a.ContactID, Name: a.Email, Email: a.Email, AccountID: a.ID, DueAt: &due}
		write(&letter, spoken(tx), event, "wayback")
		return "", p.SendCallLetters(tx, letter)
	}
	return NewLink(tx, LinkTo{OrganizationID: event.OrganizationID, EventID: &event.ID, AccountID: a.ID})
}

// wayBackAgain is wayBack for a link that somebody asks for. It answers TooMany.
func wayBackAgain(tx *store.Tx, p *models.Programme, a *Account) (token string, err error) {
	due, err := mailDue(tx, a.OrganizationID, a.Email)
	if err != nil {
		return "", err
	}
	return wayBack(tx, p, a, due)
}

// WayBack makes another link by which the place's owner comes back, for a mail to their address: "" if that mail waits
// because of the hourly limit for strangers. It answers TooMany.
func (pl *Place) WayBack(ctx context.Context, event *models.Event) (token string, err error) {
	a := pl.Account()
	return store.Make(ctx, pl.store.Write, func(tx *store.Tx) (string, error) {
		by := signin.By("speaker link "+pl.organizationID, store.Mailbox(a.Email), linksToAddress)
		if err := signin.Attempt(tx, by); err != nil {
			return "", err
		}
		return wayBackAgain(tx, pl.in(event), a)
	})
}
