package demo

import (
	"context"

	"lectern/models/staff"
)

// Staff are the staff of the conference, one or more per role.
type Staff struct {
	Owner            *staff.User
	Beatriz, Tomas   *staff.User // organizers
	Henrik, Mei, Olu *staff.User // reviewers
	Zofia            *staff.User // a reviewer of this year's event only
	Ilias            *staff.User // a reviewer of a blind round only
	Viewer           *staff.User
}

// hire makes the owner and has their staff join.
func (s *story) hire(password string) {
	for _, x := range []struct {
		who         **staff.User
		name, email string
		role        staff.Role
	}{
		{&s.staff.Owner, "Dana Demo", "dana", staff.Owner},
		{&s.staff.Beatriz, "Beatriz Nunes", "beatriz", staff.Organizer},
		{&s.staff.Tomas, "Tomás Rey", "tomas", staff.Organizer},
		{&s.staff.Henrik, "Henrik Aalto", "henrik", staff.Reviewer},
		{&s.staff.Mei, "Mei-Ling Tan", "mei-ling", staff.Reviewer},
		{&s.staff.Olu, "Olu Adebayo", "olu", staff.Reviewer},
		{&s.staff.Zofia, "Zofia Kamińska", "zofia", staff.Reviewer},
		{&s.staff.Ilias, "Ilias Berg", "ilias", staff.Reviewer},
		{&s.staff.Viewer, "Ruth Ekberg", "ruth", staff.Viewer},
	} {
		s.at(s.daysAgo(63, 8, 0), "hiring "+x.name, func(ctx context.Context) (err error) {
			if x.role == staff.Owner {
				if _, err := s.foundation(ctx); err != nil {
					return err
				}
			}
			*x.who, err = s.db.Staff.CreateUser(ctx, staff.NewUser{
				Email: x.email + "@tideline.example", Name: x.name, Role: x.role, Password: password,
			})
			return err
		})
	}
}

// team returns the team, with the owner acting.
func (s *story) team() *staff.Team {
	owner := s.staff.Owner
	return s.db.Staff.Team(s.db.Organization(owner.OrganizationID, as(owner)))
}

// reviewer returns the reviewer with this first name.
func (s *story) reviewer(name string) *staff.User {
	return map[string]*staff.User{
		"Henrik": s.staff.Henrik, "Mei-Ling": s.staff.Mei, "Olu": s.staff.Olu, "Zofia": s.staff.Zofia,
	}[name]
}

// only restricts a member of staff to one event.
func (s *story) only(e *edition, of **staff.User) func(context.Context) error {
	return func(ctx context.Context) error {
		u, nowhere := *of, false
		return s.team().Change(ctx, u.ID, staff.Change{
			Everywhere: &nowhere, Roles: map[string]staff.Role{e.event.ID: u.Role},
		})
	}
}

// inviteSomebody leaves a pending invitation.
func (s *story) inviteSomebody(e *edition) {
	s.at(s.daysAgo(2, 15, 20), "inviting a reviewer", func(ctx context.Context) error {
		_, err := s.team().Invite(ctx, staff.Invitation{
			Email: "ilse.brandt@tideline.example", Role: staff.Reviewer, Roles: map[string]staff.Role{e.event.ID: staff.Reviewer},
		})
		return err
	})
}
