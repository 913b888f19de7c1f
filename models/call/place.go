package call

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// Place is where somebody who speaks finds all that is theirs: the handle of one contact in one organization, made from
// a login alone. All its queries are narrowed to what that contact has. To staff who fill in a form for somebody this
// package lends a place without a login, narrowed to the event's submissions (see Call.lend).
type Place struct {
	store          *models.Store
	login          *Login
	organizationID string
	contactID      string
	by             store.By
	isLent         bool
	reach          models.Reach // the reach of the actor
	only           string       // the id of the one event that the login opens; "" for all
}

// PlaceOf returns the place that a login opens; by says from where the request came.
func PlaceOf(s *models.Store, l *Login, by store.By) *Place {
	by.ActorID, by.ActorName = l.Account.ContactID, l.Account.Name
	pl := &Place{store: s, login: l, organizationID: l.Account.OrganizationID, contactID: l.Account.ContactID, by: by,
		reach: models.Everybody}
	if l.EventID != nil {
		pl.only, pl.reach = *l.EventID, models.PeopleOf(*l.EventID)
	}
	return pl
}

// IsNarrow reports whether the place opens at one event alone, by a link that staff copied: then its owner can change
// neither data that other events share nor how they sign in.
func (pl *Place) IsNarrow() bool { return pl.only != "" }

// errNarrow answers what the owner of a narrow place may not do.
var errNarrow = store.Invalidf("contact", "cannot be changed by a link that the organizers copied. Ask for a link by mail, "+
	"open it in this browser, then try again")

// wide returns errNarrow for models.ErrShared, and any other error unchanged.
func (pl *Place) wide(err error) error {
	if errors.Is(err, models.ErrShared) {
		return errNarrow
	}
	return err
}

// ContactID returns the id of the place's owner.
func (pl *Place) ContactID() string { return pl.contactID }

// Account returns the account by which they signed in.
func (pl *Place) Account() *Account { return pl.login.Account }

// OpensAt reports whether the place opens at an event of the organization.
func (pl *Place) OpensAt(event *models.Event) bool { return !pl.IsNarrow() || pl.only == event.ID }

// At returns the programme of an event of the organization, with the place's owner as the actor.
func (pl *Place) At(event *models.Event) *models.Programme {
	return pl.store.Programme(event, pl.by).Reaching(pl.reach)
}

// directory returns the organization's directory, for what the place's owner changes of themselves.
func (pl *Place) directory() *models.Directory {
	return pl.store.Directory(pl.organizationID, pl.by).Reaching(pl.reach)
}

func (pl *Place) read(ctx context.Context) *gorm.DB { return pl.store.Read(ctx) }

// justNow is how long after opening a freshly mailed link somebody may set a password without the old one, which they
// may have forgotten.
const justNow = 15 * time.Minute

// IsProved reports whether the place's owner opened a fresh link mailed to the account's address justNow, or made the
// account justNow.
func (pl *Place) IsProved() bool {
	at := pl.login.ProvedAt
	return at != nil && pl.store.Now().Sub(at.Time) < justNow
}

// NeedsPassword reports whether a new password needs the old one.
func (pl *Place) NeedsPassword() bool {
	return !pl.IsNarrow() && pl.login.Account.HasPassword() && !pl.IsProved()
}

// NeedsLink reports whether a new password needs a fresh link: without a password somebody else may have made the
// login, and a link that staff copied never suffices.
func (pl *Place) NeedsLink() bool {
	return pl.IsNarrow() || !pl.login.Account.HasPassword() && !pl.IsProved()
}

