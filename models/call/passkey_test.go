package call_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/passkey"
	"lectern/models/passkey/webauthn"
	"lectern/models/people"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
)

// phone is a speaker's device and its browser.
type phone struct {
	modelstest.Device
	t    *testing.T
	f    *modelstest.Fixture
	c    *modelstest.Called
	site passkey.Site
}

func phoneOf(t *testing.T, f *modelstest.Fixture, c *modelstest.Called, pl *call.Place) *phone {
	t.Helper()
	const public = "https://programme.example.org"
	site, why := webauthn.New(public)
	if why != "" {
		t.Fatal(why)
	}
	return &phone{modelstest.NewDevice(t, public, pl.Account().ID), t, f, c, site}
}

func (p *phone) answer(json []byte) passkey.Answer {
	return passkey.Answer{Site: p.site, Token: "browser", JSON: json}
}

// begins returns the options for a new passkey, confirmed by a password or by none.
func (p *phone) begins(pl *call.Place, password string) (string, error) {
	return pl.BeginPasskey(p.t.Context(), p.site, "browser", password, "ada@example.org")
}

func (p *phone) add(pl *call.Place) {
	p.t.Helper()
	options := modelstest.Must(p.begins(pl, ""))(p.t)
	modelstest.Fine(p.t, pl.AddPasskey(p.t.Context(), p.c.Event, p.answer(p.Makes(options)), "Phone"))
}

func (p *phone) asked() string {
	p.t.Helper()
	return modelstest.Must(call.PasskeyToEnter(p.f.Store, p.site, "browser"))(p.t)
}

func (p *phone) enter(json []byte) (*call.Login, error) {
	_, login, err := call.EnterByPasskey(p.t.Context(), p.f.Store, p.c.Event, p.answer(json),
		call.Browser{Address: "192.0.2.1"})
	return login, err
}

// provenAda makes a speaker with a proven address and a passkey.
func provenAda(t *testing.T, f *modelstest.Fixture) (*phone, *call.Place) {
	t.Helper()
	c := modelstest.OpenCall(t, f)
	pl, _ := c.Begin(t, f, "Ada", "Tides")
	pl = c.Prove(t, f, pl)
	p := phoneOf(t, f, c, pl)
	p.add(pl)
	return p, pl
}

func TestAPasskeyOpensThePlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, pl := provenAda(t, f)
		f.Clock.Move(time.Hour)
		login, err := p.enter(p.Uses(p.asked()))
		if err != nil || login.AccountID != pl.Account().ID || login.EventID != nil {
			t.Fatalf("%+v, %v", login, err)
		}
		if place := call.PlaceOf(f.Store, login, store.By{}); !place.IsProved() || place.NeedsPassword() {
			t.Error("who came in by a passkey is not known to be there themself")
		}
		keys := modelstest.Must(pl.Passkeys(t.Context()))(t)
		modelstest.Holds(t, len(keys) == 1 && keys[0].SignCount == 1 && keys[0].LastUsedAt != nil, "%+v", keys)
		all := lettersOf(t, f)
		modelstest.Holds(t, len(all) == 1 && all[0].Subject == "A passkey at Conference", "the letters are %+v", all)
		w, copied := waysOn(t, f), modelstest.Must(call.Of(f.Programme()).PlaceLink(t.Context(), pl.ContactID()))(t)
		handed := w.place(modelstest.Must(w.open(copied, "", nil))(t).Token)
		modelstest.Want(t, "whoever was handed a link reads of", len(modelstest.Must(handed.Passkeys(t.Context()))(t)), 0)
	})
}

