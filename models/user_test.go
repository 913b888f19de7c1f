package models_test

import (
	"maps"
	"strings"
	"sync"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

// member is a member of staff as read now.
func member(t *testing.T, f *modelstest.Fixture, of *models.User, id string) *models.User {
	t.Helper()
	for _, u := range modelstest.Must(f.Team(t.Context(), of).Members(t.Context()))(t) {
		if u.ID == id {
			return u
		}
	}
	return nil
}

func TestARoleCoversThoseBelowIt(t *testing.T) {
	t.Parallel()
	order := append(append([]models.StaffRole{}, models.StaffRoles...), "")
	for i, r := range order {
		for j, needed := range order {
			if want := r != "" && needed != "" && i <= j; r.Covers(needed) != want {
				t.Errorf("%q covers %q: %v", r, needed, !want)
			}
		}
	}
}

func TestStaffSeeTheEventsOfTheirRoles(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		owner := firstOwner(t, f)
		_, foreign := foreignOwner(t, f)
		everywhere := hire(t, f, owner, models.Invitation{Email: "bob@example.org", Role: models.Viewer, Everywhere: true})
		one := hire(t, f, owner, models.Invitation{Email: "cy@example.org", Role: models.Organizer,
			Roles: map[string]models.StaffRole{f.Event.ID: models.Reviewer, f.Other.ID: ""}})
		for name, c := range map[string]struct {
			user                 *models.User
			here, there, nowhere models.StaffRole
			events               string
		}{
			"the owner":           {owner, models.Owner, models.Owner, "", "Another Conference"},
			"who is everywhere":   {everywhere, models.Viewer, models.Viewer, "", "Another Conference"},
			"who is at one event": {one, models.Reviewer, "", "", "Conference"},
		} {
			for _, u := range []*models.User{c.user, member(t, f, owner, c.user.ID)} {
				var names []string
				for _, e := range modelstest.Must(f.EventsFor(ctx, u))(t) {
					names = append(names, e.Name)
				}
				if got := strings.Join(names, " "); got != c.events {
					t.Errorf("%s sees %s", name, got)
				}
				for id, want := range map[string]models.StaffRole{f.Event.ID: c.here, f.Other.ID: c.there, foreign: c.nowhere,
					models.NewID(): "", "x\x00": "", "": "", f.Event.Slug: ""} {
					e, role, err := f.EventFor(ctx, u, id)
					if role != want || (want != "" && (err != nil || e.ID != id)) || (want == "" && (models.KindOf(err) != models.NotFound || e != nil)) {
						t.Errorf("%s has the role %q at %q: %v", name, role, id, err)
					}
				}
			}
		}
	})
}

func TestOnlyOwnersChangeStaffAndOnlyTheirOwn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		owner := firstOwner(t, f)
		eve, foreign := foreignOwner(t, f)
		bob := hire(t, f, owner, models.Invitation{Email: "bob@example.org", Role: models.Organizer, Everywhere: true})
		forged := *bob
		forged.Role = models.Owner
		change := models.StaffChange{Role: new(models.Viewer)}
		for name, by := range map[string]*models.User{"an organizer": bob, "a forger": &forged, "another organization": eve, "nobody": {}, "a stranger": {ID: models.NewID()}} {
			for _, id := range []string{owner.ID, bob.ID, "x\x00"} {
				wantKind(t, name+" changing "+id, f.Team(ctx, by).Change(ctx, id, change), models.NotFound)
				wantKind(t, name+" removing "+id, f.Team(ctx, by).Remove(ctx, id), models.NotFound)
			}
		}
		wantKind(t, "the owner changing another organization's", f.Team(ctx, owner).Change(ctx, eve.ID, change), models.NotFound)
		wantKind(t, "the owner removing another organization's", f.Team(ctx, owner).Remove(ctx, eve.ID), models.NotFound)
		for name, c := range map[string]models.StaffChange{
			"an unknown role": {Role: new(models.StaffRole("king"))}, "no role": {Role: new(models.StaffRole(""))},
			"an owner of one event":   {Everywhere: new(false), Roles: map[string]models.StaffRole{f.Event.ID: models.Owner}},
			"an unknown event role":   {Everywhere: new(false), Roles: map[string]models.StaffRole{f.Event.ID: "king"}},
			"an unknown event":        {Everywhere: new(false), Roles: map[string]models.StaffRole{models.NewID(): models.Viewer}},
			"a foreign event":         {Everywhere: new(false), Roles: map[string]models.StaffRole{foreign: models.Viewer}},
			"an event that is no id":  {Everywhere: new(false), Roles: map[string]models.StaffRole{"\x00": models.Viewer}},
			"a good and a bad choice": {Role: new(models.Viewer), Everywhere: new(false), Roles: map[string]models.StaffRole{f.Event.ID: models.Viewer, foreign: models.Viewer}},
		} {
			wantKind(t, name, f.Team(ctx, owner).Change(ctx, bob.ID, c), models.Invalid)
		}
		if now := member(t, f, owner, bob.ID); now.Role != models.Organizer || !now.Everywhere || len(now.Roles) != 0 {
			t.Errorf("bob became %+v", now)
		}
	})
}

