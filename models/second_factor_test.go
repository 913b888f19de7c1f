package models_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestCodesAreThoseOfRFC6238(t *testing.T) {
	t.Parallel()
	// Appendix B, SHA-1; of its eight digits we show the last six.
	for seconds, want := range map[int64]string{
		59: "94287082", 1111111109: "07081804", 1111111111: "14050471", 1234567890: "89005924", 2000000000: "69279037", 20000000000: "65353130",
	} {
		if step := models.TOTPStep("12345678901234567890", want[2:], seconds/30, 0); step != seconds/30 {
			t.Errorf("at %d the code %s is of the step %d", seconds, want[2:], step)
		}
	}
}

func TestASecondFactorIsAskedForOnceItIsConfirmed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		_, err := f.Staff.ConfirmTOTP(ctx, ada, "123456", "")
		wantKind(t, "confirming nothing", err, models.Invalid)
		_, _, err = f.Staff.BeginTOTP(ctx, ada, "wrong")
		wantKind(t, "beginning without the password", err, models.Invalid)
		first, _, err := f.Staff.BeginTOTP(ctx, ada, secretPhrase)
		wantKind(t, "beginning", err, 0)
		for _, code := range []string{"", "12345", "abcdef", codeAt(t, f, first, 2), codeAt(t, f, first, -2)} {
			_, err := f.Staff.ConfirmTOTP(ctx, ada, code, "")
			wantKind(t, "confirming with "+code, err, models.Invalid)
		}
		if _, login, err := signIn(t, f, "ada@example.org", secretPhrase); err != nil || login.Pending {
			t.Errorf("an unconfirmed factor is asked for: %+v, %v", login, err)
		}
		secret, recovery := withTOTP(t, f, ada, secretPhrase)
		if len(recovery) != 10 || len(slices.Compact(slices.Sorted(slices.Values(recovery)))) != 10 {
			t.Errorf("the recovery codes are %v", recovery)
		}
		_, _, err = f.Staff.BeginTOTP(ctx, ada, secretPhrase)
		wantKind(t, "beginning again", err, models.Invalid)
		_, err = f.Staff.ConfirmTOTP(ctx, ada, codeAt(t, f, secret, 0), "")
		wantKind(t, "confirming again", err, models.Invalid)

		token, login, err := signIn(t, f, "ada@example.org", secretPhrase)
		if err != nil || !login.Pending || login.User != nil {
			t.Fatalf("%+v, %v", login, err)
		}
		if login, err := f.Staff.LoginBy(ctx, token); err != nil || !login.Pending || login.User != nil {
			t.Errorf("a pending login is %+v, %v", login, err)
		}
		if logins := modelstest.Must(f.Staff.Logins(ctx, ada.ID))(t); len(logins) != 1 {
			t.Errorf("%d logins", len(logins))
		}
		half := token
		token, login, err = f.Staff.SecondFactor(ctx, half, " "+codeAt(t, f, secret, 0)[:3]+" "+codeAt(t, f, secret, 0)[3:])
		if err != nil || login.Pending || login.User.ID != ada.ID || token == half || len(token) != len(half) {
			t.Fatalf("%+v, %v", login, err)
		}
		_, err = f.Staff.LoginBy(ctx, half)
		wantKind(t, "the token that the password gave", err, models.Unauthorized)
		login = modelstest.Must(f.Staff.LoginBy(ctx, token))(t)
		if login.Pending || !login.User.HasTOTP() || login.ExpiresAt.Sub(f.Clock.Now()) != models.LoginLifetime {
			t.Errorf("%+v", login)
		}
		_, _, err = f.Staff.SecondFactor(ctx, token, codeAt(t, f, secret, 1))
		wantKind(t, "a login that is complete", err, models.Unauthorized)

		db := f.SQL(t)
		var kept string
		if err := db.QueryRow("SELECT totp_secret FROM users WHERE id = $1", ada.ID).Scan(&kept); err != nil || kept == "" || strings.Contains(kept, secret) {
			t.Errorf("the secret is kept as %q, %v", kept, err)
		}
	})
}

