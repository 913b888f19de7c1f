package staff_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
)

// house makes a provider of Ada's organization, which is on.
func house(t *testing.T, f *modelstest.Fixture, ada *staff.User, grants ...staff.GroupGrant) *staff.Provider {
	t.Helper()
	n := staff.NewProvider{Name: "House", Issuer: "https://login.example.org", ClientID: "lectern", Secret: "s3cret",
		Domains: []string{"Example.org"}}
	if n.Grants = grants; len(grants) > 0 {
		n.GroupsClaim = "groups"
	}
	p := modelstest.Must(f.Team(t.Context(), ada).AddProvider(t.Context(), n))(t)
	modelstest.Fine(t, f.Team(t.Context(), ada).SwitchProvider(t.Context(), p.ID, true))
	p.IsEnabled = true
	return p
}

// comes signs somebody in by a provider.
func comes(t *testing.T, f *modelstest.Fixture, p *staff.Provider, who staff.Person) (*staff.Entry, error) {
	t.Helper()
	return comesBy(t, f, staff.ProviderVisit{ProviderID: p.ID}, who)
}

func comesBy(t *testing.T, f *modelstest.Fixture, v staff.ProviderVisit, who staff.Person) (*staff.Entry, error) {
	t.Helper()
	token := modelstest.First(f.Staff.BeginVisit(t.Context(), v, "192.0.2.1"))(t)
	back := modelstest.Must(f.Staff.EndVisit(t.Context(), token))(t)
	return f.Staff.Enter(t.Context(), back, who, signin.Browser{Address: "192.0.2.1"})
}

// person returns a verified person of example.org, whose subject is their name.
func person(name string, groups ...string) staff.Person {
	return staff.Person{Subject: name, Email: name + "@example.org", Name: strings.ToUpper(name[:1]) + name[1:],
		Verified: true, Groups: groups}
}

func TestTheFirstSignInLinksOrMakesAMember(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		modelstest.ForeignOwner(t, f)
		p := house(t, f, ada, staff.GroupGrant{Group: "programme", Role: staff.Organizer, EventID: f.Event.ID},
			staff.GroupGrant{Group: "readers", Role: staff.Viewer, EventID: f.Event.ID},
			staff.GroupGrant{Group: "board", Role: staff.Viewer})
		unverified, elsewhere, eve := person("ada"), person("ada"), person("eve")
		unverified.Verified, elsewhere.Email = false, "ada@elsewhere.org"
		for name, who := range map[string]staff.Person{"an unverified address": unverified, "another domain": elsewhere,
			"another organization's owner": eve, "no group": person("bob"), "a group that gives nothing": person("bob", "x"),
			"no address": {Subject: "x", Verified: true}} {
			entry, err := comes(t, f, p, who)
			modelstest.WantKind(t, name, err, store.NotFound)
			if entry != nil {
				t.Errorf("%s: %+v", name, entry)
			}
		}
		entry, err := comes(t, f, p, person("ada"))
		if err != nil || !entry.IsNew || entry.Login.User.ID != ada.ID || entry.Login.User.Role != staff.Owner {
			t.Fatalf("ada comes in as %+v, %v", entry, err)
		}
		login := modelstest.Must(f.Staff.LoginBy(ctx, entry.Token))(t)
		if login.User.ID != ada.ID || login.IdentityID == nil {
			t.Errorf("the login is %+v", login)
		}
		// The account is hers from now on, whatever address it has; another one with her address is not.
		if again, err := comes(t, f, p, elsewhere); err != nil || again.IsNew || again.Login.User.ID != ada.ID {
			t.Errorf("again: %+v, %v", again, err)
		}
		other := person("ada")
		other.Subject = "another"
		modelstest.Answers(comes(t, f, p, other))(t, "another account with her address", store.NotFound)
		entry, err = comes(t, f, p, person("bob", "readers", "programme"))
		if err != nil || entry.IsNew || entry.Login.User.RoleAt(f.Event.ID) != staff.Organizer ||
			entry.Login.User.RoleAt(f.Other.ID) != "" || entry.Login.User.Name != "Bob" {
			t.Fatalf("bob comes in as %+v, %v", entry, err)
		}
		entry, err = comes(t, f, p, person("cy", "board", "programme"))
		if err != nil || entry.Login.User.RoleAt(f.Other.ID) != staff.Viewer {
			t.Errorf("cy comes in as %+v, %v", entry, err)
		}
	})
}

