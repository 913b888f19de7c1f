package cfp

import (
	"context"
	"errors"
	"slices"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
)

// Opened is what came of opening a link.
type Opened struct {
	Token   string // of the login that was made; "" where the browser's own opens the same
	Account *Account
	// IsNew tells that the address was proven only now, and Dropped that somebody else had set a password before, which
	// is gone with all that it opened.
	IsNew, Dropped bool
}

// OpenLink opens a link of a mail, or one that staff copied. The first time that one is opened which was mailed to an
// address, the address is proven: the account's contact gets it, or becomes one with whoever had it. A password that
// was set before stays only where own, the login of the browser, is of that very account: else somebody may have set it
// who only knew the address. It answers NotFound for a link that opens nothing, and Elsewhere for one that is for
// another browser than b.
func OpenLink(ctx context.Context, s *models.Store, organizationID, token string, b Browser, own *Login) (done *Opened,
	err error) {
	for range openAttempts {
		done, err = store.Make(ctx, s.Write, func(tx *store.Tx) (*Opened, error) {
			o := &opener{store: s, tx: tx, organizationID: organizationID, own: own, browser: b, done: &Opened{}}
			if o.link, err = linkBy(tx.DB, organizationID, token, tx.Now); err != nil {
				return nil, err
			}
			return o.done, o.open(ctx)
		})
		if !errors.Is(err, errMeanwhile) {
			return done, err
		}
	}
	return nil, err
}

// openAttempts is how often a link is opened anew whose account another browser changes at the same moment.
const openAttempts = 4

var errMeanwhile = &store.Error{Kind: store.Unavailable,
	Message: "This address is being confirmed at this moment. Try again."}

// opener is one link being opened.
type opener struct {
	store          *models.Store
	tx             *store.Tx
	organizationID string
	own            *Login // of the browser, nil without one
	browser        Browser
	link           *link
	done           *Opened
	unread         []submission // of an account that is being confirmed
}

// open lets the browser in by the link, unless it is in already.
func (o *opener) open(ctx context.Context) error {
	l := o.link
	if l.CoSpeakerID != nil {
		return errNoLink
	}
	if !l.opensIn(o.browser, o.tx.Now) {
		return o.again()
	}
	var a *Account
	var err error
	switch {
	case l.AccountID != nil:
		a, err = o.account(ctx, *l.AccountID)
	case o.claims(l):
		a, err = o.account(ctx, o.own.AccountID)
	default:
		a, err = o.contact(l.ContactID)
	}
	if err != nil {
		return err
	}
	return o.enter(ctx, a)
}

// again goes on with whom the browser is in as already, by a link that does not let it in.
func (o *opener) again() error {
	to, err := o.link.leadsTo(o.tx.DB)
	if err == nil && !o.own.isIn(to, o.link) {
		err = Elsewhere
	}
	if err == nil {
		o.done.Account = o.own.Account
	}
	return err
}

// enter lets the browser in, unless it is in already. What waited for the address is sent.
func (o *opener) enter(ctx context.Context, a *Account) (err error) {
	o.done.Account = a
	if o.done.IsNew {
		if err := o.sendInvitations(ctx, a); err != nil {
			return err
		}
		if err := o.sendCopies(ctx, a); err != nil {
			return err
		}
	}
	var proved *store.Time
	if o.link.isFresh(o.tx.Now) {
		proved = &o.tx.Now
	}
	switch {
	case o.own == nil || o.own.AccountID != a.ID || !o.own.opensAll(o.link.opens()):
		o.done.Token, _, err = makeLogin(o.tx, a, o.browser, proved, o.link.opens())
	case proved != nil:
		err = o.tx.Model(&Login{}).Where("id = ?", o.own.ID).UpdateColumn("proved_at", proved).Error
	}
	if err != nil {
		return err
	}
	return o.link.bind(o.tx, o.browser)
}

// isOwn tells whether the browser is signed in to an account, and not by a link that staff copied.
func (o *opener) isOwn(a *Account) bool {
	return o.own != nil && o.own.AccountID == a.ID && o.own.EventID == nil
}

// claims tells of a link that was mailed to somebody known, and is opened where somebody is in who typed an address of
// theirs: it proves that one as well as that account's own link would.
func (o *opener) claims(l *link) bool {
	if o.own == nil || o.own.EventID != nil || o.own.Account.IsConfirmed() || l.isCopied() {
		return false
	}
	if o.own.Account.EmailKey != l.EmailKey {
		return false
	}
	var there int64 // by now
	err := o.tx.Model(&Account{}).Where("id = ?", o.own.AccountID).Count(&there).Error
	if err != nil || there == 0 {
		return false
	}
	opens, err := models.Opens(o.tx.DB, l.ContactID, l.EmailKey)
	return err == nil && opens
}

