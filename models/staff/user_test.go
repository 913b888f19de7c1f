package staff_test

import (
	"maps"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// member reads a member of staff anew.
func member(t *testing.T, f *modelstest.Fixture, of *staff.User, id string) *staff.User {
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
	order := append(append([]staff.Role{}, staff.Roles...), "")
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
		ctx, owner := t.Context(), modelstest.FirstOwner(t, f)
		_, foreign := modelstest.ForeignOwner(t, f)
		everywhere := f.Hire(t, "bob", staff.Viewer)
		one := modelstest.Hire(t, f, owner, staff.Invitation{Email: "cy@example.org", Role: staff.Organizer,
			Roles: map[string]staff.Role{f.Event.ID: staff.Reviewer, f.Other.ID: ""}})
		for name, c := range map[string]struct {
			user                 *staff.User
			here, there, nowhere staff.Role
			events               string
		}{
			"the owner":           {owner, staff.Owner, staff.Owner, "", "Another Conference"},
			"who is everywhere":   {everywhere, staff.Viewer, staff.Viewer, "", "Another Conference"},
			"who is at one event": {one, staff.Reviewer, "", "", "Conference"},
		} {
			for _, u := range []*staff.User{c.user, member(t, f, owner, c.user.ID)} {
				names := store.Map(modelstest.Must(f.EventsFor(ctx, u))(t), func(e *models.Event) string { return e.Name })
				modelstest.Want(t, name+" sees", strings.Join(names, " "), c.events)
				for id, want := range map[string]staff.Role{f.Event.ID: c.here, f.Other.ID: c.there, foreign: c.nowhere,
					store.NewID(): "", "x\x00": "", "": "", f.Event.Slug: ""} {
					e, role, err := f.EventFor(ctx, u, id)
					if role != want || (want != "" && (err != nil || e.ID != id)) ||
						(want == "" && (store.KindOf(err) != store.NotFound || e != nil)) {
						t.Errorf("%s has the role %q at %q: %v", name, role, id, err)
					}
				}
			}
		}
	})
}

func TestOnlyOwnersChangeStaffAndOnlyTheirOwn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, owner := t.Context(), modelstest.FirstOwner(t, f)
		eve, foreign := modelstest.ForeignOwner(t, f)
		bob := f.Hire(t, "bob", staff.Organizer)
		forged := *bob
		forged.Role = staff.Owner
		change := staff.Change{Role: new(staff.Viewer)}
		for name, by := range map[string]*staff.User{"an organizer": bob, "a forger": &forged, "another organization": eve,
			"nobody": {}, "a stranger": {ID: store.NewID()}} {
			for _, id := range []string{owner.ID, bob.ID, "x\x00"} {
				modelstest.WantKind(t, name+" changing "+id, f.Team(ctx, by).Change(ctx, id, change), store.NotFound)
				modelstest.WantKind(t, name+" removing "+id, f.Team(ctx, by).Remove(ctx, id), store.NotFound)
			}
		}
		modelstest.WantKind(t, "the owner changing another organization's", f.Team(ctx, owner).Change(ctx, eve.ID, change),
			store.NotFound)
		modelstest.WantKind(t, "the owner removing another organization's", f.Team(ctx, owner).Remove(ctx, eve.ID),
			store.NotFound)
		for name, c := range map[string]staff.Change{
			"an unknown role": {Role: new(staff.Role("king"))}, "no role": {Role: new(staff.Role(""))},
			"an owner of one event":  {Everywhere: new(false), Roles: map[string]staff.Role{f.Event.ID: staff.Owner}},
			"an unknown event role":  {Everywhere: new(false), Roles: map[string]staff.Role{f.Event.ID: "king"}},
			"an unknown event":       {Everywhere: new(false), Roles: map[string]staff.Role{store.NewID(): staff.Viewer}},
			"a foreign event":        {Everywhere: new(false), Roles: map[string]staff.Role{foreign: staff.Viewer}},
			"an event that is no id": {Everywhere: new(false), Roles: map[string]staff.Role{"\x00": staff.Viewer}},
			"a good and a bad choice": {Role: new(staff.Viewer), Everywhere: new(false),
				Roles: map[string]staff.Role{f.Event.ID: staff.Viewer, foreign: staff.Viewer}},
		} {
			modelstest.WantKind(t, name, f.Team(ctx, owner).Change(ctx, bob.ID, c), store.Invalid)
		}
		if now := member(t, f, owner, bob.ID); now.Role != staff.Organizer || !now.Everywhere || len(now.Roles) != 0 {
			t.Errorf("bob became %+v", now)
		}
	})
}

