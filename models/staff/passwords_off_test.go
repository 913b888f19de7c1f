package staff_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestPasswordsAreTurnedOff(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Owner)
		here, _, _ := signIn(t, f, ada.Email)
		there, _, _ := signIn(t, f, ada.Email)
		theirs, _, _ := signIn(t, f, bob.Email)
		reset := modelstest.First(f.Team(ctx, ada).ResetFor(ctx, bob.ID))(t)
		p := house(t, f, ada)
		team := f.Team(ctx, ada)
		modelstest.WantKind(t, "an owner who is not linked", team.TurnPasswordsOff(ctx, here), store.Invalid)
		byHouse := modelstest.Must(comes(t, f, p, person("ada")))(t)
		modelstest.Fine(t, team.TurnPasswordsOff(ctx, here))
		for name, x := range map[string]struct {
			token string
			want  store.Kind
		}{"here": {here, 0}, "elsewhere": {there, store.Unauthorized}, "bob's": {theirs, store.Unauthorized},
			"by the provider": {byHouse.Token, 0}} {
			modelstest.Answers(f.Staff.LoginBy(ctx, x.token))(t, name, x.want)
		}
		modelstest.Answers(signIn(t, f, ada.Email))(t, "a password", store.Unauthorized)
		modelstest.WantKind(t, "an earlier reset link", f.Staff.ResetPassword(ctx, reset, "another password"), store.NotFound)
		if token, u, err := f.Staff.RequestReset(ctx, ada.Email, "192.0.2.1"); token != "" || u != nil || err != nil {
			t.Errorf("a reset link is made: %v, %v", u, err)
		}
		modelstest.Answers(team.ResetFor(ctx, bob.ID))(t, "an owner's reset link", store.Invalid)
		token := modelstest.Must(team.Invite(ctx, staff.Invitation{Email: "cy@example.org", Role: staff.Viewer,
			Everywhere: true}))(t)
		_, err := f.Staff.AcceptInvitation(ctx, token, "Cy", phrase)
		modelstest.WantKind(t, "an invitation by a password", err, store.Invalid)
		modelstest.Must(comes(t, f, p, person("cy")))(t)

		// Nothing takes the last way in from the owners.
		modelstest.WantKind(t, "switching the provider off", team.SwitchProvider(ctx, p.ID, false), store.Invalid)
		modelstest.WantKind(t, "deleting it", team.DeleteProvider(ctx, p.ID), store.Invalid)
		identity := modelstest.Must(f.Staff.Identities(ctx, ada.ID))(t)[0]
		err = f.Staff.Unlink(ctx, ada, identity.ID)
		if modelstest.WantKind(t, "unlinking", err, store.Invalid); !strings.Contains(fmt.Sprint(err), "the only way you can") {
			t.Errorf("it says %v", err)
		}
		modelstest.WantKind(t, "resigning", team.Change(ctx, ada.ID, staff.Change{Role: new(staff.Viewer)}), store.Invalid)
		modelstest.WantKind(t, "removing her", f.Team(ctx, bob).Remove(ctx, ada.ID), store.Invalid)
		modelstest.Answers(f.Staff.LoginBy(ctx, byHouse.Token))(t, "a refused change ended a login", 0)

		modelstest.Fine(t, f.Staff.AllowPasswords(ctx))
		modelstest.Fine(t, f.Staff.AllowPasswords(ctx))
		modelstest.Answers(signIn(t, f, ada.Email))(t, "a password again", 0)
		modelstest.Fine(t, team.SwitchProvider(ctx, p.ID, false))
		modelstest.WantKind(t, "off by a provider that is off", team.TurnPasswordsOff(ctx, here), store.Invalid)
		const told = "SELECT count(*) FROM activity WHERE action IN ('passwords off', 'passwords on')"
		modelstest.Want(t, "lines of activity", modelstest.RowsOf(t, f, told), 2)
	})
}

func TestWhoCameByAProviderHasNoPassword(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		p := house(t, f, ada, staff.GroupGrant{Group: "board", Role: staff.Viewer})
		bob := modelstest.Must(comes(t, f, p, person("bob", "board")))(t).Login.User
		if token, _, err := f.Staff.RequestReset(ctx, "bob@example.org", ""); token != "" || err != nil {
			t.Errorf("a reset link is made, %v", err)
		}
		modelstest.Answers(f.Team(ctx, ada).ResetFor(ctx, bob.ID))(t, "an owner's reset link", store.Invalid)
		identity := modelstest.Must(f.Staff.Identities(ctx, bob.ID))(t)[0]
		modelstest.WantKind(t, "unlinking", f.Staff.Unlink(ctx, bob, identity.ID), store.Invalid)
		// Whoever runs the server helps.
		modelstest.Must(f.Staff.SetPassword(ctx, "bob@example.org", phrase))(t)
		modelstest.Answers(signIn(t, f, "bob@example.org"))(t, "the password of the command line", 0)
		entry := modelstest.Must(comes(t, f, p, person("cy", "board")))(t)
		modelstest.Fine(t, f.Team(ctx, ada).DeleteProvider(ctx, p.ID))
		modelstest.Answers(f.Staff.LoginBy(ctx, entry.Token))(t, "a login by what is gone", store.Unauthorized)
		token, _, err := f.Staff.RequestReset(ctx, "cy@example.org", "")
		if modelstest.Fine(t, err); token == "" {
			t.Error("who came by what is gone cannot choose a password")
		}
	})
}

