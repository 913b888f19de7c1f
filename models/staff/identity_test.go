package staff_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// links links an account at a provider to a member, from a browser that is signed in.
func links(t *testing.T, f *modelstest.Fixture, p *staff.Provider, u *staff.User, who staff.Person) error {
	t.Helper()
	token, _, err := f.Staff.BeginLink(t.Context(), u, modelstest.SecretPhrase, p.ID, "192.0.2.1")
	modelstest.Fine(t, err)
	v := modelstest.Must(f.Staff.EndVisit(t.Context(), token))(t)
	_, err = f.Staff.Link(t.Context(), v, who, "192.0.2.1")
	return err
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
				_, err := comes(t, f, p, who)
				modelstest.WantKind(t, who.Subject+" "+when, err, store.NotFound)
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
		if entry.Login.UserID != desk.ID {
			t.Errorf("%+v", entry.Login)
		}
		modelstest.Must(comes(t, f, p, before[0]))(t)
		refused("once another account accepted", before[1])
	})
}
