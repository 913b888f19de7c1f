package models_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestAResetWorksOnceAndSignsOutEverywhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		login, _, err := signIn(t, f, "ada@example.org", secretPhrase)
		wantKind(t, "signing in", err, 0)
		earlier, _, err := f.Staff.RequestReset(ctx, "ada@example.org", "192.0.2.1")
		wantKind(t, "asking", err, 0)
		f.Clock.Move(models.ResetPause)
		token, user, err := f.Staff.RequestReset(ctx, " ADA@example.org", "192.0.2.1")
		if err != nil || user.ID != ada.ID || user.Email != "Ada@example.org" || user.PasswordHash != "" {
			t.Fatalf("%+v, %v", user, err)
		}
		for name, token := range map[string]string{"made up": strings.Repeat("A", len(token)), "empty": "", "odd": "\x00"} {
			_, err := f.Staff.ResetBy(ctx, token)
			wantKind(t, name, err, models.NotFound)
			wantKind(t, name, f.Staff.ResetPassword(ctx, token, secretPhrase+"!"), models.NotFound)
		}
		if by := modelstest.Must(f.Staff.ResetBy(ctx, token))(t); by.ID != ada.ID || by.OrganizationID != ada.OrganizationID || by.Name != "Ada" {
			t.Errorf("the reset is %+v's", by)
		}
		for _, password := range []string{"", "short", "ADA@example.org"} {
			wantKind(t, password, f.Staff.ResetPassword(ctx, token, password), models.Invalid)
		}
		for range 6 {
			signIn(t, f, "ada@example.org", "wrong")
		}
		var both sync.WaitGroup
		errs := make([]error, 2)
		for i := range 2 {
			both.Go(func() { errs[i] = f.Staff.ResetPassword(ctx, token, fmt.Sprint("another password ", i)) })
		}
		both.Wait()
		winner := 0
		if errs[0] != nil {
			winner = 1
		}
		wantKind(t, "the first", errs[winner], 0)
		wantKind(t, "the second", errs[1-winner], models.NotFound)
		_, err = f.Staff.ResetBy(ctx, earlier)
		wantKind(t, "a link asked for before", err, models.NotFound)
		_, err = f.Staff.LoginBy(ctx, login)
		wantKind(t, "the login", err, models.Unauthorized)
		// The failures before do not count: whoever reads the mail is the user.
		_, _, err = signIn(t, f, "ada@example.org", secretPhrase)
		wantKind(t, "the old password", err, models.Unauthorized)
		_, _, err = signIn(t, f, "ada@example.org", fmt.Sprint("another password ", winner))
		wantKind(t, "the new password", err, 0)
	})
}

func TestAskingForAResetTellsNothingAndIsThrottledByWhoAsks(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		firstOwner(t, f)
		for _, email := range []string{"nobody@example.org", "ada@example.org"} {
			for i := range 30 { // from everywhere
				token, user, err := f.Staff.RequestReset(ctx, email, fmt.Sprintf("198.51.100.%d", i))
				wantKind(t, fmt.Sprint(email, i), err, 0)
				if sent := email == "ada@example.org" && i == 0; (user != nil) != sent || (token != "") != sent {
					t.Errorf("%s, time %d: %q, %+v", email, i+1, token, user)
				}
			}
		}
		_, _, err := signIn(t, f, "ada@example.org", secretPhrase)
		wantKind(t, "signing in meanwhile", err, 0)
		for i := range 21 {
			_, user, err := f.Staff.RequestReset(ctx, fmt.Sprintf("%d@example.org", i), "192.0.2.1")
			wantKind(t, fmt.Sprint("address ", i), err, map[bool]models.Kind{true: models.TooMany}[i == 20])
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
		token, _, err := f.Staff.RequestReset(ctx, "ada@example.org", "192.0.2.1")
		wantKind(t, "later", err, 0)
		f.Clock.Move(models.ResetLifetime)
		_, err = f.Staff.ResetBy(ctx, token)
		wantKind(t, "after an hour", err, models.NotFound)
		wantKind(t, "after an hour", f.Staff.ResetPassword(ctx, token, secretPhrase), models.NotFound)
	})
}