func TestAnAccountIsLinkedAndTakenOff(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Viewer)
		p := house(t, f, ada)
		modelstest.Answers(f.Staff.BeginLink(ctx, ada, "wrong", p.ID, "192.0.2.1"))(t, "a wrong password", store.Invalid)
		private := staff.Person{Subject: "1", Email: "ada@home.example.net"}
		modelstest.Fine(t, links(t, f, p, ada, private))
		modelstest.Fine(t, links(t, f, p, ada, private))
		modelstest.WantKind(t, "another member's", links(t, f, p, bob, private), store.Invalid)
		modelstest.Want(t, "it opens", modelstest.Must(comes(t, f, p, private))(t).Login.User.ID, ada.ID)
		all := modelstest.Must(f.Staff.Identities(ctx, ada.ID))(t)
		if len(all) != 1 || all[0].Provider != "House" || all[0].Email != private.Email || all[0].LastUsedAt == nil {
			t.Fatalf("%+v", all)
		}
		entry := modelstest.Must(comes(t, f, p, private))(t)
		modelstest.WantKind(t, "another's", f.Staff.Unlink(ctx, bob, all[0].ID), store.NotFound)
		modelstest.Fine(t, f.Staff.Unlink(ctx, ada, all[0].ID))
		modelstest.Answers(f.Staff.LoginBy(ctx, entry.Token))(t, "the login by it", store.Unauthorized)
		modelstest.Answers(comes(t, f, p, private))(t, "coming by it", store.NotFound)
	})
}

func TestWhoCameByAProviderComesInWithNoPasskey(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		d, ada, _, _ := withPasskey(t, f)
		p := house(t, f, ada, staff.GroupGrant{Group: "board", Role: staff.Viewer})
		bob := modelstest.Must(comes(t, f, p, person("bob", "board")))(t)
		_, err := f.Staff.BeginPasskey(ctx, d.site, bob.Login, bob.Token, "")
		modelstest.WantKind(t, "a passkey of who came by a provider", err, store.Invalid)
		entry := modelstest.Must(comes(t, f, p, person("ada")))(t) // linked by her address
		modelstest.Fine(t, f.Team(ctx, ada).TurnPasswordsOff(ctx, entry.Token))
		modelstest.Answers(d.enters())(t, "a passkey while passwords are off", store.Unauthorized)
		modelstest.Fine(t, f.Team(ctx, ada).TurnPasswordsOn(ctx))
		modelstest.Answers(d.enters())(t, "a passkey when they are on again", 0)
	})
}

// whileHeld locks a member, begins all functions one after the other, each when the one before waits, and returns their
// errors.
func whileHeld(t *testing.T, f *modelstest.Fixture, u *staff.User, all ...func() error) []error {
	t.Helper()
	done := make([]chan error, len(all))
	modelstest.Fine(t, f.Staff.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.Lock().Where("id = ?", u.ID).Take(&staff.User{}).Error; err != nil {
			return err
		}
		for i, begin := range all {
			done[i] = make(chan error, 1)
			go func() { done[i] <- begin() }()
			modelstest.Waits(t, f, i+1)
		}
		return nil
	}))
	errs := make([]error, len(all))
	for i := range all {
		errs[i] = <-done[i]
	}
	return errs
}

func TestNoSignInOutlivesThatPasswordsAreTurnedOff(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		d, ada, _, recovery := withPasskey(t, f)
		bob := f.Hire(t, "bob", staff.Owner)
		p := house(t, f, ada)
		modelstest.Must(comes(t, f, p, person("ada")))(t)
		turnOff := func() error { return f.Team(ctx, ada).TurnPasswordsOff(ctx, "") }
		password := func() (*staff.User, func() error) {
			return bob, func() error { return modelstest.ErrorOf(signIn(t, f, bob.Email)) }
		}
		passkey := func() (*staff.User, func() error) {
			answer := d.Uses(d.asked("browser"))
			return ada, func() error { _, err := d.enter("browser", answer); return err }
		}
		second := func() (*staff.User, func() error) {
			pending := modelstest.First(signIn(t, f, ada.Email))(t)
			code := recovery[0]
			recovery = recovery[1:]
			return ada, func() error { _, _, err := f.Staff.SecondFactor(ctx, pending, code); return err }
		}
		for _, way := range []struct {
			name  string
			begin func() (*staff.User, func() error)
		}{{"a password", password}, {"a passkey", passkey}, {"a second factor", second}} {
			for _, first := range []bool{true, false} {
				u, enter := way.begin()
				both := []func() error{turnOff, enter}
				if first {
					both = []func() error{enter, turnOff}
				}
				for _, err := range whileHeld(t, f, u, both...) {
					if kind := store.KindOf(err); kind != 0 && kind != store.Unauthorized {
						t.Errorf("%s, first: %t: %v", way.name, first, err)
					}
				}
				const open = "SELECT count(*) FROM logins WHERE identity_id IS NULL"
				modelstest.Want(t, fmt.Sprintf("%s, first: %t: logins outlive that passwords are turned off", way.name, first),
					modelstest.RowsOf(t, f, open), 0)
				modelstest.Fine(t, f.Team(ctx, ada).TurnPasswordsOn(ctx))
			}
		}
	})
}

