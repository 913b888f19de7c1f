package admin

import (
	"context"
	"net/http"
	"slices"
	"time"

	"lectern/models"
	"lectern/views/pages"
)

func (w *Web) staffRoutes() []route {
	const staff = "/admin/staff"
	return append([]route{
		{"GET", staff, owner, listStaff},
		{"GET", staff + "/invite", owner, inviteForm},
		{"POST", staff + "/invite", owner, invite},
		{"POST", staff + "/invitations/:invitation/withdraw", owner, withdraw},
		{"GET", staff + "/:user", owner, showMember},
		{"POST", staff + "/:user", owner, changeMember},
		{"POST", staff + "/:user/reset-link", owner, makeResetLink},
		{"GET", staff + "/:user/remove", owner, removeForm},
		{"POST", staff + "/:user/remove", owner, remove},
	}, w.invitationRoutes()...)
}

var roleNames = map[models.StaffRole]string{models.Owner: "Owner", models.Organizer: "Organizer", models.Reviewer: "Reviewer", models.Viewer: "Viewer"}

// roleWords say what somebody may do where; events are those that may be named.
func roleWords(role models.StaffRole, everywhere bool, roles map[string]models.StaffRole, events []*models.Event) []string {
	switch {
	case role == models.Owner:
		return []string{"Owner"}
	case everywhere:
		return []string{roleNames[role] + " at every event"}
	}
	var words []string
	for _, e := range events {
		if role := roles[e.ID]; role != "" {
			words = append(words, roleNames[role]+" at "+e.Name)
		}
	}
	return words
}

func (v *visit) team() *models.Team { return v.w.store.Staff.Team(v.tenant()) }

func listStaff(v *visit) error {
	shell, err := v.shell("Staff")
	if err != nil {
		return err
	}
	p := pages.StaffPage{Shell: shell}
	events, err := v.w.store.EventsFor(v.ctx(), v.user)
	if err != nil {
		return err
	}
	members, err := v.team().Members(v.ctx())
	if err != nil {
		return err
	}
	for _, u := range members {
		p.Members = append(p.Members, v.staffRow(u, events))
	}
	invitations, err := v.team().Invitations(v.ctx())
	if err != nil {
		return err
	}
	for _, i := range invitations {
		p.Invitations = append(p.Invitations, pages.InvitationRow{
			Invitation: i, RoleWords: roleWords(i.Role, i.Everywhere, i.Roles, events), Until: when(&i.ExpiresAt, time.UTC),
		})
	}
	return v.show(pages.Staff(p))
}

func (v *visit) staffRow(u *models.User, events []*models.Event) pages.StaffRow {
	return pages.StaffRow{User: u, RoleWords: roleWords(u.Role, u.Everywhere, u.Roles, events), You: u.ID == v.user.ID}
}

// member is the member of staff of the address.
func (v *visit) member() (*models.User, error) {
	members, err := v.team().Members(v.ctx())
	if err != nil {
		return nil, err
	}
	for _, u := range members {
		if u.ID == v.Params("user") {
			return u, nil
		}
	}
	return nil, &models.Error{Kind: models.NotFound, Message: "There is no such member of staff."}
}

// onlyAtEvents stands among the roles of a form for none that holds everywhere.
const onlyAtEvents = "events"

// grants are the choice of a role as it is.
func (v *visit) grants(role models.StaffRole, everywhere bool, roles map[string]models.StaffRole) (pages.Grants, error) {
	g := pages.Grants{Role: string(role), Faults: v.faults}
	if !everywhere && role != models.Owner {
		g.Role = onlyAtEvents
	}
	events, err := v.w.store.EventsFor(v.ctx(), v.user) // all, for an owner
	for _, e := range events {
		g.Events = append(g.Events, pages.EventGrant{ID: e.ID, Name: e.Name, Role: string(roles[e.ID])})
	}
	return g, err
}

// granted is the choice of a role as the form has it.
func (v *visit) granted() (role models.StaffRole, everywhere bool, roles map[string]models.StaffRole, err error) {
	role = models.StaffRole(v.value("role"))
	if role != onlyAtEvents {
		return role, true, map[string]models.StaffRole{}, nil
	}
	events, err := v.w.store.EventsFor(v.ctx(), v.user)
	roles = map[string]models.StaffRole{}
	for _, e := range events {
		roles[e.ID] = models.StaffRole(v.value("at-" + e.ID))
	}
	return models.Viewer, false, roles, err // Viewer holds nowhere
}

func inviteForm(v *visit) error {
	return v.invitePage(http.StatusOK, models.Invitation{Role: models.Organizer, Everywhere: true})
}

func (v *visit) invitePage(status int, in models.Invitation) error {
	shell, err := v.shell("Invite someone")
	if err != nil {
		return err
	}
	p := pages.InvitePage{Shell: shell, Email: in.Email, Mailed: v.w.options.Mail != nil}
	if p.Grants, err = v.grants(in.Role, in.Everywhere, in.Roles); err != nil {
		return err
	}
	return v.render(status, pages.Invite(p))
}