func TestGroupsSayTheRoleAtEachSignIn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		p := house(t, f, ada, staff.GroupGrant{Group: "owners", Role: staff.Owner},
			staff.GroupGrant{Group: "board", Role: staff.Viewer})
		entry := modelstest.Must(comes(t, f, p, person("bob", "board")))(t)
		modelstest.Must(comes(t, f, p, person("bob", "owners")))(t)
		modelstest.Want(t, "bob is", modelstest.Must(f.Staff.LoginBy(ctx, entry.Token))(t).User.Role, staff.Owner)
		// The only owner stays one.
		modelstest.Fine(t, f.Team(ctx, ada).Change(ctx, ada.ID, staff.Change{Role: new(staff.Viewer)}))
		modelstest.Want(t, "the last owner became",
			modelstest.Must(comes(t, f, p, person("bob", "board")))(t).Login.User.Role, staff.Owner)
		modelstest.Must(comes(t, f, p, person("cy", "owners")))(t)
		modelstest.Want(t, "bob stays", modelstest.Must(comes(t, f, p, person("bob", "board")))(t).Login.User.Role,
			staff.Viewer)
		// Who was a member before keeps what an owner gave them.
		modelstest.Want(t, "ada became", modelstest.Must(comes(t, f, p, person("ada", "owners")))(t).Login.User.Role,
			staff.Viewer)
		modelstest.Answers(comes(t, f, p, person("bob")))(t, "who is in no group any more", store.NotFound)
		modelstest.Answers(f.Staff.LoginBy(ctx, entry.Token))(t, "their earlier login", store.Unauthorized)
		modelstest.Must(comes(t, f, p, person("bob", "board")))(t)
	})
}

func TestWhoWasRemovedComesBackByAnInvitationAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		p := house(t, f, ada, staff.GroupGrant{Group: "board", Role: staff.Viewer})
		bob := modelstest.Must(comes(t, f, p, person("bob", "board")))(t)
		modelstest.Fine(t, f.Team(ctx, ada).Remove(ctx, bob.Login.UserID))
		moved := person("bob", "board")
		moved.Email = "robert@example.org"
		again := person("bob", "board")
		again.Subject = "bob's new account"
		for name, who := range map[string]staff.Person{"the same": person("bob", "board"), "another address": moved,
			"another account": again} {
			modelstest.Answers(comes(t, f, p, who))(t, name, store.NotFound)
		}
		modelstest.Answers(f.Staff.LoginBy(ctx, bob.Token))(t, "the login", store.Unauthorized)
		modelstest.Must(f.Team(ctx, ada).Invite(ctx, staff.Invitation{Email: "bob@example.org", Role: staff.Organizer,
			Everywhere: true}))(t)
		back, err := comes(t, f, p, person("bob", "board"))
		if err != nil || back.Login.UserID != bob.Login.UserID || back.Login.User.Role != staff.Organizer {
			t.Fatalf("%+v, %v", back, err)
		}
		// An owner said what they may do, so their groups do not any more.
		if back = modelstest.Must(comes(t, f, p, person("bob")))(t); back.Login.User.Role != staff.Organizer {
			t.Errorf("bob became %s", back.Login.User.Role)
		}
	})
}

func TestAnInvitationIsAcceptedByAProvider(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		p := house(t, f, ada)
		token := modelstest.Must(f.Team(ctx, ada).Invite(ctx, staff.Invitation{Email: "cy@example.com", Role: staff.Viewer,
			Everywhere: true}))(t)
		i := modelstest.Must(f.Staff.InvitationBy(ctx, token))(t)
		who := staff.Person{Subject: "cy", Email: "cyrus@elsewhere.org"} // of whom the provider vouches nothing
		modelstest.Answers(comes(t, f, p, who))(t, "without the link", store.NotFound)
		entry, err := comesBy(t, f, staff.ProviderVisit{ProviderID: p.ID, InvitationID: i.ID}, who)
		if err != nil || entry.Login.User.Email != "cy@example.com" || entry.Login.User.Name != "cy" ||
			entry.Login.User.Role != staff.Viewer {
			t.Fatalf("%+v, %v", entry, err)
		}
		who.Subject = "another"
		_, err = comesBy(t, f, staff.ProviderVisit{ProviderID: p.ID, InvitationID: i.ID}, who)
		modelstest.WantKind(t, "a second time", err, store.NotFound)
		modelstest.Answers(f.Staff.AcceptInvitation(ctx, token, "Cy", phrase))(t, "with a password", store.NotFound)
	})
}

func TestAVisitToAProviderEndsOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		eve, _ := modelstest.ForeignOwner(t, f)
		p := house(t, f, ada)
		begin := func() string {
			t.Helper()
			token, v, err := f.Staff.BeginVisit(ctx, staff.ProviderVisit{ProviderID: p.ID, Next: "/admin"}, "192.0.2.1")
			if err != nil || v.Secret != "s3cret" || v.Provider.SealedSecret == "s3cret" {
				t.Fatalf("%+v, %v", v, err)
			}
			return token
		}
		token := begin()
		if v, err := f.Staff.EndVisit(ctx, token); err != nil || v.Next != "/admin" || v.Secret != "s3cret" {
			t.Errorf("%+v, %v", v, err)
		}
		old := begin()
		f.Clock.Move(staff.ProviderVisitLifetime)
		for name, token := range map[string]string{"used": token, "too old": old, "made up": signin.NewToken(),
			"odd": "\x00"} {
			modelstest.Answers(f.Staff.EndVisit(ctx, token))(t, name, store.Unauthorized)
		}
		underWay := begin()
		modelstest.Fine(t, f.Team(ctx, ada).SwitchProvider(ctx, p.ID, false))
		modelstest.Answers(f.Staff.EndVisit(ctx, underWay))(t, "a provider that is off", store.NotFound)
		modelstest.Answers(f.Staff.EndVisit(ctx, underWay))(t, "and once more", store.Unauthorized)
		for name, v := range map[string]staff.ProviderVisit{"off": {ProviderID: p.ID}, "no id": {ProviderID: "x"},
			"unknown": {ProviderID: store.NewID()}} {
			modelstest.Answers(f.Staff.BeginVisit(ctx, v, "192.0.2.1"))(t, name, store.NotFound)
		}
		modelstest.Fine(t, f.Team(ctx, ada).SwitchProvider(ctx, p.ID, true))
		_, _, err := f.Staff.BeginVisit(ctx, staff.ProviderVisit{ProviderID: p.ID, UserID: &eve.ID}, "192.0.2.1")
		modelstest.WantKind(t, "another organization's", err, store.NotFound)
		f.Clock.Move(staff.ProviderVisitLifetime)
		modelstest.Fine(t, f.Staff.SweepSignIns(ctx))
		modelstest.Want(t, "visits are left", modelstest.RowsOf(t, f, "SELECT count(*) FROM provider_visits"), 0)
		f.Clock.Move(time.Hour)
		for range 100 {
			begin()
		}
		_, _, err = f.Staff.BeginVisit(ctx, staff.ProviderVisit{ProviderID: p.ID}, "192.0.2.1")
		modelstest.WantKind(t, "too many", err, store.TooMany)
	})
}

func TestASignInByAProviderLastsHalfADay(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		p := house(t, f, ada)
		modelstest.WithTOTP(t, f, ada, phrase)
		modelstest.Fine(t, f.Team(ctx, ada).RequireSecondFactor(ctx, true))
		modelstest.Must(f.Team(ctx, ada).Invite(ctx, staff.Invitation{Email: "bob@example.org", Role: staff.Viewer,
			Everywhere: true}))(t)
		entry := modelstest.Must(comes(t, f, p, person("bob")))(t)
		for range 11 {
			f.Clock.Move(time.Hour)
			login := modelstest.Must(f.Staff.LoginBy(ctx, entry.Token))(t)
			if login.Pending || login.OwesFactor {
				t.Fatalf("the provider answers for a second factor, but %+v", login)
			}
			modelstest.Fine(t, f.Staff.KeepSeen(ctx))
		}
		f.Clock.Move(time.Hour)
		modelstest.Answers(f.Staff.LoginBy(ctx, entry.Token))(t, "after twelve hours", store.Unauthorized)
	})
}

