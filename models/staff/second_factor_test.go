package staff_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// halfway signs somebody in with their password, and tells whether a second factor is asked for then.
func halfway(t *testing.T, f *modelstest.Fixture, email string) bool {
	t.Helper()
	_, login, err := signIn(t, f, email)
	modelstest.Fine(t, err)
	return login.Pending
}

func TestCodesAreThoseOfRFC6238(t *testing.T) {
	t.Parallel()
	// Appendix B, SHA-1; of its eight digits we show the last six.
	for seconds, want := range map[int64]string{
		59: "94287082", 1111111109: "07081804", 1111111111: "14050471", 1234567890: "89005924", 2000000000: "69279037",
		20000000000: "65353130",
	} {
		if step := staff.TOTPStep("12345678901234567890", want[2:], seconds/30, 0); step != seconds/30 {
			t.Errorf("at %d the code %s is of the step %d", seconds, want[2:], step)
		}
	}
}

func TestASecondFactorIsAskedForOnceItIsConfirmed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		modelstest.Answers(f.Staff.ConfirmTOTP(ctx, ada, "123456", ""))(t, "confirming nothing", store.Invalid)
		modelstest.Answers(f.Staff.BeginTOTP(ctx, ada, "wrong"))(t, "beginning without the password", store.Invalid)
		first := modelstest.First(f.Staff.BeginTOTP(ctx, ada, phrase))(t)
		for _, code := range []string{"", "12345", "abcdef", modelstest.CodeAt(t, f, first, 2),
			modelstest.CodeAt(t, f, first, -2)} {
			modelstest.Answers(f.Staff.ConfirmTOTP(ctx, ada, code, ""))(t, "confirming with "+code, store.Invalid)
		}
		modelstest.Want(t, "an unconfirmed factor is asked for", halfway(t, f, "ada@example.org"), false)
		secret, recovery := modelstest.WithTOTP(t, f, ada, phrase)
		if len(recovery) != 10 || len(slices.Compact(slices.Sorted(slices.Values(recovery)))) != 10 {
			t.Errorf("the recovery codes are %v", recovery)
		}
		modelstest.Answers(f.Staff.BeginTOTP(ctx, ada, phrase))(t, "beginning again", store.Invalid)
		_, err := f.Staff.ConfirmTOTP(ctx, ada, modelstest.CodeAt(t, f, secret, 0), "")
		modelstest.WantKind(t, "confirming again", err, store.Invalid)

		token, login, err := signIn(t, f, "ada@example.org")
		if err != nil || !login.Pending || login.User != nil {
			t.Fatalf("%+v, %v", login, err)
		}
		if login, err := f.Staff.LoginBy(ctx, token); err != nil || !login.Pending || login.User != nil {
			t.Errorf("a pending login is %+v, %v", login, err)
		}
		modelstest.Want(t, "logins", len(modelstest.Must(f.Staff.Logins(ctx, ada.ID))(t)), 1)
		half := token
		code := modelstest.CodeAt(t, f, secret, 0)
		token, login, err = f.Staff.SecondFactor(ctx, half, " "+code[:3]+" "+code[3:])
		if err != nil || login.Pending || login.User.ID != ada.ID || token == half || len(token) != len(half) {
			t.Fatalf("%+v, %v", login, err)
		}
		modelstest.Answers(f.Staff.LoginBy(ctx, half))(t, "the token that the password gave", store.Unauthorized)
		login = modelstest.Must(f.Staff.LoginBy(ctx, token))(t)
		if login.Pending || !login.User.HasTOTP() || login.ExpiresAt.Sub(f.Clock.Now()) != staff.LoginLifetime {
			t.Errorf("%+v", login)
		}
		_, _, err = f.Staff.SecondFactor(ctx, token, modelstest.CodeAt(t, f, secret, 1))
		modelstest.WantKind(t, "a login that is complete", err, store.Unauthorized)

		var kept string
		modelstest.Fine(t, f.SQL.QueryRow("SELECT totp_secret FROM users WHERE id = $1", ada.ID).Scan(&kept))
		if kept == "" || strings.Contains(kept, secret) {
			t.Errorf("the secret is kept as %q", kept)
		}
	})
}

