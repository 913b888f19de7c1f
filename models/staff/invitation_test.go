package staff_test

import (
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestOnlyOwnersInvite(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		eve, foreign := modelstest.ForeignOwner(t, f)
		bob := f.Hire(t, "bob", staff.Organizer)
		good := staff.Invitation{Email: "cy@example.org", Role: staff.Viewer, Everywhere: true}
		for name, by := range map[string]*staff.User{"an organizer": bob, "nobody": {},
			"a stranger": {ID: ada.ID, OrganizationID: store.NewID()}} {
			token, err := f.Team(ctx, by).Invite(ctx, good)
			modelstest.WantKind(t, name, err, store.NotFound)
			modelstest.Want(t, name+" gets a token", token, "")
		}
		at := func(id string, role staff.Role) map[string]staff.Role { return map[string]staff.Role{id: role} }
		for name, in := range map[string]staff.Invitation{
			"no address":             {Role: staff.Viewer, Everywhere: true},
			"a bad address":          {Email: "cy", Role: staff.Viewer, Everywhere: true},
			"a NUL":                  {Email: "cy\x00@example.org", Role: staff.Viewer, Everywhere: true},
			"a member":               {Email: "BOB@example.org", Role: staff.Viewer, Everywhere: true},
			"two lines":              {Email: "cy@example.org\r\nBcc: eve@example.org", Role: staff.Viewer, Everywhere: true},
			"what nobody sees":       {Email: "cy@\u202eexample.org", Role: staff.Viewer, Everywhere: true},
			"a control character":    {Email: "cy@ex\x0bample.org", Role: staff.Viewer, Everywhere: true},
			"a remark":               {Email: "cy(eve)@example.org", Role: staff.Viewer, Everywhere: true},
			"somebody else's member": {Email: "eve@example.org", Role: staff.Viewer, Everywhere: true},
			"no role":                {Email: "cy@example.org", Everywhere: true},
			"an unknown role":        {Email: "cy@example.org", Role: "king", Everywhere: true},
			"no event":               {Email: "cy@example.org", Role: staff.Viewer},
			"a foreign event":        {Email: "cy@example.org", Role: staff.Viewer, Roles: at(foreign, staff.Viewer)},
			"an unknown event":       {Email: "cy@example.org", Role: staff.Viewer, Roles: at(store.NewID(), staff.Viewer)},
			"an owner of one event":  {Email: "cy@example.org", Role: staff.Viewer, Roles: at(f.Event.ID, staff.Owner)},
			"none after all":         {Email: "cy@example.org", Role: staff.Viewer, Roles: at(f.Event.ID, "")},
		} {
			modelstest.Answers(f.Team(ctx, ada).Invite(ctx, in))(t, name, store.Invalid)
		}
		modelstest.Want(t, "invitations are pending", len(modelstest.Must(f.Team(ctx, ada).Invitations(ctx))(t)), 0)
		token := modelstest.Must(f.Team(ctx, ada).Invite(ctx, good))(t)
		pending := modelstest.Must(f.Team(ctx, ada).Invitations(ctx))(t)
		if len(pending) != 1 || pending[0].Email != good.Email || pending[0].InvitedBy != "Ada" {
			t.Fatalf("pending are %+v", pending)
		}
		modelstest.Want(t, "another organization sees the invitation",
			len(modelstest.Must(f.Team(ctx, eve).Invitations(ctx))(t)), 0)
		for name, by := range map[string]*staff.User{"an organizer": bob, "another organization": eve, "nobody": {}} {
			modelstest.WantKind(t, name+" withdrawing", f.Team(ctx, by).Withdraw(ctx, pending[0].ID), store.NotFound)
		}
		modelstest.Answers(f.Staff.InvitationBy(ctx, token))(t, "the invitation is gone", 0)
		modelstest.WantKind(t, "withdrawing", f.Team(ctx, ada).Withdraw(ctx, pending[0].ID), 0)
		modelstest.WantKind(t, "withdrawing again", f.Team(ctx, ada).Withdraw(ctx, pending[0].ID), store.NotFound)
		modelstest.WantKind(t, "withdrawing nothing", f.Team(ctx, ada).Withdraw(ctx, "\x00"), store.NotFound)
		_, err := f.Staff.AcceptInvitation(ctx, token, "Cy", phrase)
		modelstest.WantKind(t, "accepting what was withdrawn", err, store.NotFound)
	})
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		in := staff.Invitation{Email: "Cy@example.org", Role: staff.Viewer,
			Roles: map[string]staff.Role{f.Event.ID: staff.Organizer}}
		replaced := modelstest.Must(f.Team(ctx, ada).Invite(ctx, in))(t)
		token := modelstest.Must(f.Team(ctx, ada).Invite(ctx, in))(t)
		reset := modelstest.First(f.Staff.RequestReset(ctx, "ada@example.org", ""))(t)
		for name, token := range map[string]string{"replaced": replaced, "empty": "", "made up": strings.Repeat("x", 43),
			"odd": "\x00", "a reset": reset} {
			modelstest.Answers(f.Staff.InvitationBy(ctx, token))(t, name, store.NotFound)
			modelstest.Answers(f.Staff.AcceptInvitation(ctx, token, "Cy", phrase))(t, name, store.NotFound)
			if name != "a reset" {
				modelstest.Answers(f.Staff.ResetBy(ctx, token))(t, name, store.NotFound)
			}
		}
		modelstest.Answers(f.Staff.ResetBy(ctx, token))(t, "an invitation for a reset", store.NotFound)
		for name, password := range map[string]string{"": phrase, "Cy": "short",
			"Cyrus Smith": "cyrus smith", "Cy ": "CY@example.org", "\x00": phrase} {
			modelstest.Answers(f.Staff.AcceptInvitation(ctx, token, name, password))(t, name+" "+password, store.Invalid)
		}
		var users [2]*staff.User
		won := modelstest.OneSucceeds(t, 2, store.NotFound, func(i int) (err error) {
			users[i], err = f.Staff.AcceptInvitation(ctx, token, "Cy", phrase)
			return err
		})
		_, login, err := signIn(t, f, "cy@example.org")
		if err != nil || login.User.ID != users[won].ID || login.User.RoleAt(f.Event.ID) != staff.Organizer ||
			login.User.RoleAt(f.Other.ID) != "" {
			t.Errorf("%+v, %v", login, err)
		}
		modelstest.Want(t, "invitations are pending", len(modelstest.Must(f.Team(ctx, ada).Invitations(ctx))(t)), 0)
		kept := modelstest.RowsOf(t, f, "SELECT count(*) FROM staff_links WHERE hash = $1 OR id = $1", token)
		modelstest.Want(t, "rows keep the token", kept, 0)
	})
}

