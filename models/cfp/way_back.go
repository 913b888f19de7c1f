package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

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

// WayBack makes another link by which whose place it is comes back, for a mail to their address: "" for one that waits
// among those to strangers. It answers TooMany.
func (pl *Place) WayBack(ctx context.Context, event *models.Event) (token string, err error) {
	a := pl.Account()
	return store.Make(ctx, pl.store.Write, func(tx *store.Tx) (string, error) {
		by := signin.By("speaker link "+pl.organizationID, store.Mailbox(a.Email), linksToAddress)
		if err := signin.Attempt(tx, by); err != nil {
			return "", err
		}
		due, err := models.StrangerMailDue(tx, event.OrganizationID)
		if err != nil {
			return "", err
		}
		return wayBack(tx, pl.in(event), a, due)
	})
}
