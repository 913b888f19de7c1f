package call

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

// Elsewhere answers an attempt to open a link in another browser than the first one, later than LinkOpen after that:
// the letter may have been forwarded. A fresh link can be mailed to the address.
var Elsewhere error = &store.Error{Kind: store.NotFound,
	Message: "This link was opened in another browser first, and opens there alone by now."}

// opensIn reports whether a link may be opened in a browser.
func (l *link) opensIn(b Browser, now store.Time) bool {
	return l.OpenUntil == nil || now.Before(l.OpenUntil.Time) || b.Device != "" && l.Browser == store.HashKey(b.Device)
}

// isCopied reports whether staff copied the link.
func (l *link) isCopied() bool { return l.EmailKey == "" }

// opens returns the id of the one event at which a copied link opens the place; nil for all. Its staff organize only
// that.
func (l *link) opens() *string {
	if l.isCopied() {
		return l.EventID
	}
	return nil
}

// isFresh reports whether opening the link proves that somebody reads the mail of its address now.
func (l *link) isFresh(now store.Time) bool {
	return l.EmailKey != "" && now.Sub(l.CreatedAt.Time) <= LinkFresh
}

// bind stores the browser that opened a link first. It answers Elsewhere if another one did at the same moment and the
// link is for one browser alone.
func (l *link) bind(tx *store.Tx, b Browser) error {
	if l.OpenUntil != nil {
		return nil
	}
	until, hash := l.CreatedAt, ""
	if l.EmailKey != "" {
		until = store.At(tx.Now.Add(LinkOpen))
	}
	if b.Device != "" {
		hash = store.HashKey(b.Device)
	}
	done := tx.Model(&link{}).Where("id = ? AND open_until IS NULL", l.ID).
		UpdateColumns(map[string]any{"open_until": until, "browser": hash})
	if done.Error != nil || done.RowsAffected > 0 {
		return done.Error
	}
	now, err := store.One[link](tx.Where("id = ?", l.ID), errNoLink)
	if err == nil && !now.opensIn(b, tx.Now) {
		err = Elsewhere
	}
	return err
}

// leadsTo returns the contact whose place a link opens, "" for an invitation that nobody accepted.
func (l *link) leadsTo(db *gorm.DB) (contactID string, err error) {
	of := func(table, id string) error {
		return db.Table(table).Where("id = ?", id).Limit(1).Pluck("contact_id", &contactID).Error
	}
	switch {
	case l.AccountID != nil:
		err = of("speaker_accounts", *l.AccountID)
	case l.CoSpeakerID != nil:
		err = of("co_speakers", *l.CoSpeakerID)
	default:
		contactID = l.ContactID
	}
	return contactID, err
}

// CheckLink answers NotFound for a link of an organization that opens nothing, and Elsewhere for one that does not open
// in this browser. It serves the page that asks before it opens the link, since mail scanners open links too. own is
// the browser's login, or nil.
func CheckLink(ctx context.Context, s *models.Store, organizationID, token string, b Browser, own *Login) error {
	db := s.Read(ctx)
	l, err := linkBy(db, organizationID, token, s.Now())
	switch {
	case err != nil:
		return err
	case l.CoSpeakerID != nil:
		return errNoLink
	}
	return l.check(db, b, own, s.Now())
}

// check answers Elsewhere unless a link opens in a browser, or its login, if any, opens the same place already.
func (l *link) check(db *gorm.DB, b Browser, own *Login, now store.Time) error {
	if l.opensIn(b, now) {
		return nil
	}
	to, err := l.leadsTo(db)
	if err == nil && !own.isIn(to, l) {
		err = Elsewhere
	}
	return err
}

// isIn reports whether a login, which may be nil, already opens what a link to somebody's place would open.
func (l *Login) isIn(contactID string, by *link) bool {
	return l != nil && l.Account.ContactID == contactID && l.opensAll(by.opens())
}

// FreshTo returns the address to which a fresh link goes instead of one that does not open in this browser: the address
// that the link was mailed to, or for a copied link the address of the person it leads to. It answers NotFound.
func FreshTo(ctx context.Context, s *models.Store, organizationID, token string) (email string, err error) {
	db := s.Read(ctx)
	l, err := linkBy(db, organizationID, token, s.Now())
	if err != nil {
		return "", err
	}
	to, err := l.leadsTo(db)
	if err != nil {
		return "", err
	}
	var known []string
	err = db.Raw(`SELECT email FROM contacts WHERE id = ? AND email <> '' AND (email_key = ? OR ? = '') UNION ALL
		SELECT email FROM contact_aliases WHERE contact_id = ? AND opens AND email_key = ? UNION ALL
		SELECT email FROM speaker_accounts WHERE contact_id = ? AND (email_key = ? OR ? = '')`,
		to, l.EmailKey, l.EmailKey, to, l.EmailKey, to, l.EmailKey, l.EmailKey).Scan(&known).Error
	if err == nil && len(known) == 0 {
		err = errNoLink
	}
	if err != nil {
		return "", err
	}
	return known[0], nil
}

// closeLinks keeps a browser, which somebody leaves or lends, from opening links of their place again, and ends the
// time in which other browsers may.
func closeLinks(tx *store.Tx, a *Account, device string) error {
	err := linksTo(tx, a.OrganizationID, a.ContactID).Where("open_until > ?", tx.Now).
		UpdateColumn("open_until", tx.Now).Error
	if err != nil || device == "" {
		return err
	}
	return tx.Model(&link{}).Where("browser = ?", store.HashKey(device)).UpdateColumn("browser", "").Error
}

// linksTo selects the links to the place of a contact.
func linksTo(tx *store.Tx, organizationID, contactID string) *gorm.DB {
	return tx.Model(&link{}).Where("organization_id = ?", organizationID).Where(`(contact_id = ?
		OR account_id IN (SELECT id FROM speaker_accounts WHERE contact_id = ?)
		OR co_speaker_id IN (SELECT id FROM co_speakers WHERE contact_id = ?))`, contactID, contactID, contactID)
}