// account opens a link that was mailed to the address of an account.
func (o *opener) account(ctx context.Context, id string) (*Account, error) {
	a, err := store.One[Account](o.tx.Lock().Where("organization_id = ? AND id = ?", o.organizationID, id),
		errMeanwhile)
	if err != nil || a.IsConfirmed() {
		return a, err
	}
	o.done.IsNew = true
	if o.unread, err = o.submissions(a); err != nil {
		return nil, err
	}
	stays, err := o.claim(ctx, a)
	if err != nil {
		return nil, err
	}
	there, err := o.confirmed(a.Email)
	if err != nil {
		return nil, err
	}
	if there != nil && there.ContactID == stays.ID { // they have come by this address before
		o.done.Dropped = a.HasPassword()
		links := o.tx.Model(&link{}).Where("account_id = ?", a.ID).UpdateColumn("account_id", there.ID)
		if links.Error != nil {
			return nil, links.Error
		}
		return there, o.end(a)
	}
	if there != nil { // of somebody who has another address now
		if err := o.end(there); err != nil {
			return nil, err
		}
	}
	return a, o.confirm(a, stays)
}

// claim gives the account's contact the address that is proven by it.
func (o *opener) claim(ctx context.Context, a *Account) (*models.Contact, error) {
	by := store.ByIn(ctx)
	by.ActorID, by.ActorName = a.ContactID, a.Email
	return people.In(o.store.Directory(o.organizationID, by)).Claim(o.tx.Within(ctx), a.ContactID, a.Email, a.ID,
		o.isOwn(a))
}

// confirmed is the account that has proven an address, nil where none has.
func (o *opener) confirmed(email string) (*Account, error) {
	return store.One[Account](o.tx.Lock().Where("organization_id = ? AND email_key = ? AND confirmed_at IS NOT NULL",
		o.organizationID, store.Fold(email)), nil)
}

// end ends an account, with its logins and links.
func (o *opener) end(a *Account) error { return o.tx.Where("id = ?", a.ID).Delete(&Account{}).Error }

// confirm keeps that the address of an account is that of its contact.
func (o *opener) confirm(a *Account, c *models.Contact) error {
	if !o.isOwn(a) {
		o.done.Dropped, a.PasswordHash = a.HasPassword(), ""
		if err := endLogins(o.tx, a.ID, ""); err != nil {
			return err
		}
	}
	a.ContactID, a.Name, a.ConfirmedAt, a.UpdatedAt = c.ID, c.FullName, new(o.tx.Now), o.tx.Now.Following(a.UpdatedAt)
	err := o.tx.Model(a).Select("contact_id", "email", "email_key", "password_hash", "confirmed_at",
		"updated_at").Updates(a).Error
	if store.IsTaken(err) { // by the same person, at the same moment
		err = errMeanwhile
	}
	return err
}

// contact opens a link to somebody whom the organization knows: mailed to an address of theirs, or handed over by
// staff, who know whose it is. It lets in by the account of the very address that it was mailed to, which staff's link
// does not prove.
func (o *opener) contact(id string) (*Account, error) {
	c, err := store.One[models.Contact](o.tx.Lock().Where("organization_id = ? AND id = ? AND erased_at IS NULL",
		o.organizationID, id),
		errNoLink)
	if err != nil {
		return nil, err
	}
	email, err := o.address(c)
	if err != nil {
		return nil, err
	}
	accounts, err := accountsOf(o.tx.DB, o.organizationID, c.ID)
	if err != nil {
		return nil, err
	}
	if email == "" { // staff handed over a link to who has typed an address alone
		if len(accounts) == 0 {
			return nil, errNoLink
		}
		return accounts[0], nil
	}
	if i := slices.IndexFunc(accounts, func(a *Account) bool { return a.EmailKey == store.Fold(email) }); i >= 0 {
		return accounts[i], o.proveOf(accounts[i], c)
	}
	a, err := NewAccount(o.tx, c, email, "")
	if err != nil {
		return nil, err
	}
	return a, o.proveOf(a, c)
}

// proveOf confirms the account of a contact's address, unless staff copied the link: nobody read their mail then.
func (o *opener) proveOf(a *Account, c *models.Contact) error {
	if a.IsConfirmed() || o.link.isCopied() {
		return nil
	}
	o.done.IsNew = true
	var err error
	if o.unread, err = o.submissions(a); err != nil {
		return err
	}
	there, err := o.confirmed(a.Email)
	if err != nil {
		return err
	}
	if there != nil { // of somebody who has another address now
		if err := o.end(there); err != nil {
			return err
		}
	}
	return o.confirm(a, c)
}

// address is the one by which the link lets in to the place of a contact. It answers NotFound for one that it was
// mailed
// to and that does not open their place any more.
func (o *opener) address(c *models.Contact) (string, error) {
	key := o.link.EmailKey
	if key == "" || key == c.EmailKey {
		return c.Email, nil
	}
	alias, err := store.One[models.ContactAlias](o.tx.Where("contact_id = ? AND email_key = ? AND opens", c.ID, key),
		errNoLink)
	if err != nil {
		return "", err
	}
	return alias.Email, nil
}
