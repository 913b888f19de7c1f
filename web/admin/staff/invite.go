package staff

import (
	"context"
	"net/http"

	"lectern/models"
	"lectern/models/staff"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/invite"
	"lectern/web/admin/visit"
)

// inviteForm shows the form with a reviewer of the event that the address names chosen, else with an organizer.
func inviteForm(v *visit.Visit) error {
	if at := v.Query("reviewers"); at != "" {
		return invitePage(v, http.StatusOK, "", invite.ReviewerAt(at))
	}
	return invitePage(v, http.StatusOK, "", staff.Invitation{Role: staff.Organizer, Everywhere: true})
}

func invitePage(v *visit.Visit, status int, typed string, in staff.Invitation) (err error) {
	p := pages.InvitePage{Emails: typed, Mailed: v.Options.Mail != nil}
	if p.Grants, err = grants(v, in.Role, in.Everywhere, in.Roles); err != nil {
		return err
	}
	return visit.Show(v, status, "Invite people", pages.Invite, p)
}

func inviteThem(v *visit.Visit) (err error) {
	typed, in := v.FormValue("email"), staff.Invitation{}
	if in.Role, in.Everywhere, in.Roles, err = granted(v); err != nil {
		return err
	}
	if all := invite.Addressees(typed); len(all) > 1 {
		grants, gone := grants(v, in.Role, in.Everywhere, in.Roles)
		if gone != nil {
			return gone
		}
		err = invite.All(v, all, invite.Many{As: in, Action: visit.StaffPath + "/invite", Field: "email", Back: visit.StaffPath,
			Hidden: grants.Fields()})
	} else {
		err = inviteOne(v, append(all, invite.Addressee{})[0], in)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return invitePage(v, status, typed, in) })
	}
	return nil
}

// inviteOne makes one invitation, and mails its link or shows it.
func inviteOne(v *visit.Visit, who invite.Addressee, in staff.Invitation) (err error) {
	in.Email = who.Email
	var token string
	err = v.Once(func(ctx context.Context) (_ string, err error) {
		token, err = v.Team().Invite(ctx, in)
		return visit.StaffPath, err
	})
	if err != nil {
		return err
	}
	i, err := v.Store.Staff.InvitationBy(v.UserContext(), token)
	if err != nil {
		return err
	}
	link := v.Options.BaseURL + models.InvitationPath + token
	return handOver(v, handover{
		to: in.Email, link: link, back: visit.StaffPath, log: v.StaffMails(),
		subject: "Join the programme of " + i.OrganizationName, letter: invite.Letter(i, who.Name, link),
		sent:  "An invitation is on its way to " + in.Email + ".",
		title: "The invitation is ready",
		text:  "Give this link to " + in.Email + ". It is good for seven days and works once.",
	})
}

func withdraw(v *visit.Visit) error {
	err := v.Team().Withdraw(v.UserContext(), v.Params("invitation"))
	return v.Done(err, visit.StaffPath, "The invitation is withdrawn. Its link no longer works.")
}
