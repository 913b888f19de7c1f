package staff

import (
	"net/http"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/invite"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func listStaff(v *visit.Visit) error {
	p := pages.Page{}
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	if err != nil {
		return err
	}
	members, err := v.Team().Members(v.UserContext())
	if err != nil {
		return err
	}
	p.Members = store.Map(members, func(u *staff.User) pages.Row { return staffRow(v, u, events) })
	invitations, err := v.Team().Invitations(v.UserContext())
	if err != nil {
		return err
	}
	for _, i := range invitations {
		p.Invitations = append(p.Invitations, pages.InvitationRow{Invitation: i, Until: page.When(&i.ExpiresAt, time.UTC),
			RoleWords: invite.RoleWords(i.Role, i.Everywhere, i.Roles, events)})
	}
	return visit.Show(v, http.StatusOK, "Staff", pages.Staff, p)
}

func staffRow(v *visit.Visit, u *staff.User, events []*models.Event) pages.Row {
	return pages.Row{User: u, RoleWords: invite.RoleWords(u.Role, u.Everywhere, u.Roles, events), You: u.ID == v.User.ID}
}

// member reads the member of staff of the path.
func member(v *visit.Visit) (*staff.User, error) {
	members, err := v.Team().Members(v.UserContext())
	return visit.OneOf(members, err, v.Params("user"), func(u *staff.User) string { return u.ID },
		"There is no such member of staff.")
}

// onlyAtEvents is the form's choice of no role at all events.
const onlyAtEvents = "events"

// grants returns the roles of a member as the form shows them.
func grants(v *visit.Visit,
	role staff.Role, everywhere bool, roles map[string]staff.Role,
) (pages.Grants, error) {
	g := pages.Grants{Role: string(role), Faults: v.Faults}
	if !everywhere && role != staff.Owner {
		g.Role = onlyAtEvents
	}
	events, err := v.Store.EventsFor(v.UserContext(), v.User) // all events, since the user is an owner
	for _, e := range events {
		g.Events = append(g.Events, pages.EventGrant{ID: e.ID, Name: e.Name, Role: string(roles[e.ID])})
	}
	return g, err
}

// granted reads the roles from the form.
func granted(v *visit.Visit) (role staff.Role, everywhere bool, roles map[string]staff.Role, err error) {
	role = staff.Role(v.Value("role"))
	if role != onlyAtEvents {
		return role, true, map[string]staff.Role{}, nil
	}
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	roles = map[string]staff.Role{}
	for _, e := range events {
		roles[e.ID] = staff.Role(v.Value("at-" + e.ID))
	}
	return staff.Viewer, false, roles, err // Viewer does not count, since everywhere is false
}
