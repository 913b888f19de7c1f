package staff

import (
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	invitepages "lectern/views/pages/invite"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/invite"
	"lectern/web/admin/visit"
	"lectern/web/request"
)

// invitation reads the invitation of the path.
func invitation(v *visit.Visit) (*staff.Invitation, error) {
	return v.Store.Staff.InvitationBy(v.UserContext(), v.Params("token"))
}

func joinForm(v *visit.Visit, i *staff.Invitation) error { return joinPage(v, http.StatusOK, i, "") }

func joinPage(v *visit.Visit, status int, i *staff.Invitation, name string) error {
	p := pages.JoinPage{
		Page: v.Page("Join " + i.OrganizationName), Action: "/invitations/" + v.Params("token"),
		By: i.InvitedBy, House: i.OrganizationName, Email: i.Email, Name: name,
	}
	var err error
	if p.RoleWords, err = invitedTo(v, i); err != nil {
		return err
	}
	providers, passwords, err := v.Store.Staff.SignInChoices(v.UserContext())
	if err != nil {
		return err
	}
	p.Ways, p.NoPassword, p.Invitation = ways(providers), !passwords, v.Params("token")
	if v.User != nil {
		p.SignedIn = v.User.Name
	}
	return v.Render(status, pages.Join(p))
}

// invitedTo says what an invitation lets somebody do.
func invitedTo(v *visit.Visit, i *staff.Invitation) ([]string, error) {
	var events []*models.Event
	for _, id := range slices.Sorted(maps.Keys(i.Roles)) {
		e, err := v.Store.EventBy(v.UserContext(), id)
		if store.KindOf(err) == store.NotFound {
			continue // the event was deleted since
		}
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	slices.SortStableFunc(events, func(a, b *models.Event) int { return strings.Compare(a.Name, b.Name) })
	return invite.RoleWords(i.Role, i.Everywhere, i.Roles, events), nil
}

func join(v *visit.Visit, i *staff.Invitation) error {
	name, password := v.Value("name"), v.FormValue("password")
	u, err := v.Store.Staff.AcceptInvitation(v.UserContext(), v.Params("token"), name, password)
	if err != nil {
		return v.Again(err, func(status int) error { return joinPage(v, status, i, name) })
	}
	if err := signOutHere(v); err != nil {
		return err
	}
	err = enter(v, staff.SignIn{Email: u.Email, Password: password}, "/admin")
	if store.KindOf(err) == store.TooMany { // others tried the address before
		return v.See("/sign-in", "You are in. Sign in with your new password.")
	}
	return err
}

// signOutHere ends the login of this browser and forgets it.
func signOutHere(v *visit.Visit) error {
	err := endThisLogin(v)
	if err == nil {
		v.Leave()
	}
	return err
}

func resetPage(v *visit.Visit, p pages.ResetPage) error {
	p.Page, p.Mailed = v.Page("Forgotten password"), v.Options.Mail != nil
	return v.Show(pages.Reset(p))
}

func resetForm(v *visit.Visit) error { return resetPage(v, pages.ResetPage{}) }

// askForReset gives the same answer, equally fast, whether the address is known or not: the mail is sent afterwards.
func askForReset(v *visit.Visit) error {
	if v.Options.Mail == nil {
		return resetPage(v, pages.ResetPage{})
	}
	token, u, err := v.Store.Staff.RequestReset(v.UserContext(), v.Value("email"), v.Address())
	if err != nil {
		return err
	}
	if u != nil {
		id := request.ID(v.Context())
		v.Options.Mail.SendLater(u.Email, resetSubject, resetLetter(resetLink(v, token)), func(err error) {
			if err != nil {
				slog.Error("a reset link was not sent", "request_id", id, "error", err.Error())
			}
		})
	}
	return resetPage(v, pages.ResetPage{Asked: true})
}

// forgetful reads the user that a reset link is for.
func forgetful(v *visit.Visit) (*staff.User, error) {
	return v.Store.Staff.ResetBy(v.UserContext(), v.Params("token"))
}

func newPasswordForm(v *visit.Visit, u *staff.User) error {
	return newPasswordPage(v, http.StatusOK, u)
}

func newPasswordPage(v *visit.Visit, status int, u *staff.User) error {
	return v.Render(status, pages.NewPassword(pages.ResetPage{
		Page: v.Page("Choose a new password"), Action: "/reset/" + v.Params("token"), Email: u.Email,
	}))
}

func newPassword(v *visit.Visit, u *staff.User) error {
	if err := v.Store.Staff.ResetPassword(v.UserContext(), v.Params("token"), v.FormValue("password")); err != nil {
		return v.Again(err, func(status int) error { return newPasswordPage(v, status, u) })
	}
	return v.Done(signOutHere(v), "/sign-in", "Your password is changed. Sign in with it.")
}

// handover is a one-time link to give to somebody.
type handover struct {
	to, link, back  string
	subject, letter string
	log             *models.Mails // nil for a link that signs somebody in
	sent            string        // the notice after it was mailed
	title, text     string        // of the page that shows it where it was not mailed
}

// handOver mails a link, or shows it once, in the answer to the form.
func handOver(v *visit.Visit, h handover) error {
	p := invitepages.LinkPage{Text: h.text, Link: h.link, Back: h.back}
	if v.Options.Mail != nil && v.Value("copy") == "" {
		err := v.MailLink(h.log, models.Note{Email: h.to, Subject: h.subject, Text: h.letter}, h.link)
		if err == nil {
			return v.See(h.back, h.sent)
		}
		slog.Error("a link was not sent", "request_id", request.ID(v.Context()), "error", err.Error())
		p.NotMailed = true
	}
	return visit.Show(v, http.StatusOK, h.title, invitepages.Link, p)
}

const resetSubject = "Choose a new password"

func resetLetter(link string) string {
	return "Hello,\n\nsomebody, probably you, asked for a new password for your sign-in to Lectern.\n\n" +
		"Open this link to choose one:\n\n" + link + "\n\n" +
		"It is good for an hour and works once. If it was not you, you need not do anything: your password stays as it is.\n"
}

func resetLink(v *visit.Visit, token string) string { return v.Options.BaseURL + "/reset/" + token }