func TestAPasskeyOfAPlaceIsTakenOnlyAsItWasAskedFor(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		p, _ := provenAda(t, f)
		refused := func(what string, change func(*phone), answer func(*phone) []byte) {
			t.Helper()
			other := *p
			change(&other)
			_, err := other.enter(answer(&other))
			p.Key.Counter = other.Key.Counter
			modelstest.WantKind(t, what, err, store.Unauthorized)
			f.Clock.Move(16 * time.Minute)
		}
		asks := func(p *phone) []byte { return p.Uses(p.asked()) }
		refused("another origin", func(p *phone) { p.Party.Origin = "https://programme.example.com" }, asks)
		refused("another site", func(p *phone) { p.Party.ID = "example.com" }, asks)
		refused("nobody verified", func(p *phone) { p.Auth.Options.UserNotVerified = true }, asks)
		refused("in the name of another", func(p *phone) { p.Auth.Options.UserHandle = []byte("another") }, asks)
		refused("a key of another", func(p *phone) { p.Key.Key = modelstest.NewPasskey(t).Key }, asks)
		refused("a passkey that nobody has", func(p *phone) { p.Key.ID = []byte("nobody has this") }, asks)
		refused("no answer", func(*phone) {}, func(*phone) []byte { return []byte("{}") })
		refused("a challenge that is too old", func(*phone) {}, func(p *phone) []byte {
			options := p.asked()
			f.Clock.Move(passkey.ChallengeLifetime)
			return p.Uses(options)
		})
		refused("a challenge of staff", func(*phone) {}, func(p *phone) []byte {
			return p.Uses(modelstest.Must(f.Staff.PasskeyToEnter(p.site, "browser"))(t))
		})
		options := p.asked()
		modelstest.Answers(f.Staff.SignInByPasskey(ctx, p.answer(p.Uses(modelstest.Must(f.Staff.PasskeyToEnter(p.site,
			"browser"))(t))), call.Browser{}))(t, "at the door of staff", store.Unauthorized)
		foreign := *p.c.Event
		_, foreign.OrganizationID = modelstest.ForeignOwner(t, f)
		_, _, err := call.EnterByPasskey(ctx, f.Store, &foreign, p.answer(p.Uses(options)), call.Browser{})
		modelstest.WantKind(t, "at another organization", err, store.Unauthorized)
		answer := p.Uses(options)
		modelstest.Answers(p.enter(answer))(t, "as asked for", 0)
		modelstest.Answers(p.enter(answer))(t, "again", store.Unauthorized)

		p.Key.Counter = 0
		modelstest.Answers(p.enter(p.Uses(p.asked())))(t, "a copy", store.Unauthorized)
		if all := lettersOf(t, f); len(all) != 2 || all[0].Subject != "A passkey at Conference may have been copied" {
			t.Errorf("the letters are %+v", all)
		}
		for range 4 {
			p.enter(asks(p))
		}
		modelstest.Answers(p.enter(asks(p)))(t, "the sixth", store.TooMany)
	})
}

