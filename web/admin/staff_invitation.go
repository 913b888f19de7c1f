package admin

import (
	"cmp"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/request"
)

// invitation is the invitation of the address.
func invitation(v *visit) (*staff.Invitation, error) {
	return v.store.Staff.InvitationBy(v.UserContext(), v.Params("token"))
}

func joinForm(v *visit, i *staff.Invitation) error { return v.joinPage(http.StatusOK, i, "") }

func (v *visit) joinPage(status int, i *staff.Invitation, name string) error {
	p := pages.JoinPage{
		Page: v.Page("Join " + i.OrganizationName), Action: "/invitations/" + v.Params("token"),
		By: i.InvitedBy, House: i.OrganizationName, Email: i.Email, Name: name,
	}
	var err error
	if p.RoleWords, err = v.invitedTo(i); err != nil {
		return err
	}
	if v.user != nil {
		p.SignedIn = v.user.Name
	}
	return v.Render(status, pages.Join(p))
}

// invitedTo says what an invitation lets somebody do.
func (v *visit) invitedTo(i *staff.Invitation) ([]string, error) {
	var events []*models.Event
	for _, id := range slices.Sorted(maps.Keys(i.Roles)) {
		e, err := v.store.EventBy(v.UserContext(), id)
		if store.KindOf(err) == store.NotFound {
			continue // it was deleted since
		}
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	slices.SortStableFunc(events, func(a, b *models.Event) int { return strings.Compare(a.Name, b.Name) })
	return roleWords(i.Role, i.Everywhere, i.Roles, events), nil
}

func join(v *visit, i *staff.Invitation) error {
	name, password := v.Value("name"), v.FormValue("password")
	u, err := v.store.Staff.AcceptInvitation(v.UserContext(), v.Params("token"), name, password)
	if err != nil {
		return v.Again(err, func(status int) error { return v.joinPage(status, i, name) })
	}
	if err := v.signOutHere(); err != nil {
		return err
	}
	err = v.enter(staff.SignIn{Email: u.Email, Password: password}, "/admin")
	if store.KindOf(err) == store.TooMany { // others tried the address before
		return v.See("/sign-in", "You are in. Sign in with your new password.")
	}
	return err
}

// signOutHere ends the login of this browser and forgets it.
func (v *visit) signOutHere() error {
	err := v.endThisLogin()
	if err == nil {
		v.leave()
	}
	return err
}

func (v *visit) resetPage(p pages.ResetPage) error {
	p.Page, p.Mailed = v.Page("Forgotten password"), v.options.Mail != nil
	return v.Show(pages.Reset(p))
}

func resetForm(v *visit) error { return v.resetPage(pages.ResetPage{}) }

// askForReset answers the same whoever has the address, and as fast: the letter is sent afterwards.
func askForReset(v *visit) error {
	if v.options.Mail == nil {
		return v.resetPage(pages.ResetPage{})
	}
	token, u, err := v.store.Staff.RequestReset(v.UserContext(), v.Value("email"), v.Address())
	if err != nil {
		return err
	}
	if u != nil {
		id := request.ID(v.Context())
		v.options.Mail.SendLater(u.Email, resetSubject, resetLetter(v.resetLink(token)), func(err error) {
			if err != nil {
				slog.Error("a reset link was not sent", "request_id", id, "error", err.Error())
			}
		})
	}
	return v.resetPage(pages.ResetPage{Asked: true})
}

// forgetful is who a reset link is for.
func forgetful(v *visit) (*staff.User, error) {
	return v.store.Staff.ResetBy(v.UserContext(), v.Params("token"))
}

func newPasswordForm(v *visit, u *staff.User) error { return v.newPasswordPage(http.StatusOK, u) }

func (v *visit) newPasswordPage(status int, u *staff.User) error {
	return v.Render(status, pages.NewPassword(pages.ResetPage{
		Page: v.Page("Choose a new password"), Action: "/reset/" + v.Params("token"), Email: u.Email,
	}))
}

func newPassword(v *visit, u *staff.User) error {
	if err := v.store.Staff.ResetPassword(v.UserContext(), v.Params("token"), v.FormValue("password")); err != nil {
		return v.Again(err, func(status int) error { return v.newPasswordPage(status, u) })
	}
	return v.Done(v.signOutHere(), "/sign-in", "Your password is changed. Sign in with it.")
}

// handover is a one-time link on its way to somebody.
type handover struct {
	to, link, back  string
	subject, letter string
	log             *models.Mails // nil for a link by which somebody signs in
	sent            string        // what the notice says when it was mailed
	title, text     string        // of the page that shows it when it was not
}

// handOver mails a link, or shows it, once, in the answer to the form.
func (v *visit) handOver(h handover) error {
	p := pages.LinkPage{Text: h.text, Link: h.link, Back: h.back}
	if v.options.Mail != nil && v.Value("copy") == "" {
		err := v.mailLink(h.log, models.Note{Email: h.to, Subject: h.subject, Text: h.letter}, h.link)
		if err == nil {
			return v.See(h.back, h.sent)
		}
		slog.Error("a link was not sent", "request_id", request.ID(v.Context()), "error", err.Error())
		p.Trouble = "The mail server did not take the letter, so here is the link. The server's log says why."
	}
	return show(v, http.StatusOK, h.title, pages.Link, p)
}

// invitationLetter greets by a name, "" where it is not known.
func invitationLetter(i *staff.Invitation, name, link string) string {
	return strings.TrimSpace("Hello "+name) + ",\n\n" + cmp.Or(i.InvitedBy, "An owner") +
		" invites you to work on the programme of " +
		i.OrganizationName + " in Lectern.\n\n" +
		"Open this link, and choose your name and password:\n\n" + link + "\n\n" +
		"It is good for seven days and works once. If you did not expect this letter, you need not do anything.\n"
}

const resetSubject = "Choose a new password"

func resetLetter(link string) string {
	return "Hello,\n\nsomebody, probably you, asked for a new password for your sign-in to Lectern.\n\n" +
		"Open this link to choose one:\n\n" + link + "\n\n" +
		"It is good for an hour and works once. If it was not you, you need not do anything: your password stays as it is.\n"
}

func (v *visit) resetLink(token string) string { return v.options.BaseURL + "/reset/" + token }
