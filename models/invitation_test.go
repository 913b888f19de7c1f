package models_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestOnlyOwnersInvite(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		eve, foreign := foreignOwner(t, f)
		bob := hire(t, f, ada, models.Invitation{Email: "bob@example.org", Role: models.Organizer, Everywhere: true})
		good := models.Invitation{Email: "cy@example.org", Role: models.Viewer, Everywhere: true}
		for name, by := range map[string]*models.User{"an organizer": bob, "nobody": {}, "a stranger": {ID: ada.ID, OrganizationID: models.NewID()}} {
			token, err := f.Team(ctx, by).Invite(ctx, good)
			wantKind(t, name, err, models.NotFound)
			if token != "" {
				t.Errorf("%s gets a token", name)
			}
		}
		at := func(id string, role models.StaffRole) map[string]models.StaffRole {
			return map[string]models.StaffRole{id: role}
		}
		for name, in := range map[string]models.Invitation{
			"no address": {Role: models.Viewer, Everywhere: true}, "a bad address": {Email: "cy", Role: models.Viewer, Everywhere: true},
			"a NUL": {Email: "cy\x00@example.org", Role: models.Viewer, Everywhere: true}, "a member": {Email: "BOB@example.org", Role: models.Viewer, Everywhere: true},
			"two lines":              {Email: "cy@example.org\r\nBcc: eve@example.org", Role: models.Viewer, Everywhere: true},
			"what nobody sees":       {Email: "cy@\u202eexample.org", Role: models.Viewer, Everywhere: true},
			"a control character":    {Email: "cy@ex\x0bample.org", Role: models.Viewer, Everywhere: true},
			"a remark":               {Email: "cy(eve)@example.org", Role: models.Viewer, Everywhere: true},
			"somebody else's member": {Email: "eve@example.org", Role: models.Viewer, Everywhere: true},
			"no role":                {Email: "cy@example.org", Everywhere: true}, "an unknown role": {Email: "cy@example.org", Role: "king", Everywhere: true},
			"no event": {Email: "cy@example.org", Role: models.Viewer}, "a foreign event": {Email: "cy@example.org", Role: models.Viewer, Roles: at(foreign, models.Viewer)},
			"an unknown event":      {Email: "cy@example.org", Role: models.Viewer, Roles: at(models.NewID(), models.Viewer)},
			"an owner of one event": {Email: "cy@example.org", Role: models.Viewer, Roles: at(f.Event.ID, models.Owner)},
			"none after all":        {Email: "cy@example.org", Role: models.Viewer, Roles: at(f.Event.ID, "")},
		} {
			_, err := f.Team(ctx, ada).Invite(ctx, in)
			wantKind(t, name, err, models.Invalid)
		}
		if pending := modelstest.Must(f.Team(ctx, ada).Invitations(ctx))(t); len(pending) != 0 {
			t.Errorf("%d invitations are pending", len(pending))
		}
		token := modelstest.Must(f.Team(ctx, ada).Invite(ctx, good))(t)
		pending := modelstest.Must(f.Team(ctx, ada).Invitations(ctx))(t)
		if len(pending) != 1 || pending[0].Email != good.Email || pending[0].InvitedBy != "Ada" {
			t.Fatalf("pending are %+v", pending)
		}
		if theirs := modelstest.Must(f.Team(ctx, eve).Invitations(ctx))(t); len(theirs) != 0 {
			t.Error("another organization sees the invitation")
		}
		for name, by := range map[string]*models.User{"an organizer": bob, "another organization": eve, "nobody": {}} {
			wantKind(t, name+" withdrawing", f.Team(ctx, by).Withdraw(ctx, pending[0].ID), models.NotFound)
		}
		if _, err := f.Staff.InvitationBy(ctx, token); err != nil {
			t.Errorf("the invitation is gone: %v", err)
		}
		wantKind(t, "withdrawing", f.Team(ctx, ada).Withdraw(ctx, pending[0].ID), 0)
		wantKind(t, "withdrawing again", f.Team(ctx, ada).Withdraw(ctx, pending[0].ID), models.NotFound)
		wantKind(t, "withdrawing nothing", f.Team(ctx, ada).Withdraw(ctx, "\x00"), models.NotFound)
		_, err := f.Staff.AcceptInvitation(ctx, token, "Cy", secretPhrase)
		wantKind(t, "accepting what was withdrawn", err, models.NotFound)
	})
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		in := models.Invitation{Email: "Cy@example.org", Role: models.Viewer, Roles: map[string]models.StaffRole{f.Event.ID: models.Organizer}}
		replaced := modelstest.Must(f.Team(ctx, ada).Invite(ctx, in))(t)
		token := modelstest.Must(f.Team(ctx, ada).Invite(ctx, in))(t)
		reset, _, err := f.Staff.RequestReset(ctx, "ada@example.org", "")
		wantKind(t, "a reset", err, 0)
		for name, token := range map[string]string{"replaced": replaced, "empty": "", "made up": strings.Repeat("x", 43), "odd": "\x00", "a reset": reset} {
			_, err := f.Staff.InvitationBy(ctx, token)
			wantKind(t, name, err, models.NotFound)
			_, err = f.Staff.AcceptInvitation(ctx, token, "Cy", secretPhrase)
			wantKind(t, name, err, models.NotFound)
			if name != "a reset" {
				_, err = f.Staff.ResetBy(ctx, token)
				wantKind(t, name, err, models.NotFound)
			}
		}
		_, err = f.Staff.ResetBy(ctx, token)
		wantKind(t, "an invitation for a reset", err, models.NotFound)
		for name, password := range map[string]string{"": secretPhrase, "Cy": "short", "Cyrus Smith": "cyrus smith", "Cy ": "CY@example.org", "\x00": secretPhrase} {
			_, err := f.Staff.AcceptInvitation(ctx, token, name, password)
			wantKind(t, name+" "+password, err, models.Invalid)
		}
		var both sync.WaitGroup
		users, errs := make([]*models.User, 2), make([]error, 2)
		for i := range 2 {
			both.Go(func() { users[i], errs[i] = f.Staff.AcceptInvitation(ctx, token, "Cy", secretPhrase) })
		}
		both.Wait()
		if errs[0] != nil {
			users[0], users[1], errs[0], errs[1] = users[1], users[0], errs[1], errs[0]
		}
		wantKind(t, "the first", errs[0], 0)
		wantKind(t, "the second", errs[1], models.NotFound)
		_, login, err := signIn(t, f, "cy@example.org", secretPhrase)
		if err != nil || login.User.ID != users[0].ID || login.User.RoleAt(f.Event.ID) != models.Organizer || login.User.RoleAt(f.Other.ID) != "" {
			t.Errorf("%+v, %v", login, err)
		}
		if pending := modelstest.Must(f.Team(ctx, ada).Invitations(ctx))(t); len(pending) != 0 {
			t.Errorf("%d invitations are pending", len(pending))
		}
		var kept int
		if err := f.SQL(t).QueryRow("SELECT count(*) FROM staff_links WHERE hash = $1 OR id = $1", token).Scan(&kept); err != nil || kept != 0 {
			t.Errorf("the token is kept %d times, %v", kept, err)
		}
	})
}

