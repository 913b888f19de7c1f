package invite

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/invite"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// mostInvited is how many people can be invited at once.
const mostInvited = 100

// Many is a form that gives many people the same invitation.
type Many struct {
	As                  staff.Invitation // without the address
	Action, Field, Back string
	Hidden              []components.Hidden                           // further fields of the form
	Then                func(ctx context.Context, email string) error // called for each invited address; nil for nothing
}

// All invites each of some people, mails their links or shows them, and says what became of each. It answers Invalid,
// and invites nobody, where the role itself is wrong.
func All(v *visit.Visit, all []Addressee, of Many) error {
	if len(all) > mostInvited {
		return &store.Error{Kind: store.Invalid, Message: "These are " + strconv.Itoa(len(all)) + " people. Invite " +
			strconv.Itoa(mostInvited) + " at most at once."}
	}
	var p *pages.InvitedPage
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		p, err = invited(v, ctx, all, of)
		return of.Back, err
	})
	if err != nil {
		return err
	}
	p.Action, p.Field, p.Back, p.Hidden = of.Action, of.Field, of.Back, of.Hidden
	if p.Copies {
		p.Hidden = append(p.Hidden, components.Hidden{Name: "copy", Value: "1"})
	}
	return visit.Show(v, http.StatusOK, "Invitations", pages.Invited, *p)
}

// invited invites everybody within the transaction of ctx, and says what became of each. The mails are sent after the
// commit.
func invited(v *visit.Visit, ctx context.Context, all []Addressee, of Many) (*pages.InvitedPage, error) {
	p := &pages.InvitedPage{Copies: v.Options.Mail == nil || v.Value("copy") != ""}
	asked, err := v.Team().Invitations(ctx)
	if err != nil {
		return nil, err
	}
	var notes []models.Note
	var seen []string
	later := 0
	for _, who := range all {
		key := store.Fold(who.Email)
		row := pages.InvitedRow{Name: who.Name, Email: who.Email, Became: "Stands twice in the list"}
		if !slices.Contains(seen, key) {
			seen = append(seen, key)
			row.Became = "Invited"
			if slices.ContainsFunc(asked, func(i *staff.Invitation) bool { return store.Fold(i.Email) == key }) {
				row.Became = "Invited anew: the link that they had ends"
			}
			token, err := inviteAs(v, ctx, who.Email, of)
			if store.KindOf(err) == store.Invalid && page.FaultsOf(err).Of("email") != "" {
				err = notInvited(v, ctx, &row, err)
			} else if err == nil {
				row.Link = v.Options.BaseURL + models.InvitationPath + token
				var note models.Note
				note, err = noteOf(v, ctx, who, token)
				notes = append(notes, note)
			}
			if err != nil {
				return nil, err
			}
		}
		if row.Wrong {
			p.Wrong = append(p.Wrong, who.Typed)
		}
		p.Rows = append(p.Rows, row)
	}
	if !p.Copies {
		later, err = v.StaffMails().Invite(ctx, notes...)
	}
	p.Says = invitedSays(int64(len(notes)), int64(later), int64(len(p.Wrong)), p.Copies)
	return p, err
}

// invitedSays says how many were invited, how many mails leave later, and what is left to do.
func invitedSays(invited, later, wrong int64, copies bool) string {
	text := "Nobody was invited."
	switch {
	case invited > 0 && copies:
		text = visit.Counted(invited, "person is", "people are") +
			" invited. Hand each their link: it is shown this once, is good for " +
			"seven days and works once."
	case invited > 0:
		text = visit.Counted(invited, "invitation is", "invitations are") + " on the way."
	}
	if later > 0 {
		text += " " + visit.Counted(later, "leaves", "leave") +
			" in a later hour: only so many mails an hour go to new addresses."
	}
	if wrong > 0 {
		text += " " + visit.Counted(wrong, "address needs", "addresses need") + " correcting, below."
	}
	return text
}

func inviteAs(v *visit.Visit, ctx context.Context, email string, of Many) (token string, err error) {
	in := of.As
	in.Email = email
	if token, err = v.Team().Invite(ctx, in); err == nil && of.Then != nil {
		err = of.Then(ctx, email)
	}
	return token, err
}

// notInvited says why somebody was not invited: they work here already, or what was typed is no address.
func notInvited(v *visit.Visit, ctx context.Context, row *pages.InvitedRow, refused error) error {
	members, err := v.Team().Members(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(members, func(u *staff.User) bool { return u.EmailKey == store.Fold(row.Email) })
	if at < 0 {
		row.Wrong = true
		row.Became = components.Sentence(components.Fault{Message: page.FaultsOf(refused).Of("email")})
		return nil
	}
	events, err := v.Store.EventsFor(ctx, v.User)
	u := members[at]
	row.Name, row.MemberURL = u.Name, visit.StaffPath+"/"+u.ID
	row.Roles = RoleWords(u.Role, u.Everywhere, u.Roles, events)
	row.Became = "Works here already"
	return err
}

// noteOf returns the mail of an invitation, without its link.
func noteOf(v *visit.Visit, ctx context.Context, who Addressee, token string) (n models.Note, err error) {
	i, err := v.Store.Staff.InvitationBy(ctx, token)
	if err != nil {
		return n, err
	}
	return models.Note{Name: who.Name, Email: i.Email, Subject: "Join the programme of " + i.OrganizationName,
		Text: Letter(i, who.Name, models.InvitationLink)}, nil
}
