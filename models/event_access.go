package models

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/staff"
	"lectern/models/store"
)

// EventsFor are the events at which the user has a role, by name.
func (s *Store) EventsFor(ctx context.Context, u *staff.User) ([]*Event, error) {
	var events []*Event
	if err := s.Read(ctx).Where("organization_id = ?", u.OrganizationID).Find(&events).Error; err != nil {
		return nil, err
	}
	events = slices.DeleteFunc(events, func(e *Event) bool { return u.RoleAt(e.ID) == "" })
	slices.SortFunc(events, func(a, b *Event) int {
		return cmp.Or(strings.Compare(store.Fold(a.Name), store.Fold(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return events, nil
}

// EventFor is one event, read anew, and the user's role there. It answers
// NotFound for an event of another organization and for one where the user has
// no role.
func (s *Store) EventFor(ctx context.Context, u *staff.User, id string) (*Event, staff.Role, error) {
	var e Event
	role := u.RoleAt(id)
	if role == "" || !store.IsID(id) {
		return nil, "", errNoEvent
	}
	err := s.Read(ctx).Where("organization_id = ? AND id = ?", u.OrganizationID, id).Take(&e).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, "", errNoEvent
	}
	if err != nil {
		return nil, "", err
	}
	return &e, role, nil
}

var errNoEvent = &store.Error{Kind: store.NotFound, Message: "There is no such event, or you have no role there."}
