package staff_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/setup"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestPasswordsAreKeptAsOWASPAdvises(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		db := modelstest.Must(models.Open(t.Context(), f.Address, store.Options{}))(t)
		t.Cleanup(func() { db.Close() })
		in := setup.Input{Organization: "Conferences", Owner: staff.NewUser{Email: "ada@example.org", Name: "Ada",
			Password: phrase}}
		modelstest.Must(setup.Do(t.Context(), db, in))(t)
		var hash string
		modelstest.Fine(t, f.SQL.QueryRow("SELECT password_hash FROM users").Scan(&hash))
		if want := "$argon2id$v=19$m=47104,t=2,p=1$"; !strings.HasPrefix(hash, want) {
			t.Errorf("the password is kept as %s, want %s…", hash, want)
		}
		// A store with another cost knows it all the same.
		modelstest.Answers(signIn(t, f, "ada@example.org"))(t, "signing in", 0)
		modelstest.Answers(modelstest.SignIn(t, f, "ada@example.org", phrase+"!"))(t, "a wrong password", store.Unauthorized)
	})
}

// The hash was made in November 2026, before the library was used.
func TestAnOlderHashIsKnown(t *testing.T) {
	const older = "$argon2id$v=19$m=47104,t=2,p=1$yraFmxPBDFHkznoF+3N7HA$HUFwiDheX7kZpEB7eNKNgQI+4u4D1tFuXzBdpgi4Tzg"
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.FirstOwner(t, f)
		for _, x := range []struct {
			hash, password string
			want           store.Kind
		}{
			{older, phrase, 0},
			{older, phrase + "!", store.Unauthorized},
			{older[:len(older)-5], phrase, store.Unauthorized},
			{"no hash", phrase, store.Unauthorized},
			{"", "", store.Unauthorized},
		} {
			modelstest.Must(f.SQL.Exec("UPDATE users SET password_hash = $1", x.hash))(t)
			modelstest.Answers(modelstest.SignIn(t, f, ada.Email, x.password))(t, x.password+" for "+x.hash, x.want)
		}
	})
}

func TestAPasswordIsLongEnoughAndNotOnesOwnNameOrAddress(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]store.Kind{
		"": store.Invalid, "short": store.Invalid, strings.Repeat("x", 201): store.Invalid, // counted in characters
		strings.Repeat("ж", signin.MinPassword-1): store.Invalid, strings.Repeat("ж", signin.MaxPassword+1): store.Invalid,
		"Grace.Hopper@example.org": store.Invalid, "grace brewster hopper": store.Invalid,
		" GRACE BREWSTER HOPPER ": store.Invalid, "grace brewster hopper!": 0, longest: 0,
	} {
		fault := signin.PasswordFault(password, "grace.hopper@example.org", "Grace Brewster Hopper")
		modelstest.WantKind(t, password, fault, want)
	}
}

// longest is a password of as many characters as one may have, and more bytes.
var longest = string([]rune(strings.Repeat("живой журавль ", signin.MaxPassword))[:signin.MaxPassword])

func TestCommonPasswordsAreRefusedWhereverOneIsSet(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, common := t.Context(), "Password-2027"
		refused := func(what string, err error) {
			t.Helper()
			modelstest.WantKind(t, what, err, store.Invalid)
			if err != nil && !strings.Contains(err.Error(), "password is one that many people use") {
				t.Errorf("%s says %q", what, err)
			}
		}
		_, err := setup.Do(ctx, f.Store, setup.Input{Organization: "Conferences",
			Owner: staff.NewUser{Email: "ada@example.org", Name: "Ada", Password: common}})
		refused("setting up", err)
		ada := modelstest.FirstOwner(t, f)
		_, err = f.Staff.CreateUser(ctx, staff.NewUser{Email: "bob@example.org", Name: "Bob", Role: staff.Viewer,
			Password: common})
		refused("the command line", err)
		_, err = f.Staff.SetPassword(ctx, ada.Email, common)
		refused("the command line's other one", err)
		token := modelstest.Must(f.Team(ctx, ada).Invite(ctx,
			staff.Invitation{Email: "cy@example.org", Role: staff.Viewer, Everywhere: true}))(t)
		_, err = f.Staff.AcceptInvitation(ctx, token, "Cy", common)
		refused("joining", err)
		refused("the account", f.Staff.ChangePassword(ctx, ada, phrase, common, ""))
		token = modelstest.First(f.Staff.RequestReset(ctx, ada.Email, ""))(t)
		refused("a reset", f.Staff.ResetPassword(ctx, token, common))
		modelstest.WantKind(t, "spaces alone", f.Staff.ResetPassword(ctx, token, strings.Repeat(" ", 20)), store.Invalid)
		modelstest.WantKind(t, "the same link, another password", f.Staff.ResetPassword(ctx, token, "another password"), 0)
	})
}

