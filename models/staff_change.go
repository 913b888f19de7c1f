package models

import (
	"context"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"
)

// StaffChange is a change of what a member of staff may do; nil leaves a field
// alone. An owner is always everywhere, and who is everywhere has no roles at
// single events.
type StaffChange struct {
	Role       *StaffRole
	Everywhere *bool
	Roles      map[string]StaffRole // by event id, all of them; "" is none, owner is not allowed
	UpdatedAt  *Time                // the concurrency token; nil does not ask
}

var errOnlyOwners = &Error{Kind: NotFound, Message: "Only an owner can do this."}

var errStaleStaff = &Error{Kind: Stale, Message: "Someone else changed this member of staff since you read it.",
	Fields: []FieldError{{Field: "updated_at", Message: "is outdated"}}}

var errNoStaff = &Error{Kind: NotFound, Message: "There is no such member of staff."}

var errLastOwner = &Error{Kind: Invalid, Message: "The last owner stays owner. Make somebody else an owner first.",
	Fields: []FieldError{{Field: "role", Message: "stays owner, because there is no other one; make somebody else an owner first"}}}

// ChangeStaff changes what a member of staff may do, from their next request on.
// It answers NotFound unless by is an owner and id a member of the same
// organization, Invalid for a role or event that does not exist and for the
// last owner, and Stale for an outdated token.
func (s *Store) ChangeStaff(ctx context.Context, by *User, id string, c StaffChange) error {
	return s.write(ctx, func(tx *Tx) error {
		if err := tx.owner(by); err != nil {
			return err
		}
		u, err := tx.member(by.OrganizationID, id)
		if err != nil {
			return err
		}
		before := u.grants()
		if c.Role != nil {
			u.Role = *c.Role
		}
		if c.Everywhere != nil {
			u.Everywhere = *c.Everywhere
		}
		if c.Roles != nil {
			u.Roles = c.Roles
		}
		if err := tx.cleanGrants(u); err != nil {
			return err
		}
		if c.UpdatedAt != nil && !c.UpdatedAt.Equal(u.UpdatedAt.Time) {
			return errStaleStaff
		}
		if before["role"] == Owner && u.Role != Owner {
			if err := tx.resign(u); err != nil {
				return err
			}
		}
		was, is := changes(before, u.grants())
		if len(is) == 0 {
			return nil
		}
		err = tx.Model(&User{}).Where("id = ?", u.ID).UpdateColumns(map[string]any{
			"role": u.Role, "everywhere": u.Everywhere, "updated_at": tx.now.after(u.UpdatedAt)}).Error
		if err != nil {
			return err
		}
		if err := tx.saveRoles(u); err != nil {
			return err
		}
		return tx.secure(u.OrganizationID, nil, by.inPerson(ctx), RolesChanged, activity{id: u.ID, before: was, after: is})
	})
}

// RemoveStaff ends a member's access at once: their logins, second factor,
// unused links and the invitations they sent are gone. Their name stays in the
// activity, and an invitation to the same address brings them back. It answers
// what ChangeStaff does.
func (s *Store) RemoveStaff(ctx context.Context, by *User, id string) error {
	return s.write(ctx, func(tx *Tx) error {
		if err := tx.owner(by); err != nil {
			return err
		}
		u, err := tx.member(by.OrganizationID, id)
		if err != nil {
			return err
		}
		if u.Role == Owner {
			if err := tx.resign(u); err != nil {
				return err
			}
		}
		for _, row := range []any{&Login{}, &eventRole{}, &recoveryCode{}, &staffLink{}} {
			if err := tx.Where("user_id = ?", u.ID).Delete(row).Error; err != nil {
				return err
			}
		}
		err = tx.Model(&User{}).Where("id = ?", u.ID).UpdateColumns(map[string]any{
			"disabled_at": tx.now, "password_hash": "", "totp_secret": "", "totp_confirmed_at": nil,
			"updated_at": tx.now.after(u.UpdatedAt)}).Error
		if err != nil {
			return err
		}
		return tx.secure(u.OrganizationID, nil, by.inPerson(ctx), StaffRemoved, activity{id: u.ID, before: u.grants()})
	})
}

