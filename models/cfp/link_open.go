package cfp

import (
	"context"

	"lectern/models"
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
// who only knew the address. It answers NotFound for a link that opens nothing.
func OpenLink(ctx context.Context, s *models.Store, organizationID, token string, b Browser, own *Login) (*Opened,
	error) {
	return store.Make(ctx, s.Write, func(tx *store.Tx) (*Opened, error) {
		l, err := linkBy(tx.DB, organizationID, token, tx.Now)
		if err != nil {
			return nil, err
		}
		o := &opener{store: s, tx: tx, organizationID: organizationID, own: own, done: &Opened{}}
		var a *Account
		switch {
		case l.CoSpeakerID != nil:
			return nil, errNoLink
		case l.AccountID != nil:
			a, err = o.account(ctx, *l.AccountID)
		case o.claims(ctx, l):
			a, err = o.account(ctx, own.AccountID)
		default:
			a, err = o.contact(ctx, l.ContactID)
		}
		if err != nil {
			return nil, err
		}
		return o.done, o.enter(ctx, a, b)
	})
}

// opener is one link being opened.
type opener struct {
	store          *models.Store
	tx             *store.Tx
	organizationID string
	own            *Login // of the browser, nil without one
	done           *Opened
}

// enter lets the browser in, unless it is in already. What waited for the address is sent.
func (o *opener) enter(ctx context.Context, a *Account, b Browser) (err error) {
	o.done.Account = a
	if o.done.IsNew {
		if err := o.sendInvitations(ctx, a); err != nil {
			return err
		}
	}
	if o.own == nil || o.own.AccountID != a.ID {
		o.done.Token, _, err = MakeLogin(o.tx, a, b)
	}
	return err
}

// isOwn tells whether the browser is signed in to an account.
func (o *opener) isOwn(a *Account) bool { return o.own != nil && o.own.AccountID == a.ID }

// claims tells of a link that was mailed to somebody known, and is opened where somebody is in who typed an address of
// theirs: it proves that one as well as that account's own link would.
func (o *opener) claims(ctx context.Context, l *link) bool {
	if o.own == nil || o.own.Account.IsConfirmed() || l.ByName != "" {
		return false
	}
	owner, err := o.store.Directory(o.organizationID, store.By{}).ContactBy(o.tx.Within(ctx), o.own.Account.Email)
	return err == nil && owner != nil && owner.ID == l.ContactID
}

// account opens a link that was mailed to the address of an account.
func (o *opener) account(ctx context.Context, id string) (*Account, error) {
	a, err := store.One[Account](o.tx.Where("organization_id = ? AND id = ?", o.organizationID, id), errNoLink)
	if err != nil || a.IsConfirmed() {
		return a, err
	}
	o.done.IsNew = true
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
	return o.store.Directory(o.organizationID, by).Claim(o.tx.Within(ctx), a.ContactID, a.Email, a.ID)
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
		err = &store.Error{Kind: store.Unavailable, Message: "This address is being confirmed at this moment. Try again."}
	}
	return err
}

// contact opens a link to somebody whom the organization knows: mailed to an address of theirs, or handed over by
// staff, who know whose it is.
func (o *opener) contact(ctx context.Context, id string) (*Account, error) {
	c, err := store.One[models.Contact](o.tx.Lock().Where("organization_id = ? AND id = ? AND erased_at IS NULL",
		o.organizationID, id),
		errNoLink)
	if err != nil {
		return nil, err
	}
	accounts, err := accountsOf(o.tx.DB, o.organizationID, c.ID)
	if err != nil {
		return nil, err
	}
	if len(accounts) > 0 && (accounts[0].IsConfirmed() || c.Email == "") {
		return accounts[0], nil
	}
	if c.Email == "" {
		return nil, errNoLink
	}
	o.done.IsNew = true
	there, err := o.confirmed(c.Email)
	if err != nil {
		return nil, err
	}
	if there != nil { // of somebody who has another address now
		if err := o.end(there); err != nil {
			return nil, err
		}
	}
	for _, a := range accounts { // not confirmed, with what somebody typed
		if o.isOwn(a) {
			a.Email, a.EmailKey = c.Email, c.EmailKey
			return a, o.confirm(a, c)
		}
		if err := o.end(a); err != nil {
			return nil, err
		}
		o.done.Dropped = o.done.Dropped || a.HasPassword()
	}
	return confirmedAccount(o.tx, c, c.Email)
}
