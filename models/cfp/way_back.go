package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// maxToMailbox is how many mails strangers cause in a day to one mailbox that nobody has proven.
const maxToMailbox = 10

// mailDue counts a mail to the mailbox of an address that nobody has proven, and returns when it may leave. It answers
// TooMany, and then none may.
func mailDue(tx *store.Tx, organizationID, email string) (store.Time, error) {
	err := signin.Attempt(tx,
		signin.ByDay("strangers' mailbox", organizationID+" "+store.Mailbox(email), maxToMailbox))
	if err != nil {
		return store.Time{}, err
	}
	return models.StrangerMailDue(tx, organizationID, models.OfStrangers)
}

// wayBack makes the link of the mail to the address that somebody typed, by which they prove it and come back. Where it
// is due later, because as many left for strangers as may in an hour, the mail is put in line and the link is "".
func wayBack(tx *store.Tx, p *models.Programme, a *Account, due store.Time) (token string, err error) {
	event := p.Event()
	if due.After(tx.Now.Time) {
		letter := models.CallLetter{ContactID: a.ContactID, Name: a.Email, Email: a.Email, AccountID: a.ID, DueAt: &due}
		write(&letter, spoken(tx), event, "wayback")
		return "", p.SendCallLetters(tx, letter)
	}
	return NewLink(tx, LinkTo{OrganizationID: event.OrganizationID, EventID: &event.ID, AccountID: a.ID})
}

// wayBackAgain is wayBack for one that is asked for. It answers TooMany.
func wayBackAgain(tx *store.Tx, p *models.Programme, a *Account) (token string, err error) {
	due, err := mailDue(tx, a.OrganizationID, a.Email)
	if err != nil {
		return "", err
	}
	return wayBack(tx, p, a, due)
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
		return wayBackAgain(tx, pl.in(event), a)
	})
}
