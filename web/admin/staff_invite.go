package admin

import (
	"context"
	"net/http"

	"lectern/models"
	"lectern/models/staff"
	"lectern/views/pages"
)

// reviewerAt is an invitation to review the submissions of one event.
func reviewerAt(eventID string) staff.Invitation {
	return staff.Invitation{Role: staff.Viewer,
		Roles: map[string]staff.Role{eventID: staff.Reviewer}} // Viewer holds nowhere
}

// inviteForm begins with a reviewer of the event that it comes from, or else with an organizer.
func inviteForm(v *visit) error {
	if at := v.Query("reviewers"); at != "" {
		return v.invitePage(http.StatusOK, "", reviewerAt(at))
	}
	return v.invitePage(http.StatusOK, "", staff.Invitation{Role: staff.Organizer, Everywhere: true})
}

func (v *visit) invitePage(status int, typed string, in staff.Invitation) (err error) {
	p := pages.InvitePage{Emails: typed, Mailed: v.options.Mail != nil}
	if p.Grants, err = v.grants(in.Role, in.Everywhere, in.Roles); err != nil {
		return err
	}
	return show(v, status, "Invite people", pages.Invite, p)
}

func invite(v *visit) (err error) {
	typed, in := v.FormValue("email"), staff.Invitation{}
	if in.Role, in.Everywhere, in.Roles, err = v.granted(); err != nil {
		return err
	}
	if all := addressees(typed); len(all) > 1 {
		grants, gone := v.grants(in.Role, in.Everywhere, in.Roles)
		if gone != nil {
			return gone
		}
		err = v.inviteAll(all, inviting{as: in, action: staffPath + "/invite", field: "email", back: staffPath,
			hidden: grants.Fields()})
	} else {
		err = v.inviteOne(append(all, addressee{})[0], in)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return v.invitePage(status, typed, in) })
	}
	return nil
}

// inviteOne makes one invitation, and mails its link or shows it.
func (v *visit) inviteOne(who addressee, in staff.Invitation) (err error) {
	in.Email = who.email
	var token string
	err = v.Once(func(ctx context.Context) (_ string, err error) {
		token, err = v.team().Invite(ctx, in)
		return staffPath, err
	})
	if err != nil {
		return err
	}
	i, err := v.store.Staff.InvitationBy(v.UserContext(), token)
	if err != nil {
		return err
	}
	link := v.options.BaseURL + models.InvitationPath + token
	return v.handOver(handover{
		to: in.Email, link: link, back: staffPath, log: v.staffMails(),
		subject: "Join the programme of " + i.OrganizationName, letter: invitationLetter(i, who.name, link),
		sent:  "An invitation is on its way to " + in.Email + ".",
		title: "The invitation is ready",
		text:  "Give this link to " + in.Email + ". It is good for seven days and works once.",
	})
}

func withdraw(v *visit) error {
	err := v.team().Withdraw(v.UserContext(), v.Params("invitation"))
	return v.Done(err, staffPath, "The invitation is withdrawn. Its link no longer works.")
}
