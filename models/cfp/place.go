package cfp

import (
	"context"

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
}

// PlaceOf is the place that a login opens; by says from where.
func PlaceOf(s *models.Store, l *Login, by store.By) *Place {
	by.ActorID, by.ActorName = l.Account.ContactID, l.Account.Name
	return &Place{store: s, login: l, organizationID: l.Account.OrganizationID, contactID: l.Account.ContactID, by: by,
		reach: models.Everybody}
}

// ContactID is whose place it is.
func (pl *Place) ContactID() string { return pl.contactID }

// Account is by which they came.
func (pl *Place) Account() *Account { return pl.login.Account }

// in is the programme of an event of the organization, for what its owner changes there.
func (pl *Place) in(event *models.Event) *models.Programme {
	return pl.store.Programme(event, pl.by).Reaching(pl.reach)
}

// directory is the people of the organization, for what its owner changes of themselves.
func (pl *Place) directory() *models.Directory {
	return pl.store.Directory(pl.organizationID, pl.by).Reaching(pl.reach)
}

func (pl *Place) read(ctx context.Context) *gorm.DB { return pl.store.Read(ctx) }
