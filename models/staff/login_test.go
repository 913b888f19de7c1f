package staff_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestSigningInTellsNothingOfWhoExists(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.FirstOwner(t, f)
		modelstest.ForeignOwner(t, f) // has no password at all
		message := ""
		for _, in := range []staff.SignIn{
			{Email: "ada@example.org", Password: "correct horse batterY"}, {Email: "ada@example.org"},
			{Email: "ada@example.org", Password: strings.Repeat("x", 300)},
			{Email: "nobody@example.org", Password: phrase}, {Email: "nobody@example.org"},
			{Email: "", Password: phrase}, {},
			{Email: "eve@example.org", Password: ""}, {Email: "eve@example.org", Password: phrase},
			{Email: "ada\x00@example.org", Password: phrase},
			{Email: "\xff", Password: phrase},
			{Email: strings.Repeat("a", 5000), Password: phrase},
		} {
			token, login, err := f.Staff.SignIn(t.Context(), in)
			modelstest.WantKind(t, in.Email, err, store.Unauthorized)
			if token != "" || login != nil {
				t.Errorf("%q gives a login", in.Email)
			}
			if message == "" {
				message = err.Error()
			} else if err.Error() != message {
				t.Errorf("%q answers %q, not %q", in.Email, err, message)
			}
		}
		for _, token := range []string{"", "x", strings.Repeat("x", 43), strings.Repeat("\x00", 43)} {
			modelstest.Answers(f.Staff.LoginBy(t.Context(), token))(t, "a made-up token", store.Unauthorized)
			modelstest.WantKind(t, "signing it out", f.Staff.SignOut(t.Context(), token), 0)
		}
	})
}

func TestALoginLastsAsLongAsItIsUsedAndNoLongerThanTwoWeeks(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		token, login, err := f.Staff.SignIn(ctx, staff.SignIn{Email: " ADA@example.org ", Password: phrase,
			Address: "192.0.2.1", Agent: "B\x00\xff" + strings.Repeat("ü", 400)})
		modelstest.WantKind(t, "signing in", err, 0)
		if login.Pending || login.User.ID != ada.ID || login.Agent != "B"+strings.Repeat("ü", 299) ||
			strings.Contains(login.ID, token) {
			t.Errorf("the login is %+v", login)
		}
		end := f.Clock.Now().Add(staff.LoginLifetime)
		for f.Clock.Now().Add(11 * time.Hour).Before(end) {
			f.Clock.Move(11 * time.Hour)
			found, err := f.Staff.LoginBy(ctx, token)
			if err != nil || found.User.Email != "Ada@example.org" || found.User.Role != staff.Owner ||
				found.User.PasswordHash != "" {
				t.Fatalf("%v: %+v, %v", f.Clock.Now(), found, err)
			}
			modelstest.WantKind(t, "keeping when it was seen", f.KeepSeen(ctx), 0)
		}
		f.Clock.Move(end.Sub(f.Clock.Now()))
		modelstest.Answers(f.Staff.LoginBy(ctx, token))(t, "after two weeks", store.Unauthorized)

		token = modelstest.First(signIn(t, f, "ada@example.org"))(t)
		f.Clock.Move(staff.LoginIdle - time.Minute)
		modelstest.Answers(f.Staff.LoginBy(ctx, token))(t, "nearly idle", 0)
		f.Clock.Move(staff.LoginIdle)
		modelstest.Answers(f.Staff.LoginBy(ctx, token))(t, "idle", store.Unauthorized)
		modelstest.Want(t, "logins are listed", len(modelstest.Must(f.Staff.Logins(ctx, ada.ID))(t)), 0)
	})
}

func TestALoginCostsOneStatement(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		modelstest.Hire(t, f, ada, staff.Invitation{Email: "bob@example.org", Role: staff.Viewer,
			Roles: map[string]staff.Role{f.Event.ID: staff.Viewer}})
		for email, want := range map[string]int{"ada@example.org": 1, "bob@example.org": 2} {
			token := modelstest.First(modelstest.SignIn(t, f, email, phrase))(t)
			f.Clock.Move(30 * time.Second)
			f.Staff.LoginBy(ctx, token)
			modelstest.Want(t, email+" costs", len(f.Statement.During(func() { f.Staff.LoginBy(ctx, token) })), want)
			f.Clock.Move(time.Minute)
			login := modelstest.Must(f.Staff.LoginBy(ctx, token))(t)
			if seen := login.LastSeenAt; !seen.Equal(f.Clock.Now().Truncate(time.Minute)) {
				t.Errorf("last seen at %v", seen)
			}
			if role := login.User.RoleAt(f.Event.ID); (email == "bob@example.org") != (role == staff.Viewer) {
				t.Errorf("%s is %s", email, role)
			}
		}
	})
}

func TestSigningOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Viewer)
		var tokens []string
		for range 3 {
			f.Clock.Move(time.Minute)
			token := modelstest.First(signIn(t, f, "ada@example.org"))(t)
			tokens = append(tokens, token)
		}
		theirs := modelstest.First(signIn(t, f, "bob@example.org"))(t)
		good := func(want ...bool) {
			t.Helper()
			for i, token := range append(append([]string{}, tokens...), theirs) {
				if _, err := f.Staff.LoginBy(ctx, token); (err == nil) != want[i] {
					t.Errorf("login %d: %v", i, err)
				}
			}
		}
		modelstest.WantKind(t, "signing out", f.Staff.SignOut(ctx, tokens[0]), 0)
		good(false, true, true, true)
		logins := modelstest.Must(f.Staff.Logins(ctx, ada.ID))(t)
		if len(logins) != 2 || logins[0].Address != "192.0.2.1" || logins[0].LastSeenAt.Before(logins[1].LastSeenAt.Time) {
			t.Errorf("the logins are %+v", logins)
		}
		modelstest.WantKind(t, "ending somebody else's", f.Staff.EndLogin(ctx, bob.ID, logins[0].ID), store.NotFound)
		modelstest.WantKind(t, "ending none", f.Staff.EndLogin(ctx, ada.ID, "x\x00"), store.NotFound)
		good(false, true, true, true)
		modelstest.WantKind(t, "ending one", f.Staff.EndLogin(ctx, ada.ID, logins[0].ID), 0)
		good(false, true, false, true)
		modelstest.WantKind(t, "signing out everywhere", f.Staff.SignOutEverywhere(ctx, ada.ID), 0)
		good(false, false, false, true)
	})
}

func TestFailuresOfAnAccountAreThrottled(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.FirstOwner(t, f)
		for email, later := range map[string]store.Kind{"ada@example.org": 0, "nobody@example.org": store.Unauthorized} {
			tooMany := func(says string) {
				t.Helper()
				err := modelstest.ErrorOf(signIn(t, f, email))
				if modelstest.WantKind(t, email, err, store.TooMany); !strings.Contains(fmt.Sprint(err), says) {
					t.Errorf("it says %q", err)
				}
			}
			for range 4 {
				modelstest.Answers(modelstest.SignIn(t, f, email, "wrong"))(t, email, store.Unauthorized)
			}
			if email == "ada@example.org" { // a success clears the count
				modelstest.Answers(signIn(t, f, email))(t, "the right password", 0)
				for range 4 {
					modelstest.SignIn(t, f, strings.ToUpper(email), "wrong")
				}
			}
			modelstest.Answers(modelstest.SignIn(t, f, email, "wrong"))(t, "the fifth", store.Unauthorized)
			f.Clock.Move(90 * time.Second)
			for range 3 {
				tooMany("14 minutes")
			}
			f.Clock.Move(13 * time.Minute)
			tooMany("in 1 minute.")
			f.Clock.Move(31 * time.Second)
			modelstest.Answers(signIn(t, f, email))(t, email+" later", later)
		}
	})
}

func TestManyAttemptsAtOnceAreThrottledAsInTurn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.FirstOwner(t, f)
		kinds := map[store.Kind]int{}
		for _, err := range modelstest.AtOnce(12, func(int) error {
			return modelstest.ErrorOf(modelstest.SignIn(t, f, "ada@example.org", "wrong"))
		}) {
			kinds[store.KindOf(err)]++
		}
		if kinds[store.Unauthorized] != 5 || kinds[store.TooMany] != 7 {
			t.Errorf("the attempts answered %v", kinds)
		}
	})
}

func TestFailuresOfAnAddressAreThrottled(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.FirstOwner(t, f)
		try := func(address, email, password string) error {
			_, _, err := f.Staff.SignIn(t.Context(), staff.SignIn{Email: email, Password: password, Address: address})
			return err
		}
		for i := range 20 {
			email := string(rune('a'+i)) + "@example.org"
			modelstest.WantKind(t, email, try("2001:db8::"+string(rune('1'+i%9)), email, "wrong"), store.Unauthorized)
			if i%5 == 0 { // neither uses the address up nor clears it
				modelstest.WantKind(t, "a success", try("2001:db8::1", "ada@example.org", phrase), 0)
			}
		}
		modelstest.WantKind(t, "the same network", try("2001:db8::ffff", "ada@example.org", phrase), store.TooMany)
		modelstest.WantKind(t, "another network", try("2001:db8:0:1::1", "ada@example.org", phrase), 0)
		modelstest.WantKind(t, "no address", try("", "ada@example.org", phrase), 0)
	})
}

