package cfp

import (
	"cmp"
	"context"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/words"
)

// addressed is a letter to a contact before its text is written.
type addressed struct {
	models.CallLetter
	event    *models.Event
	contact  *models.Contact
	language *words.Language // of the contact
}

// write fills in the letter's text.
func (a *addressed) write(name string, values ...any) {
	values = append(values, "Name", a.contact.FullName, "First", cmp.Or(a.contact.FirstName, a.contact.FullName))
	write(&a.CallLetter, a.language, a.event, name, values...)
}

// letterTo returns a letter without text to a contact: to their own address, or to that of their latest account. It
// returns nil for somebody without an address.
func (c *Call) letterTo(tx *store.Tx, contactID string) (*addressed, error) {
	contact, err := store.One[models.Contact](tx.Where("organization_id = ? AND id = ?", c.p.Event().OrganizationID, contactID), nil)
	if contact == nil || err != nil {
		return nil, err
	}
	language, err := languageOf(tx, c.p.Event(), contact.ID)
	if err != nil {
		return nil, err
	}
	letter := &addressed{models.CallLetter{ContactID: contact.ID}, c.p.Event(), contact, language}
	if contact.Email != "" {
		return letter, nil
	}
	var accounts []*Account
	if err := tx.Where("organization_id = ? AND contact_id = ?", contact.OrganizationID, contact.ID).Order("created_at DESC, id").
		Limit(1).Find(&accounts).Error; err != nil || len(accounts) == 0 {
		return nil, err
	}
	letter.Name, letter.Email, letter.AccountID = contact.FullName, accounts[0].Email, accounts[0].ID
	return letter, nil
}

// Write sends a contact, in their language, the catalogue's letter of this name, which has a link to their place;
// values returns names of places in the text and their values, alternately. It reports whether they have an address.
func (c *Call) Write(tx *store.Tx, contactID, name string, values func(*words.Language) []any) (bool, error) {
	letter, err := c.letterTo(tx, contactID)
	if letter == nil || err != nil {
		return false, err
	}
	letter.write(name, values(letter.language)...)
	return true, c.p.SendCallLetters(tx, letter.CallLetter)
}

// InviteToPlace sends somebody a letter with a link to their place. It answers NotFound, and Invalid for somebody
// without an address.
func (c *Call) InviteToPlace(ctx context.Context, contactID string) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		who, err := c.contact(ctx, tx, contactID)
		if err != nil {
			return err
		}
		reached, err := c.Write(tx, who.ID, "place", func(*words.Language) []any { return nil })
		if err == nil && !reached {
			err = store.Invalidf("contact", "has no e-mail address. Add one, or copy a link and hand it over")
		}
		if err != nil {
			return err
		}
		return c.p.Record(tx, store.Change{Subject: "contact", ID: who.ID, Action: "invited"})
	})
}
