package models

import "context"

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
	Fields: []FieldError{{Field: "role",
		Message: "stays owner, because there is no other one; make somebody else an owner first"}}}

// Change changes what a member of staff may do, from their next request on. It
// answers NotFound unless an owner acts and id is a member, Invalid for a role or
// event that does not exist and for the last owner, and Stale for an outdated token.
func (t *Team) Change(ctx context.Context, id string, c StaffChange) error {
	return t.Write(ctx, func(tx *Tx) error {
		if err := t.HoldAsOwner(tx); err != nil {
			return err
		}
		u, err := t.member(tx, id)
		if err != nil {
			return err
		}
		before := u.grants()
		c.apply(u)
		if err := cleanGrants(tx, u); err != nil {
			return err
		}
		if c.UpdatedAt != nil && !c.UpdatedAt.Equal(u.UpdatedAt.Time) {
			return errStaleStaff
		}
		if before["role"] == Owner && u.Role != Owner {
			if err := t.resign(tx, u); err != nil {
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
		if err := saveRoles(tx, u); err != nil {
			return err
		}
		return t.Secure(tx, RolesChanged, activity{id: u.ID, before: was, after: is})
	})
}

func (c *StaffChange) apply(u *User) {
	if c.Role != nil {
		u.Role = *c.Role
	}
	if c.Everywhere != nil {
		u.Everywhere = *c.Everywhere
	}
	if c.Roles != nil {
		u.Roles = c.Roles
	}
}

// Remove ends a member's access at once: their logins, second factor, unused links
// and the invitations they sent are gone. Their name stays in the activity, and an
// invitation to the same address brings them back. It answers what Change does.
func (t *Team) Remove(ctx context.Context, id string) error {
	return t.Write(ctx, func(tx *Tx) error {
		if err := t.HoldAsOwner(tx); err != nil {
			return err
		}
		u, err := t.member(tx, id)
		if err != nil {
			return err
		}
		if u.Role == Owner {
			if err := t.resign(tx, u); err != nil {
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
		return t.Secure(tx, StaffRemoved, activity{id: u.ID, before: u.grants()})
	})
}