func TestAChangeOfStaffHolds(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		owner := firstOwner(t, f)
		bob := hire(t, f, owner, models.Invitation{Email: "bob@example.org", Role: models.Organizer, Everywhere: true})
		here := map[string]models.StaffRole{f.Event.ID: models.Reviewer}
		for i, c := range []struct {
			change     models.StaffChange
			role       models.StaffRole
			everywhere bool
			roles      map[string]models.StaffRole
		}{
			{models.StaffChange{}, models.Organizer, true, nil},
			{models.StaffChange{Role: new(models.Viewer), Roles: here}, models.Viewer, true, nil},
			{models.StaffChange{Everywhere: new(false), Roles: here}, models.Viewer, false, here},
			{models.StaffChange{Role: new(models.Reviewer)}, models.Reviewer, false, here},
			{models.StaffChange{Roles: map[string]models.StaffRole{f.Event.ID: ""}}, models.Reviewer, false, nil},
			{models.StaffChange{Roles: here}, models.Reviewer, false, here},
			{models.StaffChange{Role: new(models.Owner)}, models.Owner, true, nil},
			{models.StaffChange{Everywhere: new(false)}, models.Owner, true, nil},
		} {
			wantKind(t, "a change", f.Team(ctx, owner).Change(ctx, bob.ID, c.change), 0)
			now := member(t, f, owner, bob.ID)
			if now.Role != c.role || now.Everywhere != c.everywhere || !maps.Equal(now.Roles, c.roles) {
				t.Errorf("after change %d, bob is %+v", i, now)
			}
		}
		var lines int
		if err := f.SQL(t).QueryRow("SELECT count(*) FROM activity WHERE subject_id = $1 AND action = 'updated' AND actor_id = $2 AND event_id IS NULL",
			bob.ID, owner.ID).Scan(&lines); err != nil || lines != 6 {
			t.Errorf("%d lines of activity, %v", lines, err)
		}
	})
}

func TestThereIsAlwaysAnOwner(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		hire(t, f, ada, models.Invitation{Email: "cy@example.org", Role: models.Organizer, Everywhere: true})
		demotion := models.StaffChange{Role: new(models.Viewer)}
		wantKind(t, "the last owner leaving", f.Team(ctx, ada).Remove(ctx, ada.ID), models.Invalid)
		wantKind(t, "the last owner stepping down", f.Team(ctx, ada).Change(ctx, ada.ID, demotion), models.Invalid)
		bob := hire(t, f, ada, models.Invitation{Email: "bob@example.org", Role: models.Owner})
		for round := range 6 {
			victims := []*models.User{bob, ada} // each the other, then each themselves
			if round >= 3 {
				victims = []*models.User{ada, bob}
			}
			var both sync.WaitGroup
			errs := make([]error, 2)
			for i, by := range []*models.User{ada, bob} {
				both.Go(func() {
					if (round+i)%3 == 0 {
						errs[i] = f.Team(ctx, by).Remove(ctx, victims[i].ID)
					} else {
						errs[i] = f.Team(ctx, by).Change(ctx, victims[i].ID, demotion)
					}
				})
			}
			both.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("round %d: %v, %v", round, errs[0], errs[1])
			}
			survivor, other := ada, bob
			if (errs[0] == nil) == (victims[0] == ada) {
				survivor, other = bob, ada
			}
			if now := member(t, f, ada, survivor.ID); now == nil || now.Role != models.Owner {
				t.Fatalf("round %d leaves %+v", round, now)
			}
			if now := member(t, f, ada, other.ID); now == nil {
				hire(t, f, survivor, models.Invitation{Email: other.Email, Role: models.Owner})
			} else {
				wantKind(t, "a promotion", f.Team(ctx, survivor).Change(ctx, other.ID, models.StaffChange{Role: new(models.Owner)}), 0)
			}
		}
	})
}