// owner holds the organization of by and makes sure that by is an owner still:
// what a request read may be outdated.
func (tx *Tx) owner(by *User) error {
	if by == nil {
		return errOnlyOwners
	}
	if err := tx.hold(by.OrganizationID); err != nil {
		return err
	}
	owners, err := tx.owners(by.OrganizationID)
	if err == nil && !slices.Contains(owners, by.ID) {
		err = errOnlyOwners
	}
	return err
}

func (tx *Tx) owners(organizationID string) (ids []string, err error) {
	err = tx.Model(&User{}).Where("organization_id = ? AND role = ? AND disabled_at IS NULL", organizationID, Owner).
		Pluck("id", &ids).Error
	return ids, err
}

// resign lets an owner go, unless there is no other one. The invitations they
// sent go too, lest they come back by one.
func (tx *Tx) resign(u *User) error {
	owners, err := tx.owners(u.OrganizationID)
	if err != nil {
		return err
	}
	if len(owners) < 2 {
		return errLastOwner
	}
	return tx.Where("created_by = ? AND used_at IS NULL", u.ID).Delete(&staffLink{}).Error
}

// member is a member of the organization's staff, with their roles.
func (tx *Tx) member(organizationID, id string) (*User, error) {
	var u User
	if !IsID(id) {
		return nil, errNoStaff
	}
	err := tx.lock().Where("organization_id = ? AND id = ? AND disabled_at IS NULL", organizationID, id).Take(&u).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, errNoStaff
	}
	if err != nil {
		return nil, err
	}
	return &u, loadRoles(tx.DB, &u)
}

// cleanGrants checks a user's role and events, and puts them into their one form.
func (tx *Tx) cleanGrants(u *User) error {
	var f faults
	if !slices.Contains(StaffRoles, u.Role) {
		f.add(invalid("role", "must be one of owner, organizer, reviewer, viewer"))
	}
	u.Everywhere = u.Everywhere || u.Role == Owner
	roles := map[string]StaffRole{}
	if !u.Everywhere {
		maps.Copy(roles, u.Roles)
		maps.DeleteFunc(roles, func(_ string, role StaffRole) bool { return role == "" })
	}
	u.Roles = roles
	for _, role := range roles {
		if role == Owner || !slices.Contains(StaffRoles, role) {
			f.add(invalid("roles", "must be organizer, reviewer or viewer at each event"))
			break
		}
	}
	if len(roles) > 0 {
		var events []string
		err := tx.Model(&Event{}).Where("organization_id = ?", u.OrganizationID).Pluck("id", &events).Error
		if err != nil {
			return err
		}
		for id := range roles {
			if !slices.Contains(events, id) {
				f.add(invalid("roles", "must name events of this organization"))
				break
			}
		}
	}
	return f.err()
}

// saveRoles writes the user's roles at single events.
func (tx *Tx) saveRoles(u *User) error {
	if err := tx.Where("user_id = ?", u.ID).Delete(&eventRole{}).Error; err != nil {
		return err
	}
	var rows []eventRole
	for _, event := range slices.Sorted(maps.Keys(u.Roles)) {
		rows = append(rows, eventRole{EventID: event, UserID: u.ID, Role: u.Roles[event]})
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.Create(&rows).Error
}

// grants are what a member may do, for the activity.
func (u *User) grants() map[string]any {
	roles := map[string]StaffRole{}
	maps.Copy(roles, u.Roles)
	return map[string]any{"role": u.Role, "everywhere": u.Everywhere, "roles": roles}
}

// inPerson is a member of staff who acts themself.
func (u *User) inPerson(ctx context.Context) By {
	by := byIn(ctx)
	by.ActorID, by.ActorName = u.ID, u.Name
	return by
}
