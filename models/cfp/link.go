package cfp

import (
	"context"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// LinkLifetime is how long a link is good, however often it is opened.
const LinkLifetime = 60 * 24 * time.Hour

var errNoLink = store.Missing("This link is too old, or another one took its place. Ask for a new one.")

// LinkTo is where a link leads: exactly one of AccountID, whose address it proves when it was mailed there; ContactID,
// of somebody the organization knows; and CoSpeakerID, of an invitation.
type LinkTo struct {
	OrganizationID                    string
	EventID                           *string
	AccountID, ContactID, CoSpeakerID string
	ByName                            string // of the staff who copied it, "" of one that is mailed
}

// NewLink makes a link and returns its token, which is kept nowhere.
func NewLink(tx *store.Tx, to LinkTo) (token string, err error) {
	token = signin.NewToken()
	l := &link{
		ID: store.NewID(), Hash: store.HashKey(token), OrganizationID: to.OrganizationID, EventID: to.EventID,
		ContactID: to.ContactID, ByName: to.ByName, CreatedAt: tx.Now, ExpiresAt: store.At(tx.Now.Add(LinkLifetime)),
	}
	if to.AccountID != "" {
		l.AccountID = &to.AccountID
	}
	if to.CoSpeakerID != "" {
		l.CoSpeakerID = &to.CoSpeakerID
	}
	return token, tx.Create(l).Error
}

// PlaceLink makes a link to the place of somebody at this event, for its staff to copy. It answers NotFound for who is
// not at it, and Invalid for who has neither an address nor a place.
func (c *Call) PlaceLink(ctx context.Context, contactID string) (token string, err error) {
	err = c.p.Write(ctx, func(tx *store.Tx) error {
		who, err := c.p.Contact(tx.Within(ctx), contactID)
		if err != nil {
			return err
		}
		if who.Email == "" {
			accounts, err := accountsOf(tx.DB, who.OrganizationID, who.ID)
			if err != nil {
				return err
			}
			if len(accounts) == 0 {
				return store.Invalidf("contact", "has no e-mail address; add one first")
			}
		}
		token, err = NewLink(tx, LinkTo{OrganizationID: who.OrganizationID, EventID: &c.p.Event().ID, ContactID: who.ID,
			ByName: c.p.By().ActorName})
		if err != nil {
			return err
		}
		return c.p.Record(tx, store.Change{Subject: "contact", ID: who.ID, Action: "link made"})
	})
	return token, err
}

// accountsOf are the accounts of a contact, those first that have proven an address, the oldest of them first.
func accountsOf(db *gorm.DB, organizationID, contactID string) (all []*Account, err error) {
	return all, db.Where("organization_id = ? AND contact_id = ?", organizationID, contactID).
		Order("confirmed_at IS NULL, created_at, id").Find(&all).Error
}

// linkBy is a link of an organization that is good still. It answers NotFound.
func linkBy(db *gorm.DB, organizationID, token string, now store.Time) (*link, error) {
	if len(token) != signin.TokenLength {
		return nil, errNoLink
	}
	return store.One[link](db.Where("organization_id = ? AND hash = ? AND expires_at > ?", organizationID,
		store.HashKey(token), now), errNoLink)
}

// CheckLink answers NotFound for a link of an organization that opens nothing: for the page that asks whether to open
// it, since what reads mails opens links too.
func CheckLink(ctx context.Context, s *models.Store, organizationID, token string) error {
	l, err := linkBy(s.Read(ctx), organizationID, token, s.Now())
	if err == nil && l.CoSpeakerID != nil {
		return errNoLink
	}
	return err
}