func TestACodeIsGoodOnceAndNearItsTime(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		secret, recovery := modelstest.WithTOTP(t, f, ada, phrase)
		try := func(code string) error {
			token := modelstest.First(signIn(t, f, "ada@example.org"))(t)
			return modelstest.ErrorOf(f.Staff.SecondFactor(ctx, token, code))
		}
		for _, c := range []struct {
			name string
			code string
			want store.Kind
		}{
			{"the code that confirmed", modelstest.CodeAt(t, f, secret, -1), store.Unauthorized},
			{"this one", modelstest.CodeAt(t, f, secret, 0), 0},
			{"this one again", modelstest.CodeAt(t, f, secret, 0), store.Unauthorized},
			{"the next one", modelstest.CodeAt(t, f, secret, 1), 0},
			{"an earlier one", modelstest.CodeAt(t, f, secret, 0), store.Unauthorized},
			{"the one after the next", modelstest.CodeAt(t, f, secret, 2), store.Unauthorized},
			{"a recovery code", recovery[3], 0},
			{"it again", recovery[3], store.Unauthorized},
			{"another, typed carelessly", " " + strings.ToUpper(strings.ReplaceAll(recovery[4], "-", " ")), 0},
			{"nothing", "", store.Unauthorized},
			{"odd bytes", "\x00\xff", store.Unauthorized},
		} {
			modelstest.WantKind(t, c.name, try(c.code), c.want)
		}
		f.Clock.Move(2 * time.Minute)
		modelstest.WantKind(t, "the one before", try(modelstest.CodeAt(t, f, secret, -1)), 0)
	})
}

func TestTwoBrowsersCannotUseOneCode(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.FirstOwner(t, f)
		secret, recovery := modelstest.WithTOTP(t, f, ada, phrase)
		for _, code := range []string{modelstest.CodeAt(t, f, secret, 0), recovery[0]} {
			tokens := []string{modelstest.First(signIn(t, f, ada.Email))(t), modelstest.First(signIn(t, f, ada.Email))(t)}
			modelstest.OneSucceeds(t, 2, store.Unauthorized, func(i int) error {
				return modelstest.ErrorOf(f.Staff.SecondFactor(t.Context(), tokens[i], code))
			})
		}
	})
}

func TestSecondFactorsAreThrottledAndDoNotWaitForever(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		secret, recovery := modelstest.WithTOTP(t, f, ada, phrase)
		pending := func() string {
			token := modelstest.First(signIn(t, f, "ada@example.org"))(t)
			return token
		}
		var token string
		for range 5 { // the right password in between clears nothing
			token = pending()
			_, _, err := f.Staff.SecondFactor(ctx, token, modelstest.CodeAt(t, f, secret, 9))
			modelstest.WantKind(t, "a wrong code", err, store.Unauthorized)
		}
		for _, code := range []string{modelstest.CodeAt(t, f, secret, 0), recovery[0]} {
			modelstest.Answers(f.Staff.SecondFactor(ctx, token, code))(t, "the sixth", store.TooMany)
		}
		f.Clock.Move(staff.PendingLifetime)
		_, _, err := f.Staff.SecondFactor(ctx, token, modelstest.CodeAt(t, f, secret, 0))
		modelstest.WantKind(t, "a pending login of ten minutes", err, store.Unauthorized)
		modelstest.Answers(f.Staff.LoginBy(ctx, token))(t, "a pending login of ten minutes", store.Unauthorized)
		f.Clock.Move(5 * time.Minute)
		modelstest.Answers(f.Staff.SecondFactor(ctx, pending(), recovery[0]))(t, "later, the code that was not looked at", 0)
		modelstest.Answers(f.Staff.SecondFactor(ctx, "x", recovery[1]))(t, "no login", store.Unauthorized)
	})
}

