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

// TrySetup counts a try at the code of the set-up, right or wrong. It answers
// TooMany after twenty from one network address.
func (s *Store) TrySetup(ctx context.Context, address string) error {
	err := s.write(ctx, func(tx *Tx) error { return tx.attempt(ofAddress("setup", address, failuresOfAddress)...) })
	s.noteRefusal(err, triedAs(ctx, SetupFailed, "", "", address))
	return err
}

// Prepared is what the command line made before anybody was staff: the
// organization, nil when there is none, and its events, the oldest first.
func (s *Store) Prepared(ctx context.Context) (*Organization, []*Event, error) {
	var organizations []*Organization
	if err := s.read(ctx).Order("created_at, id").Limit(1).Find(&organizations).Error; err != nil || len(organizations) == 0 {
		return nil, nil, err
	}
	var events []*Event
	err := s.read(ctx).Where("organization_id = ?", organizations[0].ID).Order("created_at, id").Find(&events).Error
	return organizations[0], events, err
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
	f.add(n.Owner.clean())
	if err := f.err(); err != nil {
		return nil, err
	}
	hash, err := s.hashPassword(ctx, n.Owner.Password)
	if err != nil {
		return nil, err
	}
	user := &User{Email: n.Owner.Email, Name: n.Owner.Name, Role: Owner, Everywhere: true, PasswordHash: hash}
	err = s.write(ctx, func(tx *Tx) error {
		organization, err := tx.organization(name)
		if err != nil {
			return err
		}
		if err := tx.hold(organization.ID); err != nil {
			return err
		}
		var users int64
		if err := tx.Model(&User{}).Count(&users).Error; err != nil {
			return err
		}
		if users > 0 {
			return errSetUp
		}
		user.OrganizationID = organization.ID
		if err := tx.enrol(user); err != nil {
			return err
		}
		return tx.secure(user.OrganizationID, nil, user.inPerson(ctx), StaffJoined, activity{id: user.ID, after: user.grants()})
	})
	if err != nil {
		return nil, err
	}
	return user, nil
}
