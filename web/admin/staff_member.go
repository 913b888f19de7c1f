package admin

import (
	"net/http"
	"slices"

	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

func showMember(v *visit, u *staff.User) error { return v.memberPage(http.StatusOK, u) }

// memberPage shows a member: as they are, or as a form that was refused has them.
func (v *visit) memberPage(status int, u *staff.User) (err error) {
	p := pages.MemberPage{Member: v.staffRow(u, nil), Mailed: v.options.Mail != nil, UpdatedAt: v.Value("updated_at")}
	if p.Grants, err = v.grants(u.Role, u.Everywhere, u.Roles); err != nil {
		return err
	}
	p.Was = p.Grants
	if status == http.StatusOK {
		p.UpdatedAt = u.UpdatedAt.String()
		return show(v, status, u.Name, pages.Member, p)
	}
	p.Was.Role, p.Was.Events = v.FirstValue("role"), slices.Clone(p.Was.Events)
	for i, e := range p.Was.Events {
		p.Was.Events[i].Role = v.FirstValue("at-" + e.ID)
	}
	return show(v, status, u.Name, pages.Member, p)
}

func changeMember(v *visit, u *staff.User) error {
	role, everywhere, roles, err := v.granted()
	if err != nil {
		return err
	}
	token, _ := store.ParseTime(v.Value("updated_at")) // none is as good as an old one
	err = v.team().Change(v.UserContext(), u.ID, staff.Change{Role: &role, Everywhere: &everywhere,
		Roles: roles, UpdatedAt: &token})
	switch {
	case store.KindOf(err) == store.Stale:
		return v.memberConflict(u)
	case err == nil && u.ID == v.user.ID && role != staff.Owner:
		return v.See("/admin/account", "You are no owner any more.")
	case err == nil:
		return v.See("/admin/staff", "What "+u.Name+" may do is changed, from their next page on.")
	}
	u.Role, u.Everywhere, u.Roles = role, everywhere, roles
	return v.Again(err, func(status int) error { return v.memberPage(status, u) })
}

// memberConflict asks which of two changes of a member's roles is to stay.
func (v *visit) memberConflict(now *staff.User) error {
	theirs, err := v.grants(now.Role, now.Everywhere, now.Roles)
	if err != nil {
		return err
	}
	field := func(name, label, theirs string, show func(string) string) page.Edited {
		return page.Edited{Name: name, Label: label, Was: v.FirstValue(name), Mine: v.Value(name), Theirs: theirs, Show: show}
	}
	fields := []page.Edited{field("role", "Role", theirs.Role, pages.GrantName)}
	for _, e := range theirs.Events {
		fields = append(fields, field("at-"+e.ID, "Role at "+e.Name, e.Role, components.StatusName))
	}
	c, err := v.conflict(now.ID, now.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Action, c.Discard = "/admin/staff/"+now.ID, "/admin/staff/"+now.ID
	return show(v, http.StatusConflict, now.Name, pages.Clashing, pages.ClashPage{Conflict: *c})
}

func makeResetLink(v *visit) error {
	token, u, err := v.team().ResetFor(v.UserContext(), v.Params("user"))
	if err != nil {
		return err
	}
	return v.handOver(handover{
		to: u.Email, link: v.resetLink(token), back: "/admin/staff/" + u.ID,
		subject: resetSubject, letter: resetLetter(v.resetLink(token)),
		sent:  "A reset link is on its way to " + u.Email + ".",
		title: "The reset link is ready", text: "Give this link to " + u.Name + ". It is good for an hour and works once.",
	})
}

func removeForm(v *visit, u *staff.User) error { return v.removePage(http.StatusOK, u) }

func (v *visit) removePage(status int, u *staff.User) error {
	p := pages.ConfirmPage{
		Text: u.Name + " (" + u.Email + ") is signed out everywhere and cannot sign in any more.",
		Points: []string{
			"Roles, second factor and recovery codes are deleted.", "Their name stays in the activity.",
			"An invitation to the same address brings them back.",
		},
		Action: "/admin/staff/" + u.ID + "/remove", Verb: "Remove " + u.Name, Cancel: "/admin/staff/" + u.ID,
		Stay: "Keep them",
	}
	title := "Remove " + u.Name + "?"
	if u.ID == v.user.ID {
		title, p.Text = "Remove yourself?", "You are signed out and cannot come back by yourself."
	}
	if u.Role == staff.Owner {
		p.Points = slices.Insert(p.Points, 1, "Invitations that they sent and nobody accepted yet are withdrawn.")
	}
	return show(v, status, title, pages.Confirm, p)
}

func remove(v *visit, u *staff.User) error {
	err := v.team().Remove(v.UserContext(), u.ID)
	switch {
	case err == nil && u.ID == v.user.ID:
		v.leave()
		return v.See("/sign-in", "You are removed and signed out.")
	case err == nil:
		return v.See("/admin/staff", u.Name+" is removed and signed out everywhere.")
	}
	return v.Again(err, func(status int) error { return v.removePage(status, u) })
}
