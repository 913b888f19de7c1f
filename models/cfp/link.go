package cfp

import (
	"cmp"
	"context"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// These are the lifetimes of links.
const (
	LinkLifetime       = 60 * 24 * time.Hour // of a mailed link
	CopiedLinkLifetime = 14 * 24 * time.Hour // of a link that staff copied
)

// LinkOpen is how long after it was first opened a mailed link also opens in other browsers, such as on somebody's
// phone. A link that staff copied opens in one browser alone.
const LinkOpen = 24 * time.Hour

// LinkFresh is how long after it was made a mailed link proves that its reader has the address now.
const LinkFresh = time.Hour

var errNoLink = store.Missing("This link is not good any more: it is too old, or your address or password was " +
	"changed. Ask for a new one.")

// LinkTo says where a link leads. Exactly one id is set: AccountID, whose address a mailed link proves; ContactID, of
// somebody the organization knows; or CoSpeakerID, of an invitation.
type LinkTo struct {
	OrganizationID                    string
	EventID                           *string
	AccountID, ContactID, CoSpeakerID string
	ByName                            string // the name of the staff member who copied it; "" for a mailed link
	Email                             string // the address it is mailed to; "" for that of the row it leads to
}

// mailedTo returns the folded address that a link is mailed to, "" for a copied link. The link is good while this
// address opens the place.
func (to LinkTo) mailedTo(tx *store.Tx) (key string, err error) {
	of := func(table, id string) error {
		return tx.Table(table).Where("id = ?", id).Limit(1).Pluck("email_key", &key).Error
	}
	switch {
	case to.ByName != "":
		return "", nil
	case to.Email != "":
		return store.Fold(to.Email), nil
	case to.AccountID != "":
		err = of("speaker_accounts", to.AccountID)
	case to.CoSpeakerID != "":
		err = of("co_speakers", to.CoSpeakerID)
	default:
		err = of("contacts", to.ContactID)
	}
	return key, err
}

// NewLink makes a link and returns its token, which is not stored.
func NewLink(tx *store.Tx, to LinkTo) (token string, err error) {
	key, err := to.mailedTo(tx)
	if err != nil {
		return "", err
	}
	token = signin.NewToken()
	l := &link{
		ID: store.NewID(), Hash: store.HashKey(token), OrganizationID: to.OrganizationID, EventID: to.EventID,
		EmailKey: key, ContactID: to.ContactID, ByName: to.ByName, CreatedAt: tx.Now, ExpiresAt: store.At(tx.Now.Add(LinkLifetime)),
	}
	if to.ByName != "" {
		l.ExpiresAt = store.At(tx.Now.Add(CopiedLinkLifetime))
	}
	if to.AccountID != "" {
		l.AccountID = &to.AccountID
	}
	if to.CoSpeakerID != "" {
		l.CoSpeakerID = &to.CoSpeakerID
	}
	return token, tx.Create(l).Error
}

// PlaceLink makes a link to somebody's place at this event alone, for staff to copy. A letter tells their address of
// it, or, if they have none of their own, the address that they typed last. It answers NotFound for somebody who is not
// at the event, and Invalid for somebody with neither an address nor a place.
func (c *Call) PlaceLink(ctx context.Context, contactID string) (token string, err error) {
	err = c.p.Write(ctx, func(tx *store.Tx) error {
		who, err := c.p.Contact(tx.Within(ctx), contactID)
		if err != nil {
			return err
		}
		letter, err := c.letterTo(tx, who.ID)
		if err != nil {
			return err
		}
		if letter == nil {
			return store.Invalidf("contact", "has no e-mail address; add one first")
		}
		token, err = NewLink(tx, LinkTo{OrganizationID: who.OrganizationID, EventID: &c.p.Event().ID, ContactID: who.ID,
			ByName: c.p.By().ActorName})
		if err != nil {
			return err
		}
		letter.write("copied", "By", cmp.Or(c.p.By().ActorName, letter.language.T("letter.somebody")))
		if letter.Email != "" { // nobody has proven it
			letter.Among = models.OfStaff
		}
		if err := c.p.SendCallLetters(tx, letter.CallLetter); err != nil {
			return err
		}
		return c.p.Record(tx, store.Change{Subject: "contact", ID: who.ID, Action: "link made"})
	})
	return token, err
}

// accountsOf returns the accounts of a contact: those with a proven address first, then by age.
func accountsOf(db *gorm.DB, organizationID, contactID string) (all []*Account, err error) {
	return all, db.Where("organization_id = ? AND contact_id = ?", organizationID, contactID).
		Order("confirmed_at IS NULL, created_at, id").Find(&all).Error
}

// linkBy returns a link of an organization that has not expired. It answers NotFound.
func linkBy(db *gorm.DB, organizationID, token string, now store.Time) (*link, error) {
	if len(token) != signin.TokenLength {
		return nil, errNoLink
	}
	return store.One[link](db.Where("organization_id = ? AND hash = ? AND expires_at > ?", organizationID,
		store.HashKey(token), now), errNoLink)
}
