// Package setup is the first start of an installation, which makes the first owner and the organization. It stands on
// top of the programme.
package setup

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
)

// Input is what the first start asks for.
type Input struct {
	Organization string        // its name; not needed when the command line made it
	Owner        staff.NewUser // its role becomes owner, whatever it says
}

var errSetUp = store.Missing("Lectern is set up already. Sign in, or ask an owner for an invitation.")

// IsNeeded reports whether nobody is staff yet. Staff that came with an archive have accounts that nobody can use.
func IsNeeded(ctx context.Context, s *models.Store) (bool, error) {
	var someone []string
	err := inService(s.Read(ctx)).Limit(1).Pluck("id", &someone).Error
	return err == nil && len(someone) == 0, err
}

func inService(db *gorm.DB) *gorm.DB { return db.Model(&staff.User{}).Where("disabled_at IS NULL") }

// Prepared returns what the command line made before anybody was staff: the organization, nil when there is none, and
// its events, oldest first.
func Prepared(ctx context.Context, s *models.Store) (*store.Organization, []*models.Event, error) {
	organization, err := store.TheOrganization(s.Read(ctx))
	if err != nil || organization == nil {
		return nil, nil, err
	}
	var all []*models.Event
	err = models.WithVersions(s.Read(ctx)).Where("organization_id = ?",
		organization.ID).Order("created_at, id").Find(&all).Error
	return organization, all, err
}

// Do makes the first owner, and the organization unless the command line made it, whose name then stays. It answers
// Invalid for a field that breaks its rule, and NotFound once somebody is staff.
func Do(ctx context.Context, s *models.Store, n Input) (*staff.User, error) {
	switch needed, err := IsNeeded(ctx, s); {
	case err != nil:
		return nil, err
	case !needed:
		return nil, errSetUp
	}
	there, _, err := Prepared(ctx, s)
	if err != nil {
		return nil, err
	}
	var f store.Faults
	var name string
	if there == nil {
		name, err = store.CleanName("organization", n.Organization, store.MaxName)
		f.Add(err)
	}
	n.Owner.Role = staff.Owner
	f.Add(n.Owner.Clean())
	if err := f.Err(); err != nil {
		return nil, err
	}
	user, err := s.Staff.Hashed(ctx, n.Owner)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, s.Write, func(tx *store.Tx) (*staff.User, error) {
		organization, err := store.MakeOrganization(tx, name)
		if err != nil {
			return nil, err
		}
		team := s.Staff.Team(s.Organization(organization.ID, store.ByIn(ctx)))
		if err := team.Hold(tx); err != nil {
			return nil, err
		}
		if err := store.Unless(inService(tx.DB), errSetUp); err != nil {
			return nil, err
		}
		return user, team.Enrol(tx, user, "")
	})
}