func TestAResetWorksOnceAndSignsOutEverywhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		login := modelstest.First(signIn(t, f, "ada@example.org"))(t)
		earlier := modelstest.First(f.Staff.RequestReset(ctx, "ada@example.org", "192.0.2.1"))(t)
		f.Clock.Move(staff.ResetPause)
		token, user, err := f.Staff.RequestReset(ctx, " ADA@example.org", "192.0.2.1")
		if err != nil || user.ID != ada.ID || user.Email != "Ada@example.org" || user.PasswordHash != "" {
			t.Fatalf("%+v, %v", user, err)
		}
		for name, token := range map[string]string{"made up": strings.Repeat("A", len(token)), "empty": "", "odd": "\x00"} {
			modelstest.Answers(f.Staff.ResetBy(ctx, token))(t, name, store.NotFound)
			modelstest.WantKind(t, name, f.Staff.ResetPassword(ctx, token, phrase+"!"), store.NotFound)
		}
		if by := modelstest.Must(f.Staff.ResetBy(ctx, token))(t); by.ID != ada.ID ||
			by.OrganizationID != ada.OrganizationID || by.Name != "Ada" {
			t.Errorf("the reset is %+v's", by)
		}
		for _, password := range []string{"", "short", "ADA@example.org"} {
			modelstest.WantKind(t, password, f.Staff.ResetPassword(ctx, token, password), store.Invalid)
		}
		for range 6 {
			modelstest.SignIn(t, f, "ada@example.org", "wrong")
		}
		winner := modelstest.OneSucceeds(t, 2, store.NotFound, func(i int) error {
			return f.Staff.ResetPassword(ctx, token, fmt.Sprint("another password ", i))
		})
		modelstest.Answers(f.Staff.ResetBy(ctx, earlier))(t, "a link asked for before", store.NotFound)
		modelstest.Answers(f.Staff.LoginBy(ctx, login))(t, "the login", store.Unauthorized)
		// The failures before do not count: whoever reads the mail is the user.
		modelstest.Answers(signIn(t, f, "ada@example.org"))(t, "the old password", store.Unauthorized)
		modelstest.First(modelstest.SignIn(t, f, "ada@example.org", fmt.Sprint("another password ", winner)))(t)
	})
}

func TestAskingForAResetTellsNothingAndIsThrottledByWhoAsks(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.FirstOwner(t, f)
		for _, email := range []string{"nobody@example.org", "ada@example.org"} {
			for i := range 30 { // from everywhere
				token, user, err := f.Staff.RequestReset(ctx, email, fmt.Sprintf("198.51.100.%d", i))
				modelstest.WantKind(t, fmt.Sprint(email, i), err, 0)
				if sent := email == "ada@example.org" && i == 0; (user != nil) != sent || (token != "") != sent {
					t.Errorf("%s, time %d: %q, %+v", email, i+1, token, user)
				}
			}
		}
		modelstest.Answers(signIn(t, f, "ada@example.org"))(t, "signing in meanwhile", 0)
		for i := range 21 {
			_, user, err := f.Staff.RequestReset(ctx, fmt.Sprintf("%d@example.org", i), "192.0.2.1")
			modelstest.WantKind(t, fmt.Sprint("address ", i), err, map[bool]store.Kind{true: store.TooMany}[i == 20])
			if user != nil {
				t.Error("there is such a user")
			}
		}
		for _, odd := range []string{"", "\x00", "\xff", "ada"} {
			if token, user, err := f.Staff.RequestReset(ctx, odd, ""); token != "" || user != nil || err != nil {
				t.Errorf("%q: %v, %v", odd, user, err)
			}
		}
		f.Clock.Move(15 * time.Minute)
		token := modelstest.First(f.Staff.RequestReset(ctx, "ada@example.org", "192.0.2.1"))(t)
		f.Clock.Move(staff.ResetLifetime)
		modelstest.Answers(f.Staff.ResetBy(ctx, token))(t, "after an hour", store.NotFound)
		modelstest.WantKind(t, "after an hour", f.Staff.ResetPassword(ctx, token, phrase), store.NotFound)
	})
}