func TestAnInvitationEndsAfterAWeekAndWithItsSendersRole(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		bob := hire(t, f, ada, models.Invitation{Email: "bob@example.org", Role: models.Owner})
		cy := models.Invitation{Email: "cy@example.org", Role: models.Owner}
		token := modelstest.Must(f.Team(ctx, bob).Invite(ctx, cy))(t)
		wantKind(t, "stepping down", f.Team(ctx, ada).Change(ctx, bob.ID, models.StaffChange{Role: new(models.Viewer)}), 0)
		_, err := f.Staff.InvitationBy(ctx, token)
		wantKind(t, "an invitation by who is owner no more", err, models.NotFound)
		token = modelstest.Must(f.Team(ctx, ada).Invite(ctx, cy))(t)
		f.Clock.Move(models.InvitationLifetime - time.Millisecond)
		_, err = f.Staff.InvitationBy(ctx, token)
		wantKind(t, "nearly a week", err, 0)
		f.Clock.Move(time.Millisecond)
		_, err = f.Staff.InvitationBy(ctx, token)
		wantKind(t, "a week", err, models.NotFound)
		_, err = f.Staff.AcceptInvitation(ctx, token, "Cy", secretPhrase)
		wantKind(t, "a week", err, models.NotFound)

		token = modelstest.Must(f.Team(ctx, ada).Invite(ctx, cy))(t)
		modelstest.Must(f.Staff.CreateUser(ctx, models.NewUser{Email: "cy@example.org", Name: "Cy", Role: models.Viewer, Password: secretPhrase}))(t)
		_, err = f.Staff.AcceptInvitation(ctx, token, "Cy", secretPhrase)
		wantKind(t, "an address that became a member's", err, models.Invalid)
	})
}
