package models

import (
	"context"
	"maps"
	"slices"
)

// StaffRole is what a member of staff may do.
type StaffRole string

const (
	Owner     StaffRole = "owner"
	Organizer StaffRole = "organizer"
	Reviewer  StaffRole = "reviewer"
	Viewer    StaffRole = "viewer"
)

// StaffRoles are all four, the most powerful first.
var StaffRoles = []StaffRole{Owner, Organizer, Reviewer, Viewer}

// Covers tells whether the role allows what needed allows: an owner everything,
// an organizer what a reviewer and a viewer may. "" covers nothing.
func (r StaffRole) Covers(needed StaffRole) bool {
	mine, theirs := slices.Index(StaffRoles, r), slices.Index(StaffRoles, needed)
	return mine >= 0 && theirs >= mine
}

// User is a member of staff.
type User struct {
	ID              string
	OrganizationID  string
	Email           string
	EmailKey        string
	Name            string
	Role            StaffRole            // at every event when Everywhere; nowhere when not
	Everywhere      bool                 // true for every owner
	Roles           map[string]StaffRole `gorm:"-"` // by event id, when not Everywhere; LoginBy and Members load them
	PasswordHash    string               `json:"-"`
	TOTPSecret      string               `json:"-"` // sealed
	TOTPConfirmedAt *Time
	TOTPStep        int64 `json:"-"` // the last one accepted
	DisabledAt      *Time // when removed
	CreatedAt       Time
	UpdatedAt       Time
}

// RoleAt is what the user may do at an event of their organization or, with "", in
// the organization as a whole; "" is nothing. Nothing else says so. Which organization
// an event belongs to is for EventFor to say.
func (u *User) RoleAt(eventID string) StaffRole {
	if u.Everywhere || u.Role == Owner {
		return u.Role
	}
	return u.Roles[eventID]
}

// HasTOTP tells whether signing in takes a second factor.
func (u *User) HasTOTP() bool { return u.TOTPConfirmedAt != nil }

// grants are what a member may do, for the activity.
func (u *User) grants() map[string]any {
	roles := map[string]StaffRole{}
	maps.Copy(roles, u.Roles)
	return map[string]any{"role": u.Role, "everywhere": u.Everywhere, "roles": roles}
}

// InPerson is a member of staff who acts themself.
func (u *User) InPerson(ctx context.Context) By {
	by := byIn(ctx)
	by.ActorID, by.ActorName = u.ID, u.Name
	return by
}