func TestOnlyOwnersSeeToProviders(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		eve, foreign := modelstest.ForeignOwner(t, f)
		bob := f.Hire(t, "bob", staff.Organizer)
		p := house(t, f, ada)
		good := staff.NewProvider{Name: "Other", Issuer: "https://accounts.example.org", ClientID: "1"}
		for name, by := range map[string]*staff.User{"an organizer": bob, "nobody": {}, "another organization": eve} {
			team := f.Team(ctx, by)
			if name != "another organization" {
				modelstest.Answers(team.AddProvider(ctx, good))(t, name+" adding", store.NotFound)
			}
			modelstest.WantKind(t, name+" changing", team.ChangeProvider(ctx, p.ID, good, p.UpdatedAt), store.NotFound)
			modelstest.WantKind(t, name+" switching", team.SwitchProvider(ctx, p.ID, false), store.NotFound)
			modelstest.WantKind(t, name+" deleting", team.DeleteProvider(ctx, p.ID), store.NotFound)
		}
		team := f.Team(ctx, ada)
		for name, break_ := range map[string]func(*staff.NewProvider){
			"no name":         func(n *staff.NewProvider) { n.Name = " " },
			"no issuer":       func(n *staff.NewProvider) { n.Issuer = "" },
			"plain http":      func(n *staff.NewProvider) { n.Issuer = "http://login.example.org" },
			"a script":        func(n *staff.NewProvider) { n.Issuer = "javascript:alert(1)" },
			"a whole address": func(n *staff.NewProvider) { n.Issuer += "/.well-known/openid-configuration" },
			"a password":      func(n *staff.NewProvider) { n.Issuer = "https://a:b@example.org" },
			"no client":       func(n *staff.NewProvider) { n.ClientID = "" },
			"a bad domain":    func(n *staff.NewProvider) { n.Domains = []string{"example"} },
			"groups nowhere":  func(n *staff.NewProvider) { n.Grants = []staff.GroupGrant{{Group: "a", Role: staff.Viewer}} },
			"no role": func(n *staff.NewProvider) {
				n.GroupsClaim, n.Grants = "groups", []staff.GroupGrant{{Group: "a"}}
			},
			"an owner of an event": func(n *staff.NewProvider) {
				n.GroupsClaim = "groups"
				n.Grants = []staff.GroupGrant{{Group: "a", Role: staff.Owner, EventID: f.Event.ID}}
			},
			"a foreign event": func(n *staff.NewProvider) {
				n.GroupsClaim = "groups"
				n.Grants = []staff.GroupGrant{{Group: "a", Role: staff.Viewer, EventID: foreign}}
			},
		} {
			bad := good
			break_(&bad)
			modelstest.Answers(team.AddProvider(ctx, bad))(t, name, store.Invalid)
		}
		modelstest.WantKind(t, "an old form", team.ChangeProvider(ctx, p.ID, good, p.CreatedAt), store.Stale)
		now := modelstest.Must(team.Providers(ctx))(t)
		if len(now) != 1 || now[0].Domains[0] != "example.org" {
			t.Fatalf("%+v", now)
		}
		modelstest.Fine(t, team.ChangeProvider(ctx, p.ID, good, now[0].UpdatedAt))
		modelstest.Must(f.Team(ctx, ada).Invite(ctx, staff.Invitation{Email: "cy@example.org", Role: staff.Viewer,
			Everywhere: true}))(t)
		now = modelstest.Must(team.Providers(ctx))(t)
		good.Domains = []string{"example.org"}
		modelstest.Fine(t, team.ChangeProvider(ctx, p.ID, good, now[0].UpdatedAt))
		entry := modelstest.Must(comes(t, f, p, person("cy")))(t)
		now = modelstest.Must(team.Providers(ctx))(t)
		moved := good
		moved.Issuer = "https://another.example.org"
		modelstest.WantKind(t, "another issuer", team.ChangeProvider(ctx, p.ID, moved, now[0].UpdatedAt), store.Invalid)
		modelstest.Fine(t, team.DeleteProvider(ctx, p.ID))
		modelstest.Answers(f.Staff.LoginBy(ctx, entry.Token))(t, "a login by what was deleted", store.Unauthorized)
	})
}

