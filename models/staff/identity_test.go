package staff_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// links links an account at a provider to a signed-in member.
func links(t *testing.T, f *modelstest.Fixture, p *staff.Provider, u *staff.User, who staff.Person) error {
	t.Helper()
	token := modelstest.First(modelstest.SignIn(t, f, u.Email, modelstest.SecretPhrase))(t)
	return modelstest.ErrorOf(f.Staff.Link(t.Context(), backToLink(t, f, p, u), who, token, "192.0.2.1"))
}

// backToLink returns a member from a provider, to link their account there.
func backToLink(t *testing.T, f *modelstest.Fixture, p *staff.Provider, u *staff.User) *staff.ProviderVisit {
	t.Helper()
	token := modelstest.First(f.Staff.BeginLink(t.Context(), u, modelstest.SecretPhrase, p.ID, "192.0.2.1"))(t)
	return modelstest.Must(f.Staff.EndVisit(t.Context(), token))(t)
}

func TestAnAddressThatIsSomebodyElsesNowBringsNoAccountAlong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := modelstest.FirstOwner(t, f)
		p := house(t, f, ada)
		in := staff.Invitation{Email: "desk@example.org", Role: staff.Organizer, Everywhere: true}
		desk := modelstest.Hire(t, f, ada, in)
		before := []staff.Person{{Subject: "private", Email: "mallory@home.example.net"},
			{Subject: "work", Email: "mallory@work.example.net"}}
		for _, who := range before {
			modelstest.Fine(t, links(t, f, p, desk, who))
		}
		refused := func(when string, who ...staff.Person) {
			t.Helper()
			for _, who := range who {
				modelstest.Answers(comes(t, f, p, who))(t, who.Subject+" "+when, store.NotFound)
			}
		}
		modelstest.Fine(t, f.Team(ctx, ada).Remove(ctx, desk.ID))
		refused("after the removal", before...)
		if again := modelstest.Hire(t, f, ada, in); again.ID != desk.ID {
			t.Fatalf("the address has another row: %s", again.ID)
		}
		refused("once the address has a new password", before...)
		// Who accepts by one of them keeps that one.
		modelstest.Fine(t, links(t, f, p, desk, before[0]))
		modelstest.Fine(t, links(t, f, p, desk, before[1]))
		modelstest.Fine(t, f.Team(ctx, ada).Remove(ctx, desk.ID))
		token := modelstest.Must(f.Team(ctx, ada).Invite(ctx, in))(t)
		i := modelstest.Must(f.Staff.InvitationBy(ctx, token))(t)
		entry := modelstest.Must(comesBy(t, f, staff.ProviderVisit{ProviderID: p.ID, InvitationID: i.ID}, before[0]))(t)
		modelstest.Want(t, "user i d", entry.Login.UserID, desk.ID)
		modelstest.Must(comes(t, f, p, before[0]))(t)
		refused("once another account accepted", before[1])
	})
}

func TestNothingIsLinkedAfterTheLoginOrTheProviderEnded(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := modelstest.FirstOwner(t, f)
		bob := modelstest.Hire(t, f, ada, staff.Invitation{Email: "bob@example.org", Role: staff.Viewer, Everywhere: true})
		theirs := modelstest.First(modelstest.SignIn(t, f, bob.Email, modelstest.SecretPhrase))(t)
		p := house(t, f, ada)
		who := staff.Person{Subject: "ada", Email: "ada@home.example.net"}
		for _, x := range []struct {
			name string
			end  func(token string) (now string, err error)
			want store.Kind
		}{
			{"a login that ended", func(token string) (string, error) { return token, f.Staff.SignOut(ctx, token) },
				store.Unauthorized},
			{"another member's", func(string) (string, error) { return theirs, nil }, store.Unauthorized},
			{"a provider that is off", func(token string) (string, error) {
				return token, f.Team(ctx, ada).SwitchProvider(ctx, p.ID, false)
			}, store.NotFound},
			{"one that is gone", func(token string) (string, error) {
				return token, f.Team(ctx, ada).DeleteProvider(ctx, p.ID)
			}, store.NotFound},
		} {
			modelstest.Fine(t, f.Team(ctx, ada).SwitchProvider(ctx, p.ID, true))
			token := modelstest.First(modelstest.SignIn(t, f, ada.Email, modelstest.SecretPhrase))(t)
			v := backToLink(t, f, p, ada)
			token = modelstest.Must(x.end(token))(t)
			modelstest.Answers(f.Staff.Link(ctx, v, who, token, "192.0.2.1"))(t, x.name, x.want)
		}
		modelstest.Want(t, "identities", len(modelstest.Must(f.Staff.Identities(ctx, ada.ID))(t)), 0)
	})
}