// owners makes a provider whose group "owners" makes owners, and Bob, who came by it.
func owners(t *testing.T, f *modelstest.Fixture, ada *staff.User) (*staff.Provider, *staff.Entry) {
	t.Helper()
	p := house(t, f, ada, staff.GroupGrant{Group: "owners", Role: staff.Owner},
		staff.GroupGrant{Group: "board", Role: staff.Viewer})
	return p, modelstest.Must(comes(t, f, p, person("bob", "owners")))(t)
}

func TestAnOwnerWhoCanSignInIsLeftWhilePasswordsAreOn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		p, entry := owners(t, f, ada)
		bob := entry.Login.User
		modelstest.Fine(t, f.Team(ctx, ada).SwitchProvider(ctx, p.ID, false)) // Ada has her password
		stepDown := staff.Change{Role: new(staff.Viewer)}
		modelstest.WantKind(t, "who has the only password stepping down", f.Team(ctx, ada).Change(ctx, ada.ID, stepDown),
			store.Invalid)
		modelstest.WantKind(t, "removing her", f.Team(ctx, bob).Remove(ctx, ada.ID), store.Invalid)
		modelstest.Fine(t, f.Team(ctx, ada).SwitchProvider(ctx, p.ID, true))
		modelstest.Fine(t, f.Team(ctx, ada).Change(ctx, ada.ID, stepDown))
		entry = modelstest.Must(comes(t, f, p, person("bob", "owners")))(t)
		modelstest.WantKind(t, "turning off what the only owner came by", f.Team(ctx, bob).SwitchProvider(ctx, p.ID, false),
			store.Invalid)
		modelstest.Answers(f.Staff.LoginBy(ctx, entry.Token))(t, "a refused change ended a login", 0)
		// Who came by what is deleted chooses a password by a reset link.
		modelstest.Fine(t, f.Team(ctx, bob).DeleteProvider(ctx, p.ID))
		token, _, err := f.Staff.RequestReset(ctx, bob.Email, "")
		if modelstest.Fine(t, err); token == "" {
			t.Error("the only owner cannot choose a password")
		}
	})
}

func TestAnotherProviderIsAWayInForAnOwner(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		p, entry := owners(t, f, ada)
		bob := entry.Login.User
		other := modelstest.Must(f.Team(ctx, ada).AddProvider(ctx, staff.NewProvider{Name: "Other",
			Issuer: "https://accounts.example.org", ClientID: "1"}))(t)
		modelstest.Fine(t, f.Team(ctx, ada).SwitchProvider(ctx, other.ID, true))
		modelstest.Fine(t, links(t, f, other, ada, staff.Person{Subject: "ada"}))
		modelstest.Fine(t, f.Team(ctx, ada).TurnPasswordsOff(ctx, ""))
		modelstest.Fine(t, f.Team(ctx, bob).SwitchProvider(ctx, p.ID, false))
		modelstest.WantKind(t, "the last way in", f.Team(ctx, bob).SwitchProvider(ctx, other.ID, false), store.Invalid)
		modelstest.WantKind(t, "the last one with a way in", f.Team(ctx, bob).Remove(ctx, ada.ID), store.Invalid)
		modelstest.Fine(t, f.Team(ctx, ada).Remove(ctx, bob.ID))
	})
}

func TestTheLastOwnerComesInWithoutAGroup(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		p, earlier := owners(t, f, ada)
		bob := earlier.Login.User
		modelstest.Fine(t, f.Team(ctx, ada).Change(ctx, ada.ID, staff.Change{Role: new(staff.Viewer)}))
		invited := modelstest.Must(f.Team(ctx, bob).Invite(ctx, staff.Invitation{Email: "cy@example.org",
			Role: staff.Viewer, Everywhere: true}))(t)
		for name, who := range map[string]staff.Person{"in no group": person("bob"), "in a lesser one": person("bob", "board")} {
			entry, err := comes(t, f, p, who)
			if err != nil || entry.Login.User.Role != staff.Owner {
				t.Fatalf("the last owner %s: %+v, %v", name, entry, err)
			}
		}
		modelstest.Answers(f.Staff.LoginBy(ctx, earlier.Token))(t, "the login of before", 0)
		modelstest.Answers(f.Staff.InvitationBy(ctx, invited))(t, "the invitation that they sent", 0)
		modelstest.Fine(t, f.Team(ctx, bob).Change(ctx, ada.ID, staff.Change{Role: new(staff.Owner)}))
		modelstest.Answers(comes(t, f, p, person("bob")))(t, "beside another owner", store.NotFound)
		_, err := f.Staff.LoginBy(ctx, earlier.Token)
		modelstest.WantKind(t, "the login of before, beside another owner", err, store.Unauthorized)
	})
}