func TestAChangeOfStaffHolds(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, owner := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Organizer)
		here := map[string]staff.Role{f.Event.ID: staff.Reviewer}
		for i, c := range []struct {
			change     staff.Change
			role       staff.Role
			everywhere bool
			roles      map[string]staff.Role
		}{
			{staff.Change{}, staff.Organizer, true, nil},
			{staff.Change{Role: new(staff.Viewer), Roles: here}, staff.Viewer, true, nil},
			{staff.Change{Everywhere: new(false), Roles: here}, staff.Viewer, false, here},
			{staff.Change{Role: new(staff.Reviewer)}, staff.Reviewer, false, here},
			{staff.Change{Roles: map[string]staff.Role{f.Event.ID: ""}}, staff.Reviewer, false, nil},
			{staff.Change{Roles: here}, staff.Reviewer, false, here},
			{staff.Change{Role: new(staff.Owner)}, staff.Owner, true, nil},
			{staff.Change{Everywhere: new(false)}, staff.Owner, true, nil},
		} {
			modelstest.WantKind(t, "a change", f.Team(ctx, owner).Change(ctx, bob.ID, c.change), 0)
			now := member(t, f, owner, bob.ID)
			if now.Role != c.role || now.Everywhere != c.everywhere || !maps.Equal(now.Roles, c.roles) {
				t.Errorf("after change %d, bob is %+v", i, now)
			}
		}
		modelstest.Want(t, "lines of activity", modelstest.RowsOf(t, f, `SELECT count(*) FROM activity
			WHERE subject_id = $1 AND action = 'updated' AND actor_id = $2 AND event_id IS NULL`, bob.ID, owner.ID), 6)
	})
}

func TestThereIsAlwaysAnOwner(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		f.Hire(t, "cy", staff.Organizer)
		demotion := staff.Change{Role: new(staff.Viewer)}
		modelstest.WantKind(t, "the last owner leaving", f.Team(ctx, ada).Remove(ctx, ada.ID), store.Invalid)
		modelstest.WantKind(t, "the last owner stepping down", f.Team(ctx, ada).Change(ctx, ada.ID, demotion), store.Invalid)
		bob := f.Hire(t, "bob", staff.Owner)
		for round := range 6 {
			victims := []*staff.User{bob, ada} // each the other, then each themselves
			if round >= 3 {
				victims = []*staff.User{ada, bob}
			}
			errs := modelstest.AtOnce(2, func(i int) error {
				team := f.Team(ctx, []*staff.User{ada, bob}[i])
				if (round+i)%3 == 0 {
					return team.Remove(ctx, victims[i].ID)
				}
				return team.Change(ctx, victims[i].ID, demotion)
			})
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("round %d: %v, %v", round, errs[0], errs[1])
			}
			survivor, other := ada, bob
			if (errs[0] == nil) == (victims[0] == ada) {
				survivor, other = bob, ada
			}
			if now := member(t, f, ada, survivor.ID); now == nil || now.Role != staff.Owner {
				t.Fatalf("round %d leaves %+v", round, now)
			}
			if now := member(t, f, ada, other.ID); now == nil {
				modelstest.Hire(t, f, survivor, staff.Invitation{Email: other.Email, Role: staff.Owner})
			} else {
				modelstest.WantKind(t, "a promotion", f.Team(ctx, survivor).
					Change(ctx, other.ID, staff.Change{Role: new(staff.Owner)}), 0)
			}
		}
	})
}

