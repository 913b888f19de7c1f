package staff_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// owners is a provider whose group "owners" is of owners, and Bob, who came by it.
func owners(t *testing.T, f *modelstest.Fixture, ada *staff.User) (*staff.Provider, *staff.Entry) {
	t.Helper()
	p := house(t, f, ada, staff.GroupGrant{Group: "owners", Role: staff.Owner},
		staff.GroupGrant{Group: "board", Role: staff.Viewer})
	return p, modelstest.Must(comes(t, f, p, person("bob", "owners")))(t)
}

func TestAnOwnerWhoCanSignInIsLeftWhilePasswordsAreOn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := modelstest.FirstOwner(t, f)
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
		ctx := t.Context()
		ada := modelstest.FirstOwner(t, f)
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
		ctx := t.Context()
		ada := modelstest.FirstOwner(t, f)
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