// TestAStrangerWhoKeepsAskingKeepsNobodyFromAReset has a stranger ask every minute for two hours: whenever the owner of
// the address looks, they have a valid link, and they get at most one letter in five minutes.
func TestAStrangerWhoKeepsAskingKeepsNobodyFromAReset(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.FirstOwner(t, f)
		type letter struct {
			token string
			at    time.Time
		}
		var letters []letter
		ask := func(address string) {
			t.Helper()
			token, user, err := f.Staff.RequestReset(ctx, "ada@example.org", address)
			modelstest.WantKind(t, "asking", err, 0)
			if user != nil {
				letters = append(letters, letter{token, f.Clock.Now()})
			}
		}
		for minute := range 120 {
			ask(fmt.Sprintf("198.51.100.%d", minute))
			f.Clock.Move(time.Minute)
			last := letters[len(letters)-1]
			if age := f.Clock.Now().Sub(last.at); age > staff.ResetPause {
				t.Fatalf("the last letter is %s old", age)
			}
			if len(letters) > 1 && last.at.Sub(letters[len(letters)-2].at) < staff.ResetPause {
				t.Fatal("two letters follow too closely")
			}
		}
		for _, l := range letters {
			modelstest.Answers(f.Staff.ResetBy(ctx, l.token))(t, "a link of "+l.at.String(),
				map[bool]store.Kind{true: store.NotFound}[f.Clock.Now().Sub(l.at) >= staff.ResetLifetime])
		}
		ask("192.0.2.1") // Ada herself
		modelstest.WantKind(t, "using it", f.Staff.ResetPassword(ctx, letters[len(letters)-1].token, "another password"), 0)
		for _, l := range letters {
			modelstest.Answers(f.Staff.ResetBy(ctx, l.token))(t, "the others, once one was used", store.NotFound)
		}
	})
}

func TestTwoWhoAskAtOnceCauseOneLetter(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.FirstOwner(t, f)
		var sent atomic.Int32
		modelstest.AllSucceed(t, 8, func(i int) error {
			_, user, err := f.Staff.RequestReset(t.Context(), "ada@example.org", fmt.Sprintf("198.51.100.%d", i))
			if user != nil {
				sent.Add(1)
			}
			return err
		})
		modelstest.Want(t, "letters", sent.Load(), 1)
	})
}

func TestChangingAPasswordKeepsOneLogin(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Viewer)
		here, _, _ := signIn(t, f, "ada@example.org")
		there, _, _ := signIn(t, f, "ada@example.org")
		theirs, _, _ := signIn(t, f, "bob@example.org")
		reset := modelstest.First(f.Staff.RequestReset(ctx, "ada@example.org", ""))(t)
		for name, x := range map[string][2]string{"a wrong password": {"wrong", "another password"},
			"a short one": {phrase, "short"}, "one's address": {phrase, "ada@EXAMPLE.org"}} {
			modelstest.WantKind(t, name, f.Staff.ChangePassword(ctx, ada, x[0], x[1], here), store.Invalid)
		}
		modelstest.WantKind(t, "a change", f.Staff.ChangePassword(ctx, ada, phrase, longest, here), 0)
		for token, want := range map[string]store.Kind{here: 0, there: store.Unauthorized, theirs: 0} {
			modelstest.Answers(f.Staff.LoginBy(ctx, token))(t, "a login", want)
		}
		modelstest.Answers(f.Staff.ResetBy(ctx, reset))(t, "a reset asked for before", store.NotFound)
		modelstest.Answers(modelstest.SignIn(t, f, "ada@example.org", longest))(t, "the new password", 0)
		for range 5 {
			f.Staff.ChangePassword(ctx, bob, "wrong", "another password", theirs)
		}
		modelstest.WantKind(t, "after five", f.Staff.ChangePassword(ctx, bob, phrase, "another password",
			theirs), store.TooMany)
	})
}

func TestAnOwnerMakesAResetLinkForTheirStaff(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		eve, _ := modelstest.ForeignOwner(t, f)
		bob := f.Hire(t, "bob", staff.Organizer)
		for name, ask := range map[string]struct {
			by *staff.User
			id string
		}{
			"an organizer": {bob, ada.ID}, "another organization's owner": {eve, bob.ID}, "nobody": {&staff.User{}, bob.ID},
			"an unknown member": {ada, store.NewID()}, "no id": {ada, "x"}, "another organization's member": {ada, eve.ID},
		} {
			token, user, err := f.Team(ctx, ask.by).ResetFor(ctx, ask.id)
			modelstest.WantKind(t, name, err, store.NotFound)
			if token != "" || user != nil {
				t.Errorf("%s got %q for %+v", name, token, user)
			}
		}
		token, user, err := f.Team(ctx, ada).ResetFor(ctx, bob.ID)
		if err != nil || user.ID != bob.ID || user.Email != "bob@example.org" || user.PasswordHash != "" {
			t.Fatalf("%+v, %v", user, err)
		}
		modelstest.WantKind(t, "using it", f.Staff.ResetPassword(ctx, token, "another password"), 0)
		modelstest.WantKind(t, "using it twice", f.Staff.ResetPassword(ctx, token, "another password"), store.NotFound)
		modelstest.Want(t, "lines of activity", modelstest.RowsOf(t, f, `SELECT count(*) FROM activity
			WHERE subject = 'user' AND action = 'reset' AND subject_id = $1 AND actor_name = $2`, bob.ID, ada.Name), 1)
	})
}