func TestWaitingForAPasswordEndsWithTheRequest(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.FirstOwner(t, f)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := f.Staff.SignIn(ctx, staff.SignIn{Email: "ada@example.org", Password: phrase}); err == nil {
			t.Error("a request that ended signs in")
		}
	})
}

func TestWhatNoLongerOpensAnythingIsSwept(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		sweep := func(when string, logins, links, failures int) {
			t.Helper()
			modelstest.WantKind(t, "sweeping", f.Staff.SweepSignIns(ctx), 0)
			for table, want := range map[string]int{"logins": logins, "staff_links": links, "sign_in_failures": failures} {
				modelstest.Want(t, when+", kept "+table, modelstest.RowsOf(t, f, "SELECT count(*) FROM "+table), want)
			}
		}
		used := modelstest.First(signIn(t, f, "ada@example.org"))(t)
		modelstest.Answers(signIn(t, f, "ada@example.org"))(t, "another browser", 0)
		modelstest.Answers(f.Team(ctx, ada).Invite(ctx, staff.Invitation{Email: "bob@example.org", Role: staff.Viewer,
			Everywhere: true}))(t, "inviting", 0)
		modelstest.Answers(f.Staff.RequestReset(ctx, "ada@example.org", ""))(t, "resetting", 0)
		_, _, err := f.Staff.SignIn(ctx, staff.SignIn{Email: "ada@example.org", Password: "wrong"})
		modelstest.WantKind(t, "failing", err, store.Unauthorized)
		sweep("at once", 2, 2, 2) // of the account, and an address with none left
		f.Clock.Move(time.Hour)
		sweep("after an hour", 2, 1, 0)
		f.Clock.Move(staff.LoginIdle - time.Hour - time.Minute)
		modelstest.Answers(f.Staff.LoginBy(ctx, used))(t, "using one", 0)
		modelstest.WantKind(t, "keeping when it was seen", f.KeepSeen(ctx), 0)
		f.Clock.Move(time.Minute)
		sweep("when one is idle", 1, 1, 0)
		for range 28 {
			f.Clock.Move(staff.LoginIdle - time.Hour)
			f.Staff.LoginBy(ctx, used)
			modelstest.WantKind(t, "keeping when it was seen", f.KeepSeen(ctx), 0)
		}
		sweep("nearly two weeks later", 1, 0, 0)
		f.Clock.Move(staff.LoginIdle)
		sweep("after two weeks", 0, 0, 0)
	})
}

func TestTheLogIsKeptForAsLongAsAnOwnerSays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Viewer)
		team := f.Team(ctx, ada)
		count := func(event store.SecurityEvent) int {
			t.Helper()
			modelstest.Fine(t, f.KeepSeen(ctx))
			n := 0
			modelstest.Fine(t, f.Store.Organization(ada.OrganizationID, store.By{}).EachSecurityEntry(ctx,
				store.SecurityFilter{Events: []store.SecurityEvent{event}},
				func(entries []*store.SecurityEntry) error { n += len(entries); return nil }))
			return n
		}
		sweep := func(days int) {
			t.Helper()
			f.Clock.Move(time.Duration(days) * 24 * time.Hour)
			modelstest.Fine(t, f.Staff.SweepSignIns(ctx))
		}
		want := func(what string, event store.SecurityEvent, n int) {
			t.Helper()
			if got := count(event); got != n {
				t.Errorf("%s: %d of %s, want %d", what, got, event, n)
			}
		}
		signIn(t, f, "ada@example.org")
		signIns := count(store.SignedIn)
		f.Note(store.Incident{Event: store.SignInFailed, By: store.By{Door: "admin"}, OrganizationID: ada.OrganizationID})
		want("at first", store.SignInFailed, 1)
		sweep(400)
		want("by itself", store.SignInFailed, 0)
		want("by itself", store.SignedIn, signIns)

		for _, days := range []int{-1, 1, 91, 1 << 40} {
			modelstest.WantKind(t, "odd days", team.KeepLog(ctx, days), store.Invalid)
		}
		modelstest.WantKind(t, "no owner", f.Team(ctx, bob).KeepLog(ctx, 90), store.NotFound)
		modelstest.Fine(t, team.KeepLog(ctx, 365))
		modelstest.Fine(t, team.KeepLog(ctx, 365))
		want("once", store.LogKept, 1)
		if days := modelstest.Must(team.LogKept(ctx))(t); days != 365 {
			t.Errorf("kept %d days", days)
		}
		sweep(0)
		want("swept", store.SignedIn, 0)
		want("swept", store.StaffJoined, 0)
		want("swept", store.LogKept, 1)
		modelstest.Fine(t, team.KeepLog(ctx, 0))
		sweep(4000)
		want("for good", store.LogKept, 2)
	})
}
