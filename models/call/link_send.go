package call

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// LinkPause is how long after a mail with a link no other is sent to the same person.
const LinkPause = 5 * time.Minute

// These limit the links that can be asked for within a quarter of an hour.
const (
	linksToAddress   = 5
	linksFromNetwork = 20
)

// AskForLink counts a request for a link to be mailed to an address, known or not. It answers Invalid, by the field
// email, for a malformed address, and TooMany.
func AskForLink(ctx context.Context, s *models.Store, organizationID, email, network string) error {
	email, err := store.CleanEmail(email)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx *store.Tx) error {
		counts := signin.OfAddress("speaker link", network, linksFromNetwork)
		counts = append(counts, signin.By("speaker link "+organizationID, store.Mailbox(email), linksToAddress))
		return signin.Attempt(tx, counts...)
	})
}

// MintLink makes the link for an address: of the contact who has it, or of the latest account with it. It returns "" if
// nobody has the address, and within LinkPause of the last link. It also returns "" if nobody has proven the address
// and a mail to it waits among those to strangers, or the mailbox's limit of the day is reached. The caller must not
// make the requester wait for it, or they would learn which.
func MintLink(ctx context.Context, s *models.Store, event *models.Event, email string) (token string, err error) {
	err = s.Write(ctx, func(tx *store.Tx) error {
		to, account, err := linkFor(tx.Within(ctx), s, event, email)
		if err != nil || to == nil {
			return err
		}
		var fresh int64
		err = tx.Model(&link{}).Where("organization_id = ? AND by_name = '' AND created_at > ?", event.OrganizationID,
			store.At(tx.Now.Add(-LinkPause))).
			Where("account_id = ? OR (contact_id <> '' AND contact_id = ?)", to.AccountID, to.ContactID).Count(&fresh).Error
		switch {
		case err != nil || fresh > 0:
		case account != nil && !account.IsConfirmed():
			token, err = wayBackAgain(tx, s.Programme(event, store.By{}), account)
		default:
			token, err = NewLink(tx, *to)
		}
		return err
	})
	if store.KindOf(err) == store.TooMany {
		return "", nil
	}
	return token, err
}

// linkFor returns where a link that is mailed to an address leads, nil if nobody has it: to the place that the address
// opens, or to that of the account of somebody who only typed it so far.
func linkFor(ctx context.Context, s *models.Store, event *models.Event, email string) (*LinkTo, *Account, error) {
	email, err := store.CleanEmail(email)
	if err != nil {
		return nil, nil, nil
	}
	to := &LinkTo{OrganizationID: event.OrganizationID, EventID: &event.ID, Email: email}
	known, err := s.Directory(event.OrganizationID, store.By{}).ContactBy(ctx, email)
	if err != nil {
		return nil, nil, err
	}
	if known != nil {
		if opens, err := models.Opens(s.Read(ctx), known.ID, store.Fold(email)); err != nil || opens {
			to.ContactID = known.ID
			return to, nil, err
		}
	}
	a, err := store.One[Account](s.Read(ctx).Where("organization_id = ? AND email_key = ?", event.OrganizationID,
		store.Fold(email)).Order("confirmed_at IS NULL, created_at DESC, id DESC").Limit(1), nil)
	if err != nil || a == nil {
		return nil, nil, err
	}
	to.AccountID = a.ID
	return to, a, nil
}

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
		return wayBackAgain(tx, pl.At(event), a)
	})
}
