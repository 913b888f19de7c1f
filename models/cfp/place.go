package cfp

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Place is where somebody who speaks finds all that is theirs: the handle of one contact in one organization, made of a
// login alone. All its queries are narrowed to what that contact has. This package lends one to staff who fill in a
// form
// in somebody's stead (see Call.lend): that has no login, and is narrowed to the event's submissions.
type Place struct {
	store          *models.Store
	login          *Login
	organizationID string
	contactID      string
	by             store.By
	isLent         bool
	reach          models.Reach // of who acts
	only           string       // the one event that the login opens it at, "" for all
}

// PlaceOf is the place that a login opens; by says from where.
func PlaceOf(s *models.Store, l *Login, by store.By) *Place {
	by.ActorID, by.ActorName = l.Account.ContactID, l.Account.Name
	pl := &Place{store: s, login: l, organizationID: l.Account.OrganizationID, contactID: l.Account.ContactID, by: by,
		reach: models.Everybody}
	if l.EventID != nil {
		pl.only, pl.reach = *l.EventID, models.PeopleOf(*l.EventID)
	}
	return pl
}

// IsNarrow tells of a place that opens at one event alone, by a link that staff copied: its owner changes neither what
// other events share of them nor how they come in.
func (pl *Place) IsNarrow() bool { return pl.only != "" }

// errNarrow answers what IsNarrow does not let its owner do.
var errNarrow = store.Invalidf("contact", "cannot be changed by a link that the organizers copied. Ask for a link by mail, "+
	"open it in this browser, then try again")

// wide answers errNarrow for a place that IsNarrow, and in place of models.ErrShared.
func (pl *Place) wide(err error) error {
	if errors.Is(err, models.ErrShared) {
		return errNarrow
	}
	return err
}

// ContactID is whose place it is.
func (pl *Place) ContactID() string { return pl.contactID }

// Account is by which they came.
func (pl *Place) Account() *Account { return pl.login.Account }

// OpensAt tells whether the place opens at an event of the organization: all do, but for a link that staff copied.
func (pl *Place) OpensAt(event *models.Event) bool { return !pl.IsNarrow() || pl.only == event.ID }

// At is the programme of an event for a room on top, for what the place's owner does there.
func (pl *Place) At(event *models.Event) *models.Programme { return pl.in(event) }

// in is the programme of an event of the organization, for what its owner changes there.
func (pl *Place) in(event *models.Event) *models.Programme {
	return pl.store.Programme(event, pl.by).Reaching(pl.reach)
}

// directory is the people of the organization, for what its owner changes of themselves.
func (pl *Place) directory() *models.Directory {
	return pl.store.Directory(pl.organizationID, pl.by).Reaching(pl.reach)
}

func (pl *Place) read(ctx context.Context) *gorm.DB { return pl.store.Read(ctx) }
