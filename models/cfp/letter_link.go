package cfp

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// letterLinkLife is how long the link of a letter opens a place.
const letterLinkLife = 60 * 24 * time.Hour

var errNobodyToLink = store.NoSuch("person of this link")

// FillLink puts a link to their place into a letter that is about to leave, where it takes one along. The token is made
// for this attempt alone; what is kept of it is its hash. It answers NotFound where whom the link is for is not there
// any more, or does not have the address that the letter goes to.
func FillLink(ctx context.Context, s *models.Store, letter *models.OutgoingLetter) error {
	if !letter.HasPlaceLink() {
		return nil
	}
	address, err := store.Make(ctx, s.Write, func(tx *store.Tx) (string, error) {
		event, err := store.One[models.Event](tx.Where("id = ?", letter.EventID), errNobodyToLink)
		if err != nil {
			return "", err
		}
		l := &link{OrganizationID: event.OrganizationID, EventID: &event.ID}
		if err := l.aim(tx, letter); err != nil {
			return "", err
		}
		token, err := l.keep(tx)
		if err != nil {
			return "", err
		}
		door := "link"
		if l.CoSpeakerID != nil {
			door = "join"
		}
		return s.Options.BaseURL + "/events/" + event.Slug + "/place/" + door + "/" + token, nil
	})
	if err == nil {
		letter.WithLink(address)
	}
	return err
}

// aim says whose link it is: that of the co-speaker or the account that the letter names, else its contact's. A contact's
// goes to an address of theirs alone, since who opens it is taken for them.
func (l *link) aim(tx *store.Tx, letter *models.OutgoingLetter) error {
	if letter.CoSpeakerID != "" {
		asked, err := store.One[CoSpeaker](tx.Where("id = ? AND event_id = ? AND state = 'invited'", letter.CoSpeakerID, l.EventID),
			errNobodyToLink)
		if err == nil {
			l.CoSpeakerID = &asked.ID
		}
		return err
	}
	if letter.AccountID != "" {
		account, err := store.One[Account](tx.Where("id = ? AND organization_id = ?", letter.AccountID, l.OrganizationID), nil)
		if err != nil {
			return err
		}
		if account != nil {
			l.AccountID = &account.ID
			return nil
		}
	}
	contact, err := store.One[models.Contact](tx.Where("id = ? AND organization_id = ?", letter.ContactID, l.OrganizationID),
		errNobodyToLink)
	if err != nil {
		return err
	}
	if letter.Email != contact.Email {
		return errNobodyToLink
	}
	l.ContactID = contact.ID
	return nil
}

// keep inserts a link with a new token, which it returns.
func (l *link) keep(tx *store.Tx) (token string, err error) {
	secret := make([]byte, 32)
	rand.Read(secret)
	token = base64.RawURLEncoding.EncodeToString(secret)
	l.ID, l.Hash, l.CreatedAt, l.ExpiresAt = store.NewID(), store.HashKey(token), tx.Now, store.At(tx.Now.Add(letterLinkLife))
	return token, tx.Create(l).Error
}