// TestAStrangerWhoKeepsAskingKeepsNobodyFromAReset lets a stranger ask every
// minute for two hours: whenever the owner of the address looks, they have a
// link that is good, and at most one letter in five minutes.
func TestAStrangerWhoKeepsAskingKeepsNobodyFromAReset(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		firstOwner(t, f)
		type letter struct {
			token string
			at    time.Time
		}
		var letters []letter
		ask := func(address string) {
			t.Helper()
			token, user, err := f.Staff.RequestReset(ctx, "ada@example.org", address)
			wantKind(t, "asking", err, 0)
			if user != nil {
				letters = append(letters, letter{token, f.Clock.Now()})
			}
		}
		for minute := range 120 {
			ask(fmt.Sprintf("198.51.100.%d", minute))
			f.Clock.Move(time.Minute)
			last := letters[len(letters)-1]
			if age := f.Clock.Now().Sub(last.at); age > models.ResetPause {
				t.Fatalf("the last letter is %s old", age)
			}
			if len(letters) > 1 && last.at.Sub(letters[len(letters)-2].at) < models.ResetPause {
				t.Fatal("two letters follow too closely")
			}
		}
		for _, l := range letters {
			_, err := f.Staff.ResetBy(ctx, l.token)
			wantKind(t, "a link of "+l.at.String(), err, map[bool]models.Kind{true: models.NotFound}[f.Clock.Now().Sub(l.at) >= models.ResetLifetime])
		}
		ask("192.0.2.1") // Ada herself
		wantKind(t, "using it", f.Staff.ResetPassword(ctx, letters[len(letters)-1].token, "another password"), 0)
		for _, l := range letters {
			_, err := f.Staff.ResetBy(ctx, l.token)
			wantKind(t, "the others, once one was used", err, models.NotFound)
		}
	})
}

func TestTwoWhoAskAtOnceCauseOneLetter(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		firstOwner(t, f)
		var sent atomic.Int32
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				_, user, err := f.Staff.RequestReset(t.Context(), "ada@example.org", fmt.Sprintf("198.51.100.%d", i))
				wantKind(t, "asking", err, 0)
				if user != nil {
					sent.Add(1)
				}
			})
		}
		all.Wait()
		if sent.Load() != 1 {
			t.Errorf("%d letters", sent.Load())
		}
	})
}

func TestChangingAPasswordKeepsOneLogin(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		bob := hire(t, f, ada, models.Invitation{Email: "bob@example.org", Role: models.Viewer, Everywhere: true})
		here, _, _ := signIn(t, f, "ada@example.org", secretPhrase)
		there, _, _ := signIn(t, f, "ada@example.org", secretPhrase)
		theirs, _, _ := signIn(t, f, "bob@example.org", secretPhrase)
		reset, _, err := f.Staff.RequestReset(ctx, "ada@example.org", "")
		wantKind(t, "asking", err, 0)
		wantKind(t, "a wrong password", f.Staff.ChangePassword(ctx, ada, "wrong", "another password", here), models.Invalid)
		wantKind(t, "a short password", f.Staff.ChangePassword(ctx, ada, secretPhrase, "short", here), models.Invalid)
		wantKind(t, "one's address", f.Staff.ChangePassword(ctx, ada, secretPhrase, "ada@EXAMPLE.org", here), models.Invalid)
		wantKind(t, "a change", f.Staff.ChangePassword(ctx, ada, secretPhrase, "another password", here), 0)
		for token, want := range map[string]models.Kind{here: 0, there: models.Unauthorized, theirs: 0} {
			_, err := f.Staff.LoginBy(ctx, token)
			wantKind(t, "a login", err, want)
		}
		_, err = f.Staff.ResetBy(ctx, reset)
		wantKind(t, "a reset asked for before", err, models.NotFound)
		_, _, err = signIn(t, f, "ada@example.org", "another password")
		wantKind(t, "the new password", err, 0)
		for range 5 {
			f.Staff.ChangePassword(ctx, bob, "wrong", "another password", theirs)
		}
		wantKind(t, "after five", f.Staff.ChangePassword(ctx, bob, secretPhrase, "another password", theirs), models.TooMany)
	})
}

func TestAnOwnerMakesAResetLinkForTheirStaff(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		eve, _ := foreignOwner(t, f)
		bob := hire(t, f, ada, models.Invitation{Email: "bob@example.org", Role: models.Organizer, Everywhere: true})
		for name, ask := range map[string]struct {
			by *models.User
			id string
		}{
			"an organizer": {bob, ada.ID}, "another organization's owner": {eve, bob.ID}, "nobody": {&models.User{}, bob.ID},
			"an unknown member": {ada, models.NewID()}, "no id": {ada, "x"}, "another organization's member": {ada, eve.ID},
		} {
			token, user, err := f.Team(ctx, ask.by).ResetFor(ctx, ask.id)
			wantKind(t, name, err, models.NotFound)
			if token != "" || user != nil {
				t.Errorf("%s got %q for %+v", name, token, user)
			}
		}
		token, user, err := f.Team(ctx, ada).ResetFor(ctx, bob.ID)
		if err != nil || user.ID != bob.ID || user.Email != "bob@example.org" || user.PasswordHash != "" {
			t.Fatalf("%+v, %v", user, err)
		}
		wantKind(t, "using it", f.Staff.ResetPassword(ctx, token, "another password"), 0)
		wantKind(t, "using it twice", f.Staff.ResetPassword(ctx, token, "another password"), models.NotFound)
		var lines int
		if err := f.SQL(t).QueryRow("SELECT count(*) FROM activity WHERE subject = 'user' AND action = 'reset' AND subject_id = $1 AND actor_name = $2", bob.ID, ada.Name).Scan(&lines); err != nil || lines != 1 {
			t.Errorf("%d lines of activity, %v", lines, err)
		}
	})
}
