package admin

import (
	"context"
	"net/http"

	"lectern/models/staff"
	"lectern/views/pages"
)

func inviteForm(v *visit) error {
	return v.invitePage(http.StatusOK, staff.Invitation{Role: staff.Organizer, Everywhere: true})
}

func (v *visit) invitePage(status int, in staff.Invitation) (err error) {
	p := pages.InvitePage{Email: in.Email, Mailed: v.w.options.Mail != nil}
	if p.Grants, err = v.grants(in.Role, in.Everywhere, in.Roles); err != nil {
		return err
	}
	return show(v, status, "Invite someone", pages.Invite, p)
}

func invite(v *visit) (err error) {
	in := staff.Invitation{Email: v.Value("email")}
	if in.Role, in.Everywhere, in.Roles, err = v.granted(); err != nil {
		return err
	}
	var token string
	err = v.Once(func(ctx context.Context) (_ string, err error) {
		token, err = v.team().Invite(ctx, in)
		return "/admin/staff", err
	})
	if err != nil {
		return v.Again(err, func(status int) error { return v.invitePage(status, in) })
	}
	i, err := v.w.store.Staff.InvitationBy(v.ctx(), token)
	if err != nil {
		return err
	}
	link := v.w.options.BaseURL + "/invitations/" + token
	return v.handOver(handover{
		to: in.Email, link: link, back: "/admin/staff", log: v.staffMails(),
		subject: "Join the programme of " + i.OrganizationName, letter: invitationLetter(i, link),
		sent:  "An invitation is on its way to " + in.Email + ".",
		title: "The invitation is ready",
		text:  "Give this link to " + in.Email + ". It is good for seven days and works once.",
	})
}

func withdraw(v *visit) error {
	err := v.team().Withdraw(v.ctx(), v.Params("invitation"))
	return v.Done(err, staffPath, "The invitation is withdrawn. Its link no longer works.")
}
