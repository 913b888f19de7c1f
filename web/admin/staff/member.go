package staff

import (
	"net/http"
	"slices"

	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func showMember(v *visit.Visit, u *staff.User) error { return memberPage(v, http.StatusOK, u) }

// memberPage shows a member: as they are or, after a refusal, as the form had them.
func memberPage(v *visit.Visit, status int, u *staff.User) (err error) {
	p := pages.MemberPage{Member: staffRow(v, u, nil), Mailed: v.Options.Mail != nil, UpdatedAt: v.Value("updated_at")}
	if p.Grants, err = grants(v, u.Role, u.Everywhere, u.Roles); err != nil {
		return err
	}
	p.Was = p.Grants
	if status == http.StatusOK {
		p.UpdatedAt = u.UpdatedAt.String()
		return visit.Show(v, status, u.Name, pages.Member, p)
	}
	p.Was.Role, p.Was.Events = v.FirstValue("role"), slices.Clone(p.Was.Events)
	for i, e := range p.Was.Events {
		p.Was.Events[i].Role = v.FirstValue("at-" + e.ID)
	}
	return visit.Show(v, status, u.Name, pages.Member, p)
}

func changeMember(v *visit.Visit, u *staff.User) error {
	role, everywhere, roles, err := granted(v)
	if err != nil {
		return err
	}
	token, _ := store.ParseTime(v.Value("updated_at")) // a missing token counts as stale
	err = v.Team().Change(v.UserContext(), u.ID, staff.Change{Role: &role, Everywhere: &everywhere,
		Roles: roles, UpdatedAt: &token})
	switch {
	case store.KindOf(err) == store.Stale:
		return memberConflict(v, u)
	case err == nil && u.ID == v.User.ID && role != staff.Owner:
		return v.See("/admin/account", "You are no owner any more.")
	case err == nil:
		return v.See("/admin/staff", "What "+u.Name+" may do is changed, from their next page on.")
	}
	u.Role, u.Everywhere, u.Roles = role, everywhere, roles
	return v.Again(err, func(status int) error { return memberPage(v, status, u) })
}

// memberConflict asks which of two changes of a member's roles shall stay.
func memberConflict(v *visit.Visit, now *staff.User) error {
	theirs, err := grants(v, now.Role, now.Everywhere, now.Roles)
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
	c, err := v.Conflict(now.ID, now.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Action, c.Discard = "/admin/staff/"+now.ID, "/admin/staff/"+now.ID
	return visit.Show(v, http.StatusConflict, now.Name, layouts.Clashing, layouts.ClashPage{Conflict: *c})
}

func makeResetLink(v *visit.Visit) error {
	token, u, err := v.Team().ResetFor(v.UserContext(), v.Params("user"))
	if err != nil {
		return v.DoneOrRefused(err, "/admin/staff/"+v.Params("user"), "")
	}
	return handOver(v, handover{
		to: u.Email, link: resetLink(v, token), back: "/admin/staff/" + u.ID,
		subject: resetSubject, letter: resetLetter(resetLink(v, token)),
		sent:  "A reset link is on its way to " + u.Email + ".",
		title: "The reset link is ready", text: "Give this link to " + u.Name + ". It is good for an hour and works once.",
	})
}

func removeForm(v *visit.Visit, u *staff.User) error { return removePage(v, http.StatusOK, u) }

func removePage(v *visit.Visit, status int, u *staff.User) error {
	p := layouts.ConfirmPage{
		Text: u.Name + " (" + u.Email + ") is signed out everywhere and cannot sign in any more.",
		Points: []string{
			"Roles, second factor and recovery codes are deleted.", "Their name stays in the activity.",
			"An invitation to the same address brings them back.",
		},
		Action: "/admin/staff/" + u.ID + "/remove", Verb: "Remove " + u.Name, Cancel: "/admin/staff/" + u.ID,
		Stay: "Keep them",
	}
	title := "Remove " + u.Name + "?"
	if u.ID == v.User.ID {
		title, p.Text = "Remove yourself?", "You are signed out and cannot come back by yourself."
	}
	if u.Role == staff.Owner {
		p.Points = slices.Insert(p.Points, 1, "Invitations that they sent and nobody accepted yet are withdrawn.")
	}
	return visit.Show(v, status, title, layouts.Confirm, p)
}

func remove(v *visit.Visit, u *staff.User) error {
	err := v.Team().Remove(v.UserContext(), u.ID)
	switch {
	case err == nil && u.ID == v.User.ID:
		v.Leave()
		return v.See("/sign-in", "You are removed and signed out.")
	case err == nil:
		return v.See("/admin/staff", u.Name+" is removed and signed out everywhere.")
	}
	return v.Again(err, func(status int) error { return removePage(v, status, u) })
}

func setSidebar(v *visit.Visit) error {
	if kept := v.Value("sidebar"); kept == "wide" || kept == "narrow" {
		v.SetCookie(visit.SidebarCookie, kept, visit.AYear)
	}
	return v.See(safeNext(v.Value("back")), "")
}