func TestAProviderIsDeletedAsSomebodySetsOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		setOut := func(p *staff.Provider) error {
			return modelstest.ErrorOf(f.Staff.BeginVisit(ctx, staff.ProviderVisit{ProviderID: p.ID}, "192.0.2.1"))
		}
		deleted := func(p *staff.Provider) error { return f.Team(ctx, ada).DeleteProvider(ctx, p.ID) }

		p := house(t, f, ada)
		modelstest.Fine(t, setOut(p)) // one that is under way
		done := make(chan error, 1)
		modelstest.Fine(t, f.Staff.Write(ctx, func(tx *store.Tx) error { // and one that sets out as it is deleted
			v := staff.ProviderVisit{ID: "under way", ProviderID: p.ID, ExpiresAt: tx.Now}
			if err := tx.Create(&v).Error; err != nil {
				return err
			}
			go func() { done <- deleted(p) }()
			modelstest.Waits(t, f, 1)
			return nil
		}))
		modelstest.Fine(t, <-done)

		p = house(t, f, ada)
		if f.Dialect() == "postgres" { // where what the provider was read as may be gone when the visit is written
			stop := f.Statement.Watch(onceRead(func() { modelstest.Fine(t, deleted(p)) }))
			modelstest.WantKind(t, "setting out to what was deleted", setOut(p), store.NotFound)
			stop()
		}
		for range 5 {
			p := house(t, f, ada)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if err := setOut(p); err != nil && store.KindOf(err) != store.NotFound {
						t.Errorf("setting out: %v", err)
					}
				})
			}
			all.Go(func() {
				modelstest.WantKind(t, "deleting", deleted(p), 0)
			})
			all.Wait()
		}
	})
}

// onceRead watches for the first statement that reads a provider by its id, and runs a function after it.
func onceRead(then func()) func(string) {
	var read atomic.Bool // what is done reads it too
	return func(statement string) {
		if strings.Contains(statement, `FROM "identity_providers"`) && !read.Swap(true) {
			then()
		}
	}
}

// links links an account at a provider to a signed-in member.
func links(t *testing.T, f *modelstest.Fixture, p *staff.Provider, u *staff.User, who staff.Person) error {
	t.Helper()
	token := modelstest.First(signIn(t, f, u.Email))(t)
	return modelstest.ErrorOf(f.Staff.Link(t.Context(), backToLink(t, f, p, u), who, token, "192.0.2.1"))
}

// backToLink returns a member from a provider, to link their account there.
func backToLink(t *testing.T, f *modelstest.Fixture, p *staff.Provider, u *staff.User) *staff.ProviderVisit {
	t.Helper()
	token := modelstest.First(f.Staff.BeginLink(t.Context(), u, phrase, p.ID, "192.0.2.1"))(t)
	return modelstest.Must(f.Staff.EndVisit(t.Context(), token))(t)
}

func TestAnAddressThatIsSomebodyElsesNowBringsNoAccountAlong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
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
		modelstest.Want(t, "who accepted", entry.Login.UserID, desk.ID)
		modelstest.Must(comes(t, f, p, before[0]))(t)
		refused("once another account accepted", before[1])
	})
}

func TestNothingIsLinkedAfterTheLoginOrTheProviderEnded(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Viewer)
		theirs := modelstest.First(signIn(t, f, bob.Email))(t)
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
			token := modelstest.First(signIn(t, f, ada.Email))(t)
			v := backToLink(t, f, p, ada)
			token = modelstest.Must(x.end(token))(t)
			modelstest.Answers(f.Staff.Link(ctx, v, who, token, "192.0.2.1"))(t, x.name, x.want)
		}
		modelstest.Want(t, "identities", len(modelstest.Must(f.Staff.Identities(ctx, ada.ID))(t)), 0)
	})
}
