package models

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// Team is the staff of one organization.
type Team struct{ *Tenant }

// Team is the staff of an organization, for the one who acts.
func (a *Accounts) Team(t *Tenant) *Team { return &Team{t} }

// Members are those who were not removed, by name, with their roles.
func (t *Team) Members(ctx context.Context) ([]*User, error) {
	users := []*User{}
	err := t.Read(ctx).Omit("password_hash", "totp_secret").
		Where("organization_id = ? AND disabled_at IS NULL", t.ID).Find(&users).Error
	if err != nil {
		return nil, err
	}
	slices.SortFunc(users, func(a, b *User) int {
		return cmp.Or(strings.Compare(fold(a.Name), fold(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return users, loadRoles(t.Read(ctx), users...)
}

// HoldAsOwner is Hold for what only owners may do. It answers NotFound when who acts
// is none any more: what a request read may be outdated.
func (t *Team) HoldAsOwner(tx *Tx) error {
	if err := t.Hold(tx); err != nil {
		return err
	}
	owners, err := t.owners(tx)
	if err == nil && !slices.Contains(owners, t.By.ActorID) {
		err = errOnlyOwners
	}
	return err
}

func (t *Team) owners(tx *Tx) (ids []string, err error) {
	err = tx.Model(&User{}).Where("organization_id = ? AND role = ? AND disabled_at IS NULL", t.ID, Owner).
		Pluck("id", &ids).Error
	return ids, err
}

// resign lets an owner go, unless there is no other one. The invitations they
// sent go too, lest they come back by one.
func (t *Team) resign(tx *Tx, u *User) error {
	owners, err := t.owners(tx)
	if err != nil {
		return err
	}
	if len(owners) < 2 {
		return errLastOwner
	}
	return tx.Where("created_by = ? AND used_at IS NULL", u.ID).Delete(&staffLink{}).Error
}

// member is a member with their roles, held until the operation ends.
func (t *Team) member(tx *Tx, id string) (*User, error) {
	var u User
	if !IsID(id) {
		return nil, errNoStaff
	}
	err := tx.lock().Where("organization_id = ? AND id = ? AND disabled_at IS NULL", t.ID, id).Take(&u).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, errNoStaff
	}
	if err != nil {
		return nil, err
	}
	return &u, loadRoles(tx.DB, &u)
}