func TestWhoIsRemovedIsGoneUntilInvitedAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		bob := hire(t, f, ada, models.Invitation{Email: "bob@example.org", Role: models.Owner})
		link := modelstest.Must(f.Team(ctx, bob).Invite(ctx, models.Invitation{Email: "bobs-friend@example.org", Role: models.Owner}))(t)
		token, _, err := f.Staff.SignIn(ctx, models.SignIn{Email: "bob@example.org", Password: secretPhrase})
		wantKind(t, "signing in", err, 0)
		reset, _, err := f.Staff.RequestReset(ctx, "bob@example.org", "")
		wantKind(t, "asking for a reset", err, 0)
		wantKind(t, "removing", f.Team(ctx, ada).Remove(ctx, bob.ID), 0)

		_, err = f.Staff.LoginBy(ctx, token)
		wantKind(t, "the login", err, models.Unauthorized)
		_, _, err = f.Staff.SignIn(ctx, models.SignIn{Email: "bob@example.org", Password: secretPhrase})
		wantKind(t, "signing in again", err, models.Unauthorized)
		_, err = f.Staff.ResetBy(ctx, reset)
		wantKind(t, "the reset", err, models.NotFound)
		_, err = f.Staff.InvitationBy(ctx, link)
		wantKind(t, "the invitation they sent", err, models.NotFound)
		wantKind(t, "removing again", f.Team(ctx, ada).Remove(ctx, bob.ID), models.NotFound)
		wantKind(t, "acting", f.Team(ctx, bob).Change(ctx, ada.ID, models.StaffChange{Role: new(models.Viewer)}), models.NotFound)
		if _, user, err := f.Staff.RequestReset(ctx, "bob@example.org", ""); user != nil || err != nil {
			t.Errorf("a reset for who was removed: %v, %v", user, err)
		}
		if member(t, f, ada, bob.ID) != nil {
			t.Error("bob is listed")
		}
		again := hire(t, f, ada, models.Invitation{Email: "BOB@example.org", Role: models.Viewer, Roles: map[string]models.StaffRole{f.Event.ID: models.Viewer}})
		if now := member(t, f, ada, bob.ID); again.ID != bob.ID || now.Role != models.Viewer || now.Everywhere || now.HasTOTP() {
			t.Errorf("bob came back as %+v", now)
		}
	})
}

func TestAPasswordIsNotOnesOwnNameOrAddress(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for password, want := range map[string]models.Kind{
			"short": models.Invalid, strings.Repeat("x", 201): models.Invalid, "": models.Invalid,
			"Grace.Hopper@example.org": models.Invalid, "grace brewster hopper": models.Invalid, " GRACE BREWSTER HOPPER ": models.Invalid,
			"grace brewster hopper!": 0,
		} {
			_, err := f.Staff.CreateUser(t.Context(), models.NewUser{Email: "grace.hopper@example.org", Name: "Grace Brewster Hopper", Role: models.Viewer, Password: password})
			wantKind(t, password, err, want)
		}
		_, err := f.Staff.CreateUser(t.Context(), models.NewUser{Email: "GRACE.hopper@example.org", Name: "G", Role: models.Viewer, Password: secretPhrase})
		wantKind(t, "a second one", err, models.Invalid)
	})
}