func TestPasskeysOfAPlaceNeedItsOwner(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, _ := c.Begin(t, f, "Ada", "Tides")
		p := phoneOf(t, f, c, pl)
		modelstest.Answers(p.begins(pl, ""))(t, "an address that is not proven", store.Invalid)
		pl = c.Prove(t, f, pl)
		modelstest.Fine(t, pl.SetPassword(ctx, c.Event, "", modelstest.SecretPhrase))
		token, login, err := call.SignIn(ctx, f.Store, c.Event.OrganizationID, call.Attempt{Email: pl.Account().Email,
			Password: modelstest.SecretPhrase})
		if err != nil || token == "" {
			t.Fatal(err)
		}
		pl = call.PlaceOf(f.Store, login, store.By{})
		modelstest.Answers(p.begins(pl, ""))(t, "without the password", store.Invalid)
		options := modelstest.Must(p.begins(pl, modelstest.SecretPhrase))(t)
		p.Auth.Options.UserNotVerified = true
		err = pl.AddPasskey(ctx, c.Event, p.answer(p.Makes(options)), "Phone")
		modelstest.WantKind(t, "nobody verified", err, store.Invalid)
		p.Auth.Options.UserNotVerified = false
		options = modelstest.Must(p.begins(pl, modelstest.SecretPhrase))(t)
		made := p.Makes(options)
		modelstest.Fine(t, pl.AddPasskey(ctx, c.Event, p.answer(made), "Phone"))
		modelstest.WantKind(t, "twice", pl.AddPasskey(ctx, c.Event, p.answer(made), "Phone"), store.Invalid)
		key := modelstest.Must(pl.Passkeys(ctx))(t)[0]

		li, _ := c.Begin(t, f, "Li", "Winds")
		li = c.Prove(t, f, li)
		modelstest.WantKind(t, "removing another's", li.RemovePasskey(ctx, c.Event, key.ID, ""), store.NotFound)
		modelstest.WantKind(t, "removing without the password", pl.RemovePasskey(ctx, c.Event, key.ID, ""), store.Invalid)
		modelstest.Fine(t, pl.RemovePasskey(ctx, c.Event, key.ID, modelstest.SecretPhrase))
		modelstest.Answers(p.enter(p.Uses(p.asked())))(t, "what was removed", store.Unauthorized)

		// A passkey ends with the address that it was made by.
		theirs := phoneOf(t, f, c, li)
		theirs.add(li)
		modelstest.Answers(theirs.enter(theirs.Uses(theirs.asked())))(t, "before", 0)
		waysOn(t, f).address(li.ContactID(), "new@example.org")
		modelstest.Answers(theirs.enter(theirs.Uses(theirs.asked())))(t, "after another address", store.Unauthorized)
		modelstest.Want(t, "passkeys are kept", modelstest.RowsOf(t, f, "SELECT count(*) FROM speaker_passkeys"), 0)
	})
}

func TestAMergedPlaceKnowsThePasskeysOfAllItsAccounts(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c, w := t.Context(), modelstest.OpenCall(t, f), waysOn(t, f)
		who := func(name, email string) (*phone, *call.Place) {
			w.known(name, email)
			pl := w.place(modelstest.Must(w.open(w.mint(email), "", nil))(t).Token)
			p := phoneOf(t, f, c, pl)
			p.add(pl)
			return p, pl
		}
		mine, stays := who("Ada", "ada@example.org")
		lost, gone := who("Ada B.", "ada@elsewhere.org")
		li, other := who("Li", "li@example.org")
		modelstest.Must(people.In(w.d).Merge(ctx, []people.MergePair{{SurvivorID: stays.ContactID(),
			RemovedID: gone.ContactID(), Keep: []string{"ada@elsewhere.org"}}}))(t)
		modelstest.Answers(lost.enter(lost.Uses(lost.asked())))(t, "the second address, which was ticked", 0)

		keys := modelstest.Must(stays.Passkeys(ctx))(t)
		at := slices.IndexFunc(keys, func(k call.Passkey) bool { return k.AccountID == gone.Account().ID })
		if len(keys) != 2 || at < 0 {
			t.Fatalf("the place knows %+v", keys)
		}
		modelstest.WantKind(t, "by somebody else", other.RemovePasskey(ctx, c.Event, keys[at].ID, ""), store.NotFound)
		modelstest.WantKind(t, "who was in as one who is gone", gone.RemovePasskey(ctx, c.Event, keys[at].ID, ""),
			store.NotFound)
		before := len(lettersOf(t, f))
		modelstest.Fine(t, stays.RemovePasskey(ctx, c.Event, keys[at].ID, ""))
		modelstest.Want(t, "letters tell both addresses", len(lettersOf(t, f)), before+2)
		modelstest.Answers(lost.enter(lost.Uses(lost.asked())))(t, "what was removed", store.Unauthorized)
		for _, p := range []*phone{mine, li} {
			modelstest.Answers(p.enter(p.Uses(p.asked())))(t, "another", 0)
		}
		again := w.place(modelstest.Must(w.open(w.mint("ada@elsewhere.org"), "", nil))(t).Token)
		for range passkey.Most - 1 {
			phoneOf(t, f, c, again).add(again)
		}
		modelstest.Answers(mine.begins(stays, ""))(t, "one more than somebody may have", store.Invalid)
	})
}