func TestAnInvitationEndsAfterAWeekAndWithItsSendersRole(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Owner)
		cy := staff.Invitation{Email: "cy@example.org", Role: staff.Owner}
		token := modelstest.Must(f.Team(ctx, bob).Invite(ctx, cy))(t)
		modelstest.WantKind(t, "stepping down", f.Team(ctx, ada).Change(ctx, bob.ID, staff.Change{Role: new(staff.Viewer)}),
			0)
		modelstest.Answers(f.Staff.InvitationBy(ctx, token))(t, "an invitation by who is owner no more", store.NotFound)
		token = modelstest.Must(f.Team(ctx, ada).Invite(ctx, cy))(t)
		f.Clock.Move(staff.InvitationLifetime - time.Millisecond)
		modelstest.Answers(f.Staff.InvitationBy(ctx, token))(t, "nearly a week", 0)
		f.Clock.Move(time.Millisecond)
		modelstest.Answers(f.Staff.InvitationBy(ctx, token))(t, "a week", store.NotFound)
		modelstest.Answers(f.Staff.AcceptInvitation(ctx, token, "Cy", phrase))(t, "a week", store.NotFound)

		token = modelstest.Must(f.Team(ctx, ada).Invite(ctx, cy))(t)
		modelstest.Must(f.Staff.CreateUser(ctx, staff.NewUser{Email: "cy@example.org", Name: "Cy", Role: staff.Viewer,
			Password: phrase}))(t)
		_, err := f.Staff.AcceptInvitation(ctx, token, "Cy", phrase)
		modelstest.WantKind(t, "an address that became a member's", err, store.Invalid)
	})
}