func invite(v *visit) (err error) {
	in := models.Invitation{Email: v.value("email")}
	if in.Role, in.Everywhere, in.Roles, err = v.granted(); err != nil {
		return err
	}
	var token string
	err = v.once(func(ctx context.Context) (_ string, err error) {
		token, err = v.team().Invite(ctx, in)
		return "/admin/staff", err
	})
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.invitePage(http.StatusUnprocessableEntity, in)
	}
	i, err := v.w.store.Staff.InvitationBy(v.ctx(), token)
	if err != nil {
		return err
	}
	link := v.w.options.BaseURL + "/invitations/" + token
	return v.handOver(handover{
		to: in.Email, link: link, back: "/admin/staff",
		subject: "Join the programme of " + i.OrganizationName, letter: invitationLetter(i, link),
		sent:  "An invitation is on its way to " + in.Email + ".",
		title: "The invitation is ready", text: "Give this link to " + in.Email + ". It is good for seven days and works once.",
	})
}

func withdraw(v *visit) error {
	if err := v.team().Withdraw(v.ctx(), v.Params("invitation")); err != nil {
		return err
	}
	return v.see("/admin/staff", "The invitation is withdrawn. Its link no longer works.")
}

func showMember(v *visit) error {
	u, err := v.member()
	if err != nil {
		return err
	}
	return v.memberPage(http.StatusOK, u)
}

// memberPage shows a member: as they are, or as a form that was refused has them.
func (v *visit) memberPage(status int, u *models.User) error {
	shell, err := v.shell(u.Name)
	if err != nil {
		return err
	}
	p := pages.MemberPage{Shell: shell, Member: v.staffRow(u, nil), Mailed: v.w.options.Mail != nil, UpdatedAt: v.value("updated_at")}
	if p.Grants, err = v.grants(u.Role, u.Everywhere, u.Roles); err != nil {
		return err
	}
	p.Was = p.Grants
	if status == http.StatusOK {
		p.UpdatedAt = u.UpdatedAt.String()
		return v.render(status, pages.Member(p))
	}
	p.Was.Role, p.Was.Events = v.value("was_role"), slices.Clone(p.Was.Events)
	for i, e := range p.Was.Events {
		p.Was.Events[i].Role = v.value("was_at-" + e.ID)
	}
	return v.render(status, pages.Member(p))
}

func changeMember(v *visit) error {
	u, err := v.member()
	if err != nil {
		return err
	}
	role, everywhere, roles, err := v.granted()
	if err != nil {
		return err
	}
	token, _ := models.ParseTime(v.value("updated_at")) // none is as good as an old one
	err = v.team().Change(v.ctx(), u.ID, models.StaffChange{Role: &role, Everywhere: &everywhere, Roles: roles, UpdatedAt: &token})
	switch {
	case models.KindOf(err) == models.Stale:
		return v.memberConflict(u)
	case err == nil && u.ID == v.user.ID && role != models.Owner:
		return v.see("/admin/account", "You are no owner any more.")
	case err == nil:
		return v.see("/admin/staff", "What "+u.Name+" may do is changed, from their next page on.")
	}
	if err := v.refuse(err); err != nil {
		return err
	}
	u.Role, u.Everywhere, u.Roles = role, everywhere, roles
	return v.memberPage(http.StatusUnprocessableEntity, u)
}

// memberConflict asks which of two changes of a member's roles is to stay.
func (v *visit) memberConflict(now *models.User) error {
	theirs, err := v.grants(now.Role, now.Everywhere, now.Roles)
	if err != nil {
		return err
	}
	field := func(name, label, theirs string, show func(string) string) edited {
		return edited{name: name, label: label, was: v.value("was_" + name), mine: v.value(name), theirs: theirs, show: show}
	}
	fields := []edited{field("role", "Role", theirs.Role, pages.GrantName)}
	for _, e := range theirs.Events {
		fields = append(fields, field("at-"+e.ID, "Role at "+e.Name, e.Role, func(role string) string { return roleNames[models.StaffRole(role)] }))
	}
	c, err := v.conflict(now.ID, now.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Action, c.Discard = "/admin/staff/"+now.ID, "/admin/staff/"+now.ID
	shell, err := v.shell(now.Name)
	if err != nil {
		return err
	}
	return v.render(http.StatusConflict, pages.Clashing(pages.ClashPage{Shell: shell, Conflict: *c}))
}

func makeResetLink(v *visit) error {
	token, u, err := v.team().ResetFor(v.ctx(), v.Params("user"))
	if err != nil {
		return err
	}
	return v.handOver(handover{
		to: u.Email, link: v.w.resetLink(token), back: "/admin/staff/" + u.ID,
		subject: resetSubject, letter: resetLetter(v.w.resetLink(token)),
		sent:  "A reset link is on its way to " + u.Email + ".",
		title: "The reset link is ready", text: "Give this link to " + u.Name + ". It is good for an hour and works once.",
	})
}

func removeForm(v *visit) error {
	u, err := v.member()
	if err != nil {
		return err
	}
	return v.removePage(http.StatusOK, u)
}

func (v *visit) removePage(status int, u *models.User) error {
	title := "Remove " + u.Name + "?"
	if u.ID == v.user.ID {
		title = "Remove yourself?"
	}
	shell, err := v.shell(title)
	if err != nil {
		return err
	}
	return v.render(status, pages.Remove(pages.RemovePage{Shell: shell, Member: v.staffRow(u, nil)}))
}

func remove(v *visit) error {
	u, err := v.member()
	if err != nil {
		return err
	}
	err = v.team().Remove(v.ctx(), u.ID)
	switch {
	case err == nil && u.ID == v.user.ID:
		v.leave()
		return v.see("/sign-in", "You are removed and signed out.")
	case err == nil:
		return v.see("/admin/staff", u.Name+" is removed and signed out everywhere.")
	}
	if err := v.refuse(err); err != nil {
		return err
	}
	return v.removePage(http.StatusUnprocessableEntity, u)
}
