package staff

import (
	"context"
	"slices"

	"lectern/models/store"
)

// Team is the handle of one organization's staff.
type Team struct{ *store.Tenant }

// Team returns the staff of an organization, for the one who acts.
func (a *Accounts) Team(t *store.Tenant) *Team { return &Team{t} }

// Members returns the members who were not removed, by name, with their roles.
func (t *Team) Members(ctx context.Context) ([]*User, error) {
	users := []*User{}
	err := t.Read(ctx).Omit("password_hash", "totp_secret").
		Where("organization_id = ? AND disabled_at IS NULL", t.ID).Find(&users).Error
	if err != nil {
		return nil, err
	}
	slices.SortFunc(users, func(a, b *User) int { return store.CompareNames(a.Name, a.ID, b.Name, b.ID) })
	return users, loadRoles(t.Read(ctx), users...)
}

// HoldAsOwner is Hold for what only owners may do. It answers NotFound when the actor is no owner any more, because
// what the request read may be outdated.
func (t *Team) HoldAsOwner(tx *store.Tx) error {
	if err := t.Hold(tx); err != nil {
		return err
	}
	_, err := store.One[User](tx.Select("id").Where("organization_id = ? AND id = ? AND role = ? AND disabled_at IS NULL",
		t.ID, t.By.ActorID, Owner), errOnlyOwners)
	return err
}

// asOwner is Write for operations that only owners may do.
func (t *Team) asOwner(ctx context.Context, operation func(*store.Tx) error) error {
	return t.Write(ctx, func(tx *store.Tx) error {
		if err := t.HoldAsOwner(tx); err != nil {
			return err
		}
		return operation(tx)
	})
}

// resign lets an owner go, unless no other owner can sign in.
func (t *Team) resign(tx *store.Tx, u *User) error {
	if err := t.keepWayIn(tx, u.ID, errLastOwner); err != nil {
		return err
	}
	return endSentInvitations(tx, u)
}

// endSentInvitations deletes the invitations that a former owner sent, lest they come back by one.
func endSentInvitations(tx *store.Tx, u *User) error {
	return tx.Where("created_by = ? AND used_at IS NULL", u.ID).Delete(&staffLink{}).Error
}

// member returns a member with their roles, locked until the transaction ends.
func (t *Team) member(tx *store.Tx, id string) (*User, error) {
	u, err := store.OneByID[User](tx.Lock().Where("organization_id = ? AND disabled_at IS NULL", t.ID), id, errNoStaff)
	if err != nil {
		return nil, err
	}
	return u, loadRoles(tx.DB, u)
}

// Change is a change of what a member of staff may do; nil leaves a field alone. Owners are always Everywhere, and a
// user who is Everywhere has no roles at single events.
type Change struct {
	Role       *Role
	Everywhere *bool
	Roles      map[string]Role // by event id, replaces all; "" means none, owner is not allowed
	UpdatedAt  *store.Time     // the concurrency token; nil skips the check
}

var (
	errOnlyOwners = store.Missing("Only an owner can do this.")
	errStaleStaff = store.Outdated("Someone else changed this member of staff since you read it.")
	errNoStaff    = store.Missing("There is no such member of staff.")
)

var errLastOwner = &store.Error{Kind: store.Invalid,
	Message: "The last owner who can sign in stays owner. Make somebody else an owner first.",
	Fields: []store.FieldError{{Field: "role",
		Message: "stays owner, because there is no other one who can sign in; make somebody else an owner first"}}}

// Change changes what a member of staff may do, from their next request on. It
// answers NotFound unless an owner acts and id is a member, Invalid for a role or
// event that does not exist and for the last owner, and Stale for an outdated token.
func (t *Team) Change(ctx context.Context, id string, c Change) error {
	return t.asOwner(ctx, func(tx *store.Tx) error {
		u, err := t.member(tx, id)
		if err != nil {
			return err
		}
		before := u.grants()
		store.Put(&u.Role, c.Role)
		store.Put(&u.Everywhere, c.Everywhere)
		if c.Roles != nil {
			u.Roles = c.Roles
		}
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
		return t.saveGrants(tx, u, before, t.By)
	})
}

// saveGrants writes what a member may do, and records who changed it. Equal grants change nothing.
func (t *Team) saveGrants(tx *store.Tx, u *User, before map[string]any, by store.By) error {
	was, is := store.Changes(before, u.grants())
	if len(is) == 0 {
		return nil
	}
	err := tx.Model(&User{}).Where("id = ?", u.ID).UpdateColumns(map[string]any{
		"role": u.Role, "everywhere": u.Everywhere, "updated_at": tx.Now.Following(u.UpdatedAt)}).Error
	if err != nil {
		return err
	}
	if err := saveRoles(tx, u); err != nil {
		return err
	}
	return tx.Secure(t.ID, nil, by, store.RolesChanged, store.Change{ID: u.ID, Before: was, After: is})
}

// Remove ends a member's access at once: it deletes their logins, second factors, unused links and the invitations they
// sent. Their name stays in the activity, and an invitation to the same address brings them back. It answers what
// Change does.
func (t *Team) Remove(ctx context.Context, id string) error {
	return t.asOwner(ctx, func(tx *store.Tx) error {
		u, err := t.member(tx, id)
		if err != nil {
			return err
		}
		if u.Role == Owner {
			if err := t.resign(tx, u); err != nil {
				return err
			}
		}
		for _, row := range []any{&Login{}, &eventRole{}, &recoveryCode{}, &Passkey{}, &staffLink{}, &ProviderVisit{}} {
			if err := tx.Where("user_id = ?", u.ID).Delete(row).Error; err != nil {
				return err
			}
		}
		err = tx.Model(&User{}).Where("id = ?", u.ID).UpdateColumns(map[string]any{
			"disabled_at": tx.Now, "password_hash": "", "totp_secret": "", "totp_confirmed_at": nil, "passkeys": 0,
			"updated_at": tx.Now.Following(u.UpdatedAt)}).Error
		if err != nil {
			return err
		}
		return t.Secure(tx, store.StaffRemoved, store.Change{ID: u.ID, Before: u.grants()})
	})
}

// Remember returns the id of somebody who did something in another system, by their address. Somebody who never was
// staff becomes a removed member: their name stands beside what they did, they cannot sign in, and an invitation makes
// it all theirs. It answers Invalid for an address or a name that breaks its rule, and for an address of another
// organization.
func (t *Team) Remember(ctx context.Context, email, name string) (string, error) {
	var f store.Faults
	email, err := store.CleanEmail(email)
	f.Add(err)
	f.Clean(store.CleanName, "name", &name, store.MaxName)
	if err := f.Err(); err != nil {
		return "", err
	}
	return store.Make(ctx, t.Write, func(tx *store.Tx) (string, error) {
		if err := t.Hold(tx); err != nil {
			return "", err
		}
		var known User
		key := store.Fold(email)
		if err := tx.Where("email_key = ?", key).Limit(1).Find(&known).Error; err != nil {
			return "", err
		}
		switch {
		case known.ID != "" && known.OrganizationID != t.ID:
			return "", errEmailTaken
		case known.ID != "":
			return known.ID, nil
		}
		u := &User{ID: store.NewID(), OrganizationID: t.ID, Email: email, EmailKey: key, Name: name, Role: Reviewer,
			CreatedAt: tx.Now, UpdatedAt: tx.Now, DisabledAt: &tx.Now}
		return u.ID, tx.Create(u).Error
	})
}
