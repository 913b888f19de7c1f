package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

var errNobodyToLink = store.NoSuch("person of this link")

// FillLink puts a link to the recipient's place into a letter that is about to be sent, if it has one. The token is
// made for this attempt, and only its hash is stored. It answers NotFound if the person whom the link is for is gone,
// or does not have the letter's address.
func FillLink(ctx context.Context, s *models.Store, letter *models.OutgoingLetter) error {
	if !letter.HasPlaceLink() {
		return nil
	}
	address, err := store.Make(ctx, s.Write, func(tx *store.Tx) (string, error) {
		event, err := store.One[models.Event](tx.Where("id = ?", letter.EventID), errNobodyToLink)
		if err != nil {
			return "", err
		}
		to := LinkTo{OrganizationID: event.OrganizationID, EventID: &event.ID, Email: letter.Email}
		if err := to.aim(tx, letter); err != nil {
			return "", err
		}
		token, err := NewLink(tx, to)
		if err != nil {
			return "", err
		}
		door := "link"
		if to.CoSpeakerID != "" {
			door = "join"
		}
		return s.Options.BaseURL + "/events/" + event.Slug + "/place/" + door + "/" + token, nil
	})
	if err == nil {
		letter.WithLink(address)
	}
	return err
}

// aim sets whose link it is: the co-speaker's or the account's whom the letter names, else its contact's. A contact's
// link goes only to an address of theirs, since whoever opens it is taken for them.
func (to *LinkTo) aim(tx *store.Tx, letter *models.OutgoingLetter) error {
	if letter.CoSpeakerID != "" {
		asked, err := store.One[CoSpeaker](tx.Where("id = ? AND event_id = ? AND state = ?", letter.CoSpeakerID, to.EventID, Invited),
			errNobodyToLink)
		if err == nil {
			to.CoSpeakerID = asked.ID
		}
		return err
	}
	if letter.AccountID != "" {
		account, err := store.One[Account](tx.Where("id = ? AND organization_id = ?", letter.AccountID, to.OrganizationID), nil)
		if err != nil {
			return err
		}
		if account != nil && store.Fold(account.Email) == store.Fold(letter.Email) {
			to.AccountID = account.ID
			return nil
		}
	}
	contact, err := store.One[models.Contact](tx.Where("id = ? AND organization_id = ?", letter.ContactID, to.OrganizationID),
		errNobodyToLink)
	if err != nil {
		return err
	}
	if store.Fold(letter.Email) != store.Fold(contact.Email) {
		return errNobodyToLink
	}
	to.ContactID = contact.ID
	return nil
}