func TestWhoIsRemovedIsGoneUntilInvitedAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Owner)
		link := modelstest.Must(f.Team(ctx, bob).Invite(ctx, staff.Invitation{Email: "bobs-friend@example.org",
			Role: staff.Owner}))(t)
		token := modelstest.First(f.Staff.SignIn(ctx, staff.SignIn{Email: "bob@example.org", Password: phrase}))(t)
		reset := modelstest.First(f.Staff.RequestReset(ctx, "bob@example.org", ""))(t)
		modelstest.WantKind(t, "removing", f.Team(ctx, ada).Remove(ctx, bob.ID), 0)

		modelstest.Answers(f.Staff.LoginBy(ctx, token))(t, "the login", store.Unauthorized)
		_, _, err := f.Staff.SignIn(ctx, staff.SignIn{Email: "bob@example.org", Password: phrase})
		modelstest.WantKind(t, "signing in again", err, store.Unauthorized)
		modelstest.Answers(f.Staff.ResetBy(ctx, reset))(t, "the reset", store.NotFound)
		modelstest.Answers(f.Staff.InvitationBy(ctx, link))(t, "the invitation they sent", store.NotFound)
		modelstest.WantKind(t, "removing again", f.Team(ctx, ada).Remove(ctx, bob.ID), store.NotFound)
		modelstest.WantKind(t, "acting", f.Team(ctx, bob).Change(ctx, ada.ID, staff.Change{Role: new(staff.Viewer)}),
			store.NotFound)
		if _, user, err := f.Staff.RequestReset(ctx, "bob@example.org", ""); user != nil || err != nil {
			t.Errorf("a reset for who was removed: %v, %v", user, err)
		}
		if member(t, f, ada, bob.ID) != nil {
			t.Error("bob is listed")
		}
		again := modelstest.Hire(t, f, ada, staff.Invitation{Email: "BOB@example.org", Role: staff.Viewer,
			Roles: map[string]staff.Role{f.Event.ID: staff.Viewer}})
		if now := member(t, f, ada, bob.ID); again.ID != bob.ID || now.Role != staff.Viewer || now.Everywhere ||
			now.HasTOTP() {
			t.Errorf("bob came back as %+v", now)
		}
	})
}

func TestWhoRunsTheServerLetsAnOwnerInAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Owner)
		secret, _ := modelstest.WithTOTP(t, f, ada, phrase)
		modelstest.WithTOTP(t, f, bob, phrase)
		link := modelstest.First(f.Staff.RequestReset(ctx, "ada@example.org", ""))(t)
		for range 6 {
			modelstest.SignIn(t, f, "ada@example.org", "wrong")
		}
		for _, email := range []string{"", "nobody", "nobody@example.org", "a\x00@example.org", "\xff@example.org"} {
			if _, err := f.Staff.SetPassword(ctx, email, "another password"); store.KindOf(err) != store.NotFound &&
				store.KindOf(err) != store.Invalid {
				t.Errorf("%q: %v", email, err)
			}
			_, err := f.Staff.EndSecondFactor(ctx, email)
			if kind := store.KindOf(err); kind != store.NotFound && kind != store.Invalid {
				t.Errorf("%q: %v", email, err)
			}
		}
		modelstest.Answers(f.Staff.SetPassword(ctx, "ada@example.org", "short"))(t, "a short one", store.Invalid)
		u, err := f.Staff.SetPassword(ctx, " ADA@example.org", "another password")
		if err != nil || u.ID != ada.ID {
			t.Fatalf("%+v %v", u, err)
		}
		modelstest.Answers(f.Staff.ResetBy(ctx, link))(t, "the link", store.NotFound)
		token, login, err := modelstest.SignIn(t, f, "ada@example.org", "another password") // the failures are forgiven
		if err != nil || !login.Pending {
			t.Fatalf("%+v %v", login, err)
		}
		for range 5 {
			f.Staff.SecondFactor(ctx, token, "000000")
		}
		modelstest.Answers(f.Staff.EndSecondFactor(ctx, "ada@example.org"))(t, "ending the second factor", 0)
		_, _, err = f.Staff.SecondFactor(ctx, token, modelstest.CodeAt(t, f, secret, 0))
		modelstest.WantKind(t, "a login that waited", err, store.Unauthorized)
		in, login, err := modelstest.SignIn(t, f, "ada@example.org", "another password")
		if err != nil || login.Pending || login.User.HasTOTP() {
			t.Fatalf("%+v %v", login, err)
		}
		modelstest.Answers(f.Staff.EndSecondFactor(ctx, "ada@example.org"))(t, "again, where there is none", 0)
		modelstest.Answers(f.Staff.LoginBy(ctx, in))(t, "a login that is whole", 0)
		modelstest.WithTOTP(t, f, ada, "another password")
		modelstest.Want(t, "another's second factor is asked for", halfway(t, f, "bob@example.org"), true)
		const told = "SELECT count(*) FROM activity WHERE door = 'cli' AND subject = 'user' AND subject_id = $1"
		modelstest.Want(t, "lines of activity", modelstest.RowsOf(t, f, told, ada.ID), 3)
	})
}
