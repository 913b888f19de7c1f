package models

import "context"

// Setup is what the first start asks for.
type Setup struct {
	Organization string  // its name; not needed when the command line made it
	Owner        NewUser // its role is owner, whatever it says
}

var errSetUp = &Error{Kind: NotFound, Message: "Lectern is set up already. Sign in, or ask an owner for an invitation."}

// NeedsSetup tells whether nobody is staff yet.
func (s *Store) NeedsSetup(ctx context.Context) (bool, error) {
	var someone []string
	err := s.read(ctx).Model(&User{}).Limit(1).Pluck("id", &someone).Error
	return err == nil && len(someone) == 0, err
}

// Prepared is what the command line made before anybody was staff: the
// organization, nil when there is none, and its events, the oldest first.
func (s *Store) Prepared(ctx context.Context) (*Organization, []*Event, error) {
	organization, err := TheOrganization(s.read(ctx))
	if err != nil || organization == nil {
		return nil, nil, err
	}
	var events []*Event
	err = s.read(ctx).Where("organization_id = ?", organization.ID).Order("created_at, id").Find(&events).Error
	return organization, events, err
}

// SetUp makes the first owner, and the organization unless the command line made
// that already, which keeps its name. It answers Invalid for a field that breaks
// its rule, and NotFound once somebody is staff.
func (s *Store) SetUp(ctx context.Context, n Setup) (*User, error) {
	switch needed, err := s.NeedsSetup(ctx); {
	case err != nil:
		return nil, err
	case !needed:
		return nil, errSetUp
	}
	there, _, err := s.Prepared(ctx)
	if err != nil {
		return nil, err
	}
	var f faults
	var name string
	if there == nil {
		name, err = cleanName("organization", n.Organization, MaxName)
		f.add(err)
	}
	n.Owner.Role = Owner
	f.add(n.Owner.Clean())
	if err := f.err(); err != nil {
		return nil, err
	}
	user, err := s.Staff.Hashed(ctx, n.Owner)
	if err != nil {
		return nil, err
	}
	err = s.write(ctx, func(tx *Tx) error {
		organization, err := MakeOrganization(tx, name)
		if err != nil {
			return err
		}
		team := s.Staff.Team(s.Organization(organization.ID, byIn(ctx)))
		if err := team.Hold(tx); err != nil {
			return err
		}
		var users int64
		if err := tx.Model(&User{}).Count(&users).Error; err != nil {
			return err
		}
		if users > 0 {
			return errSetUp
		}
		return team.Enrol(tx, user)
	})
	if err != nil {
		return nil, err
	}
	return user, nil
}