func TestACodeIsGoodOnceAndNearItsTime(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		secret, recovery := withTOTP(t, f, ada, secretPhrase)
		try := func(code string) error {
			token, _, err := signIn(t, f, "ada@example.org", secretPhrase)
			wantKind(t, "signing in", err, 0)
			_, _, err = f.Staff.SecondFactor(ctx, token, code)
			return err
		}
		for _, c := range []struct {
			name string
			code string
			want models.Kind
		}{
			{"the code that confirmed", codeAt(t, f, secret, -1), models.Unauthorized},
			{"this one", codeAt(t, f, secret, 0), 0},
			{"this one again", codeAt(t, f, secret, 0), models.Unauthorized},
			{"the next one", codeAt(t, f, secret, 1), 0},
			{"an earlier one", codeAt(t, f, secret, 0), models.Unauthorized},
			{"the one after the next", codeAt(t, f, secret, 2), models.Unauthorized},
			{"a recovery code", recovery[3], 0},
			{"it again", recovery[3], models.Unauthorized},
			{"another, typed carelessly", " " + strings.ToUpper(strings.ReplaceAll(recovery[4], "-", " ")), 0},
			{"nothing", "", models.Unauthorized},
			{"odd bytes", "\x00\xff", models.Unauthorized},
		} {
			wantKind(t, c.name, try(c.code), c.want)
		}
		f.Clock.Move(2 * time.Minute)
		wantKind(t, "the one before", try(codeAt(t, f, secret, -1)), 0)
	})
}

func TestTwoBrowsersCannotUseOneCode(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := firstOwner(t, f)
		secret, recovery := withTOTP(t, f, ada, secretPhrase)
		for _, code := range []string{codeAt(t, f, secret, 0), recovery[0]} {
			var both sync.WaitGroup
			errs := make([]error, 2)
			for i := range 2 {
				token, _, err := signIn(t, f, "ada@example.org", secretPhrase)
				wantKind(t, "signing in", err, 0)
				both.Go(func() { _, _, errs[i] = f.Staff.SecondFactor(t.Context(), token, code) })
			}
			both.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Errorf("%v, %v", errs[0], errs[1])
			}
		}
	})
}

func TestSecondFactorsAreThrottledAndDoNotWaitForever(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		secret, recovery := withTOTP(t, f, ada, secretPhrase)
		pending := func() string {
			token, _, err := signIn(t, f, "ada@example.org", secretPhrase)
			wantKind(t, "signing in", err, 0)
			return token
		}
		var token string
		for range 5 { // the right password in between clears nothing
			token = pending()
			_, _, err := f.Staff.SecondFactor(ctx, token, codeAt(t, f, secret, 9))
			wantKind(t, "a wrong code", err, models.Unauthorized)
		}
		for _, code := range []string{codeAt(t, f, secret, 0), recovery[0]} {
			_, _, err := f.Staff.SecondFactor(ctx, token, code)
			wantKind(t, "the sixth", err, models.TooMany)
		}
		f.Clock.Move(models.PendingLifetime)
		_, _, err := f.Staff.SecondFactor(ctx, token, codeAt(t, f, secret, 0))
		wantKind(t, "a pending login of ten minutes", err, models.Unauthorized)
		_, err = f.Staff.LoginBy(ctx, token)
		wantKind(t, "a pending login of ten minutes", err, models.Unauthorized)
		f.Clock.Move(5 * time.Minute)
		_, _, err = f.Staff.SecondFactor(ctx, pending(), recovery[0])
		wantKind(t, "later, the code that was not looked at", err, 0)
		_, _, err = f.Staff.SecondFactor(ctx, "x", recovery[1])
		wantKind(t, "no login", err, models.Unauthorized)
	})
}

func TestTurningTheSecondFactorOffTakesThePassword(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		_, recovery := withTOTP(t, f, ada, secretPhrase)
		waiting, _, _ := signIn(t, f, "ada@example.org", secretPhrase)
		wantKind(t, "a wrong password", f.Staff.DisableTOTP(ctx, ada, "wrong"), models.Invalid)
		wantKind(t, "nobody", f.Staff.DisableTOTP(ctx, &models.User{ID: models.NewID()}, secretPhrase), models.Unauthorized)
		wantKind(t, "the password", f.Staff.DisableTOTP(ctx, ada, secretPhrase), 0)
		_, _, err := f.Staff.SecondFactor(ctx, waiting, recovery[0])
		wantKind(t, "a login that waited", err, models.Unauthorized)
		if _, login, err := signIn(t, f, "ada@example.org", secretPhrase); err != nil || login.Pending {
			t.Errorf("%+v, %v", login, err)
		}
		withTOTP(t, f, ada, secretPhrase)
		for range 5 {
			f.Staff.DisableTOTP(ctx, ada, "wrong")
		}
		wantKind(t, "after five", f.Staff.DisableTOTP(ctx, ada, secretPhrase), models.TooMany)
	})
}
