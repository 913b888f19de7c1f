package call

import (
	"context"
	"errors"
	"slices"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
)

// Opened is the result of opening a link.
type Opened struct {
	Token   string // of a new login; "" if the browser's own login opens the same
	Account *Account
	// IsNew says that the address was proven only now; Dropped, that somebody else had set a password before, which is
	// deleted with all that it opened.
	IsNew, Dropped bool
}

// OpenLink opens a link from a mail, or one that staff copied. The first opening of a link that was mailed to an
// account's address proves the address: the account's contact gets it, or is merged with the contact who had it. A
// password that was set before stays only if own, the browser's login, is of that account; otherwise somebody who only
// knew the address may have set it. It answers NotFound for a link that opens nothing, and Elsewhere for one that does
// not open in browser b.
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

// openAttempts is how often opening a link is tried when another browser changes its account at the same moment.
const openAttempts = 4

var errMeanwhile = &store.Error{Kind: store.Unavailable,
	Message: "This address is being confirmed at this moment. Try again."}

// opener opens one link.
type opener struct {
	store          *models.Store
	tx             *store.Tx
	organizationID string
	own            *Login // the browser's login, or nil
	browser        Browser
	link           *link
	done           *Opened
	unread         []submission // submissions of an account that is being confirmed
}

// open signs the browser in by the link, unless it is signed in already.
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

// again continues with the browser's own login, for a link that does not open in it.
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

// enter signs the browser in, unless it is signed in already. It sends the letters that waited for the address.
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

// isOwn reports whether the browser is signed in to an account, and not by a link that staff copied.
func (o *opener) isOwn(a *Account) bool {
	return o.own != nil && o.own.AccountID == a.ID && o.own.EventID == nil
}

// claims reports whether a link that was mailed to a known contact is opened in a browser signed in to an unproven
// account with the same address: it proves that account's address as its own link would.
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

// account opens a link that was mailed to an account's address.
func (o *opener) account(ctx context.Context, id string) (*Account, error) {
	a, err := store.One[Account](o.tx.Lock().Where("organization_id = ? AND id = ?", o.organizationID, id),
		errMeanwhile)
	if err != nil || a.IsConfirmed() {
		return a, err
	}
	if o.unread, err = o.submissions(a); err != nil {
		return nil, err
	}
	stays, err := o.claim(ctx, a)
	if err != nil {
		return nil, err
	}
	return o.prove(a, stays)
}

// prove confirms the account of an address for a contact, and returns the account that has proven the address by now.
func (o *opener) prove(a *Account, stays *models.Contact) (*Account, error) {
	o.done.IsNew = true
	there, err := o.confirmed(a.Email)
	if err != nil {
		return nil, err
	}
	if there != nil && there.ContactID == stays.ID { // they have proven this address before
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

// claim gives the account's contact the address that the link proves.
func (o *opener) claim(ctx context.Context, a *Account) (*models.Contact, error) {
	by := store.ByIn(ctx)
	by.ActorID, by.ActorName = a.ContactID, a.Email
	return people.In(o.store.Directory(o.organizationID, by)).Claim(o.tx.Within(ctx), a.ContactID, a.Email, a.ID,
		o.isOwn(a))
}

// confirmed returns the account that has proven an address, or nil.
func (o *opener) confirmed(email string) (*Account, error) {
	return store.One[Account](o.tx.Lock().Where("organization_id = ? AND email_key = ? AND confirmed_at IS NOT NULL",
		o.organizationID, store.Fold(email)), nil)
}

// end deletes an account, with its logins and links.
func (o *opener) end(a *Account) error { return o.tx.Where("id = ?", a.ID).Delete(&Account{}).Error }

// confirm stores that the account's address is proven and belongs to the contact.
func (o *opener) confirm(a *Account, c *models.Contact) error {
	if !o.isOwn(a) {
		o.done.Dropped, a.PasswordHash = a.HasPassword(), ""
		if err := o.tx.Where("account_id = ?", a.ID).Delete(&Login{}).Error; err != nil {
			return err
		}
	}
	a.ContactID, a.Name, a.ConfirmedAt, a.UpdatedAt = c.ID, c.FullName, new(o.tx.Now), o.tx.Now.Following(a.UpdatedAt)
	err := o.tx.Model(a).Select("contact_id", "email", "email_key", "password_hash", "confirmed_at",
		"updated_at").Updates(a).Error
	if store.IsDuplicate(err) { // by the same person, at the same moment
		err = errMeanwhile
	}
	return err
}

// contact opens a link to a known contact: mailed to an address of theirs, or handed over by staff, who know them. It
// signs in to the account of that address; a link from staff does not prove the address.
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
	if email == "" { // staff's link to somebody who has only typed an address
		if len(accounts) == 0 {
			return nil, errNoLink
		}
		return accounts[0], nil
	}
	var a *Account
	if i := slices.IndexFunc(accounts, func(a *Account) bool { return a.EmailKey == store.Fold(email) }); i >= 0 {
		a = accounts[i]
	} else if a, err = NewAccount(o.tx, c, email, ""); err != nil {
		return nil, err
	}
	if a.IsConfirmed() || o.link.isCopied() { // nobody has read the mail of a copied link
		return a, nil
	}
	if o.unread, err = o.submissions(a); err != nil {
		return nil, err
	}
	return o.prove(a, c)
}

// address returns the address by which the link opens a contact's place. It answers NotFound if the link was mailed to
// an address that does not open the place any more.
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