func TestGuessesAtPasskeysOfPlacesAreCountedApart(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := modelstest.OpenCall(t, f)
		pl, _ := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		p := phoneOf(t, f, c, pl)
		modelstest.Fine(t, pl.SetPassword(t.Context(), p.c.Event, "", modelstest.SecretPhrase))
		p.add(pl)
		password := func(email, password string) error {
			return modelstest.ErrorOf(call.SignIn(t.Context(), f.Store, p.c.Event.OrganizationID,
				call.Attempt{Email: email, Password: password, Browser: call.Browser{Address: "192.0.2.1"}}))
		}
		for range signin.FailuresOfAddress {
			modelstest.Answers(p.enter([]byte("{}")))(t, "a guess at a passkey", store.Unauthorized)
		}
		modelstest.Answers(p.enter(p.Uses(p.asked())))(t, "a passkey after them", store.TooMany)
		modelstest.WantKind(t, "the password after them", password(pl.Account().Email, modelstest.SecretPhrase), 0)
		f.Clock.Move(16 * time.Minute)
		for i := range signin.FailuresOfAddress {
			modelstest.WantKind(t, "a guess at a password", password(fmt.Sprint("nobody", i, "@example.org"), "guess"),
				store.Unauthorized)
		}
		modelstest.WantKind(t, "the password after those", password(pl.Account().Email, modelstest.SecretPhrase),
			store.TooMany)
		modelstest.Answers(p.enter(p.Uses(p.asked())))(t, "a passkey after those", 0)
	})
}

// A passkey that a thief made ends when the owner signs all other devices out.
func TestPasskeysEndWithTheOtherDevices(t *testing.T) {
	for how, end := range map[string]func(context.Context, *call.Place, *models.Event) error{
		"devices": func(ctx context.Context, pl *call.Place, e *models.Event) error { return pl.LeaveOthers(ctx, e) },
		"a password": func(ctx context.Context, pl *call.Place, e *models.Event) error {
			return pl.SetPassword(ctx, e, "", modelstest.SecretPhrase)
		},
	} {
		t.Run(how, func(t *testing.T) {
			modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
				thief, pl := provenAda(t, f)
				mine := phoneOf(t, f, thief.c, pl)
				mine.add(pl)
				f.Clock.Move(time.Minute)
				login := modelstest.Must(mine.enter(mine.Uses(mine.asked())))(t)
				in := call.PlaceOf(f.Store, login, store.By{Door: "call"})
				modelstest.Fine(t, end(t.Context(), in, thief.c.Event))
				modelstest.Answers(thief.enter(thief.Uses(thief.asked())))(t, "another passkey", store.Unauthorized)
				f.Clock.Move(time.Minute)
				modelstest.Answers(mine.enter(mine.Uses(mine.asked())))(t, "the one that they came in with", 0)
				modelstest.Fine(t, in.LeaveOthers(t.Context(), thief.c.Event)) // somebody else may have used it since
				modelstest.Answers(mine.enter(mine.Uses(mine.asked())))(t, "once it was used again", store.Unauthorized)
			})
		})
	}
}

func TestSigningInAsASpeakerTellsNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		begins(t, f, "Ingrid", "ingrid@sorlie.example", modelstest.SecretPhrase)
		begins(t, f, "Ada", "ada@example.org", "")
		for _, email := range []string{"ingrid@sorlie.example", "ada@example.org", "nobody@example.org", "",
			"x\x00@example.org"} {
			_, err := signIn(t, f, email, "not the password")
			modelstest.WantKind(t, email, err, store.Unauthorized)
			modelstest.Want(t, email+" answers", err.Error(), "The address or the password is wrong.")
		}
		for i := range 6 {
			_, err := signIn(t, f, "other@example.org", "wrong")
			modelstest.Want(t, fmt.Sprint("too many by attempt ", i), store.KindOf(err) == store.TooMany, i == 5)
		}
		// Staff and speakers are let in apart.
		modelstest.FirstOwner(t, f)
		modelstest.Answers(f.Staff.SignIn(t.Context(), staff.SignIn{Email: "ingrid@sorlie.example",
			Password: modelstest.SecretPhrase}))(t, "a speaker in the admin", store.Unauthorized)
		_, err := signIn(t, f, "ada@example.org", modelstest.SecretPhrase)
		modelstest.WantKind(t, "an owner in the place", err, store.Unauthorized)
	})
}

func TestPasswordsAndDevicesOfAPlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ingrid := begins(t, f, "Ingrid", "ingrid@sorlie.example", "")
		other := begins(t, f, "Ada", "ada@example.org", "")
		place := ingrid.place
		modelstest.WantKind(t, "without a link that was opened",
			place(ingrid.login).SetPassword(ctx, f.Event, "", "a long phrase"), store.Invalid)
		opens(t, f, ingrid.link, ingrid.login)
		modelstest.WantKind(t, "a common one", place(ingrid.login).SetPassword(ctx, f.Event, "", "password123"),
			store.Invalid)
		modelstest.Fine(t, place(ingrid.login).SetPassword(ctx, f.Event, "", modelstest.SecretPhrase))
		second := modelstest.Must(signIn(t, f, "ingrid@sorlie.example", modelstest.SecretPhrase))(t)
		f.Clock.Move(16 * time.Minute)
		modelstest.WantKind(t, "without the one before", place(second).SetPassword(ctx, f.Event, "", "another long phrase"),
			store.Invalid)
		modelstest.Want(t, "devices", modelstest.Must(place(second).Devices(ctx))(t), 2)
		modelstest.Fine(t, place(second).SetPassword(ctx, f.Event, modelstest.SecretPhrase, "another long phrase"))
		modelstest.Holds(t, ingrid.came(ingrid.login) == "" && ingrid.came(second) != "" && ingrid.came(other.login) != "",
			"another password ends the wrong logins")
		third := modelstest.Must(signIn(t, f, "ingrid@sorlie.example", "another long phrase"))(t)
		modelstest.Fine(t, place(third).LeaveOthers(ctx, f.Event))
		modelstest.Holds(t, ingrid.came(second) == "" && ingrid.came(third) != "" && ingrid.came(other.login) != "",
			"leaving the others ends the wrong ones")
		modelstest.Fine(t, place(third).Leave(ctx, call.Browser{}))
		modelstest.Want(t, "who left is there still", ingrid.came(third), "")
	})
}

func TestWhatIsOldOfPlacesIsSwept(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ingrid := begins(t, f, "Ingrid", "ingrid@sorlie.example", "")
		idle := begins(t, f, "Idle", "idle@example.org", "")
		modelstest.Must(f.Programme().DeleteSession(ctx, idle.session.ID))(t)
		modelstest.Exec(t, f.SQL, "DELETE FROM participants WHERE contact_id = '"+idle.contact.ID+"'")
		rows := func(when string, logins, links, accounts int) {
			t.Helper()
			modelstest.Fine(t, call.Sweep(ctx, f.Store))
			for table, want := range map[string]int{"speaker_logins": logins, "speaker_links": links,
				"speaker_accounts": accounts} {
				modelstest.Want(t, when+": rows of "+table, modelstest.RowsOf(t, f, "SELECT count(*) FROM "+table), want)
			}
		}
		rows("at once", 2, 2, 2)
		f.Clock.Move(call.LoginIdle - time.Minute)
		ingrid.came(ingrid.login)
		modelstest.Fine(t, f.KeepSeen(ctx))
		f.Clock.Move(time.Minute)
		rows("when one is idle", 1, 2, 2)
		f.Clock.Move(call.LinkLifetime - call.LoginIdle)
		rows("after sixty days", 0, 0, 1)
	})
}