func TestTurningTheSecondFactorOffTakesThePassword(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		_, recovery := modelstest.WithTOTP(t, f, ada, phrase) // without a mail server, nobody is told
		f.Options.HasMail = true
		waiting, _, _ := signIn(t, f, "ada@example.org")
		modelstest.WantKind(t, "a wrong password", f.Staff.DisableTOTP(ctx, ada, "wrong"), store.Invalid)
		modelstest.WantKind(t, "nobody", f.Staff.DisableTOTP(ctx, &staff.User{ID: store.NewID()}, phrase), store.Unauthorized)
		modelstest.WantKind(t, "the password", f.Staff.DisableTOTP(ctx, ada, phrase), 0)
		modelstest.Answers(f.Staff.SecondFactor(ctx, waiting, recovery[0]))(t, "a login that waited", store.Unauthorized)
		modelstest.Want(t, "a factor is asked for", halfway(t, f, "ada@example.org"), false)
		modelstest.WithTOTP(t, f, ada, phrase)
		modelstest.WantAll(t, "Ada was told", mails(t, f, ada.Email),
			[]string{"Your authenticator app is turned off", "Your second factor is on"})
		const warning = "SELECT count(*) FROM letters WHERE body LIKE '%If this was not you%'"
		modelstest.Want(t, "letters say what to do", modelstest.RowsOf(t, f, warning), 2)
		for range 5 {
			f.Staff.DisableTOTP(ctx, ada, "wrong")
		}
		modelstest.WantKind(t, "after five", f.Staff.DisableTOTP(ctx, ada, phrase), store.TooMany)
	})
}

// Everything that belongs to one account is changed at once, with locks taken in one order; PostgreSQL would break a
// deadlock, which fails the test.
func TestAnAccountIsChangedByManyAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		for range 4 {
			in := modelstest.First(signIn(t, f, ada.Email))(t)
			phone := newDevice(t, f, ada)
			phone.from.Address = "192.0.2.2" // what is refused there counts there
			modelstest.Answers(phone.add(in))(t, "adding a passkey", 0)
			fresh := modelstest.Must(f.Staff.LoginBy(ctx, in))(t)
			key := modelstest.Must(f.Staff.Passkeys(ctx, ada.ID))(t)[0]
			_, recovery := modelstest.WithTOTP(t, f, ada, phrase)
			reset := modelstest.First(f.Staff.RequestReset(ctx, ada.Email, ""))(t)
			tokens := make([]string, 4)
			for i := range tokens {
				tokens[i] = modelstest.First(signIn(t, f, ada.Email))(t)
			}
			var all sync.WaitGroup
			told := func(what string, err error, answers ...store.Kind) {
				if !slices.Contains(append(answers, 0), store.KindOf(err)) {
					t.Errorf("%s: %v", what, err)
				}
			}
			for i, token := range tokens {
				answer := phone.Uses(phone.asked("browser"))
				all.Go(func() {
					_, err := phone.enter("browser", answer)
					told("a passkey", err, store.Unauthorized, store.TooMany)
				})
				all.Go(func() {
					_, _, err := f.Staff.SecondFactor(ctx, token, recovery[i])
					told("the second factor", err, store.Unauthorized)
				})
				all.Go(func() {
					_, _, err := signIn(t, f, ada.Email)
					told("signing in", err, store.Unauthorized) // where the reset came in between
				})
			}
			all.Go(func() {
				told("turning it off", f.Staff.DisableTOTP(ctx, ada, phrase), store.Unauthorized)
			})
			all.Go(func() {
				err := f.Staff.RemovePasskey(ctx, fresh, key.ID, "")
				told("removing the passkey", err, store.Unauthorized, store.NotFound)
			})
			all.Go(func() { told("a reset", f.Staff.ResetPassword(ctx, reset, phrase)) })
			all.Wait()
			// where the reset came before the password was asked for
			modelstest.Must(f.Staff.EndSecondFactor(ctx, ada.Email))(t)
			f.Clock.Move(staff.ResetPause)
		}
	})
}
