package cfp

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"lectern/models"
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

// At returns the programme of an event for packages on top, with the place's owner as the actor.
func (pl *Place) At(event *models.Event) *models.Programme { return pl.in(event) }

// in returns the programme of an event of the organization, with the place's owner as the actor.
func (pl *Place) in(event *models.Event) *models.Programme {
	return pl.store.Programme(event, pl.by).Reaching(pl.reach)
}

// directory returns the organization's directory, for what the place's owner changes of themselves.
func (pl *Place) directory() *models.Directory {
	return pl.store.Directory(pl.organizationID, pl.by).Reaching(pl.reach)
}

func (pl *Place) read(ctx context.Context) *gorm.DB { return pl.store.Read(ctx) }