// SetPassword sets the account's password and ends the other ways into the place, as LeaveOthers does. A letter of the
// event tells the address. It answers Invalid for the fields current_password and password, the latter also if
// NeedsLink, and TooMany.
func (pl *Place) SetPassword(ctx context.Context, event *models.Event, current, next string) error {
	if pl.IsNarrow() {
		return errNarrow
	}
	a := pl.login.Account
	if err := signin.PasswordFault(next, a.Email, a.Name); err != nil {
		return err
	}
	if pl.NeedsLink() {
		return store.Invalidf("password", "needs a fresh link first. Ask for one below, open it in this browser, "+
			"and set the password within 15 minutes")
	}
	if pl.NeedsPassword() {
		if err := pl.prove(ctx, current); err != nil {
			return err
		}
	}
	hash, err := pl.store.Passwords.Hash(ctx, next)
	if err != nil {
		return err
	}
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		set := tx.Model(&Account{}).Where("id = ? AND password_hash = ?", a.ID, a.PasswordHash).
			UpdateColumns(map[string]any{"password_hash": hash, "updated_at": tx.Now.Following(a.UpdatedAt)})
		if err := store.Changed(set, signin.ErrSignedOut); err != nil {
			return err
		}
		return pl.leaveOthers(tx, event, "password")
	})
}

// prove checks the account's password. It answers Invalid for a wrong one, and TooMany.
func (pl *Place) prove(ctx context.Context, password string) error {
	count := signin.By("speaker's password", pl.login.AccountID, signin.FailuresOfAccount)
	if err := pl.store.Write(ctx, func(tx *store.Tx) error { return signin.Attempt(tx, count) }); err != nil {
		return err
	}
	right, err := pl.store.Passwords.Is(ctx, pl.login.Account.PasswordHash, password)
	if err != nil {
		return err
	}
	if !right {
		return store.Invalidf("current_password", "is not your password")
	}
	return pl.store.Write(ctx, func(tx *store.Tx) error { return signin.Forgive(tx, count) })
}

// Devices returns how many browsers are signed in to this account.
func (pl *Place) Devices(ctx context.Context) (n int64, err error) {
	now := pl.store.Now()
	return n, pl.read(ctx).Model(&Login{}).Where("account_id = ? AND expires_at > ? AND last_seen_at > ?",
		pl.login.AccountID, now,
		store.At(now.Add(-LoginIdle))).Count(&n).Error
}

// LeaveOthers ends all links to the place, all logins but this one, and all passkeys but the one that made it. A letter
// of the event tells the address. It answers Invalid for a place that IsNarrow.
func (pl *Place) LeaveOthers(ctx context.Context, event *models.Event) error {
	if pl.IsNarrow() {
		return errNarrow
	}
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		return pl.leaveOthers(tx, event, "devices")
	})
}

// leaveOthers ends all that opens the place except this login and the passkey that made it, unless that was used since.
// It tells the address, if it is proven, by the catalogue's letter words.
func (pl *Place) leaveOthers(tx *store.Tx, event *models.Event, words string) error {
	err := tx.Where("id <> ? AND account_id IN (SELECT id FROM speaker_accounts WHERE organization_id = ? AND contact_id = ?)",
		pl.login.ID, pl.organizationID, pl.contactID).Delete(&Login{}).Error
	if err != nil {
		return err
	}
	err = tx.Where("account_id IN (?) AND NOT (account_id = ? AND coalesce(last_used_at = ?, false))", pl.accounts(tx.DB),
		pl.login.AccountID, pl.login.CreatedAt).Delete(&Passkey{}).Error
	if err != nil {
		return err
	}
	ended := linksTo(tx, pl.organizationID, pl.contactID).Delete(&link{})
	if ended.Error != nil || !pl.login.Account.IsConfirmed() {
		return ended.Error
	}
	return pl.mailOwner(tx, event, words)
}

// mailOwner writes a letter of the catalogue to the account's address and to the contact's own.
func (pl *Place) mailOwner(tx *store.Tx, event *models.Event, words string) error {
	contact, err := store.One[models.Contact](tx.Where("id = ?", pl.contactID), errNobodyToLink)
	if err != nil {
		return err
	}
	letters := []models.CallLetter{{ContactID: contact.ID}}
	if a := pl.login.Account; a.EmailKey != contact.EmailKey { // they signed in by another address of theirs
		letters = append(letters, models.CallLetter{ContactID: contact.ID, Name: a.Name, Email: a.Email, AccountID: a.ID})
	}
	for i := range letters {
		write(&letters[i], spoken(tx), event, words)
	}
	return pl.At(event).SendCallLetters(tx, letters...)
}
