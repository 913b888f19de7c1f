package cfp

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

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

// aim says whose link it is: that of the co-speaker or the account that the letter names, else its contact's. A
// contact's
// goes to an address of theirs alone, since who opens it is taken for them.
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
