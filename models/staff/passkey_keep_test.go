package staff_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/passkey"
	"lectern/models/passkey/webauthn"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestAPasskeyIsMadeOnlyAsItWasAskedFor(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ada := t.Context(), modelstest.FirstOwner(t, f)
		bob := f.Hire(t, "bob", staff.Viewer)
		token, login, err := signIn(t, f, "ada@example.org")
		modelstest.WantKind(t, "signing in", err, 0)
		theirs := modelstest.First(signIn(t, f, "bob@example.org"))(t)
		begin := func(d *device, token string) string {
			return modelstest.Must(f.Staff.BeginPasskey(ctx, d.site, login, token, phrase))(t)
		}
		refused := func(what string, change func(*device)) {
			t.Helper()
			d := newDevice(t, f, ada)
			change(d)
			_, err := f.Staff.AddPasskey(ctx, ada, d.answer(token, d.Makes(begin(d, token))), "Phone")
			modelstest.WantKind(t, what, err, store.Invalid)
		}
		refused("another origin", func(d *device) { d.Party.Origin = "https://programme.example.org.evil.example" })
		refused("another site", func(d *device) { d.Party.ID = "example.org" })
		refused("nobody verified", func(d *device) { d.Auth.Options.UserNotVerified = true })
		d := newDevice(t, f, ada)
		_, err = f.Staff.AddPasskey(ctx, ada, d.answer(token, d.Makes(d.asked(token))), "Phone")
		modelstest.WantKind(t, "a challenge to sign in", err, store.Invalid)
		_, err = f.Staff.AddPasskey(ctx, ada, d.answer(token, d.Makes(begin(d, theirs))), "Phone")
		modelstest.WantKind(t, "a challenge of another browser", err, store.Invalid)
		late := d.Makes(begin(d, token))
		f.Clock.Move(passkey.ChallengeLifetime)
		modelstest.Answers(f.Staff.AddPasskey(ctx, ada, d.answer(token, late), "Phone"))(t, "too late", store.Invalid)
		if keys := modelstest.Must(f.Staff.Passkeys(ctx, ada.ID))(t); len(keys) != 0 {
			t.Fatalf("%+v", keys)
		}
		made := d.Makes(begin(d, token))
		modelstest.Answers(f.Staff.AddPasskey(ctx, ada, d.answer(token, made), "  "))(t, "without a name", store.Invalid)
		modelstest.Answers(f.Staff.AddPasskey(ctx, ada, d.answer(token, made), "Phone"))(t, "as asked for", 0)
		modelstest.Answers(f.Staff.AddPasskey(ctx, ada, d.answer(token, made), "Phone"))(t, "again", store.Invalid)
		_, err = f.Staff.AddPasskey(ctx, ada, d.answer(token, d.Makes(begin(d, token))), "Phone")
		modelstest.WantKind(t, "the same passkey", err, store.Invalid)
		_, err = f.Staff.AddPasskey(ctx, bob, d.answer(theirs, d.Makes(begin(d, theirs))), "Phone")
		modelstest.WantKind(t, "the same passkey for another", err, store.Invalid)
		ended := d.Makes(begin(d, token))
		modelstest.WantKind(t, "signing out", f.Staff.SignOut(ctx, token), 0)
		modelstest.Answers(f.Staff.AddPasskey(ctx, ada, d.answer(token, ended), "Phone"))(t, "signed out", store.Unauthorized)
	})
}

func TestPasskeysChangeByAPasswordOrAFreshSignIn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		f.Options.HasMail = true
		d, ada, token, _ := withPasskey(t, f)
		second := newDevice(t, f, ada)
		recovery, err := second.add(token)
		if err != nil || recovery != nil {
			t.Errorf("the second passkey gives other recovery codes: %q, %v", recovery, err)
		}
		keys := modelstest.Must(f.Staff.Passkeys(ctx, ada.ID))(t)
		modelstest.WantKind(t, "naming", f.Staff.RenamePasskey(ctx, ada.ID, keys[0].ID, "Laptop"), 0)
		modelstest.WantKind(t, "naming it nothing", f.Staff.RenamePasskey(ctx, ada.ID, keys[0].ID, ""), store.Invalid)
		bob := f.Hire(t, "bob", staff.Owner)
		_, his, err := signIn(t, f, "bob@example.org")
		modelstest.WantKind(t, "signing in", err, 0)
		modelstest.WantKind(t, "naming another's", f.Staff.RenamePasskey(ctx, bob.ID, keys[0].ID, "Mine"), store.NotFound)
		modelstest.WantKind(t, "removing another's", f.Staff.RemovePasskey(ctx, his, keys[0].ID, ""), store.NotFound)
		f.Clock.Move(staff.FreshSignIn)
		login := modelstest.Must(f.Staff.LoginBy(ctx, token))(t)
		_, err = f.Staff.BeginPasskey(ctx, d.site, login, token, "wrong")
		modelstest.WantKind(t, "adding with a wrong password", err, store.Invalid)
		modelstest.WantKind(t, "removing with none", f.Staff.RemovePasskey(ctx, login, keys[0].ID, ""), store.Invalid)
		modelstest.WantKind(t, "removing", f.Staff.RemovePasskey(ctx, login, keys[0].ID, phrase), 0)
		modelstest.Answers(d.enters())(t, "signing in with what was removed", store.Unauthorized)
		modelstest.Want(t, "another passkey is asked for", halfway(t, f, "ada@example.org"), true)
		modelstest.WantKind(t, "requiring", f.Team(ctx, ada).RequireSecondFactor(ctx, true), 0)
		modelstest.WantKind(t, "removing the last one that is required",
			f.Staff.RemovePasskey(ctx, login, keys[1].ID, phrase), store.Invalid)
		modelstest.WantKind(t, "no longer", f.Team(ctx, ada).RequireSecondFactor(ctx, false), 0)
		modelstest.WantKind(t, "removing the last one", f.Staff.RemovePasskey(ctx, login, keys[1].ID, phrase), 0)
		modelstest.Want(t, "a factor is asked for", halfway(t, f, "ada@example.org"), false)
		want := []string{"A passkey was added to your account", "A passkey was added to your account",
			"A passkey of yours was removed", "Your last passkey was removed"}
		modelstest.WantAll(t, "Ada was told", mails(t, f, ada.Email), want)
		modelstest.Want(t, "recovery codes are left", modelstest.RowsOf(t, f, "SELECT count(*) FROM recovery_codes"), 0)
	})
}

func TestTheAppAndPasskeysStandInForEachOther(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		d, ada, token, recovery := withPasskey(t, f)
		modelstest.WantKind(t, "requiring by a passkey", f.Team(ctx, ada).RequireSecondFactor(ctx, true), 0)
		modelstest.Want(t, "who has a passkey owes a second factor",
			modelstest.Must(f.Staff.LoginBy(ctx, token))(t).OwesFactor, false)
		secret, next := modelstest.WithTOTP(t, f, ada, phrase)
		half := modelstest.First(signIn(t, f, "ada@example.org"))(t)
		modelstest.Answers(f.Staff.SecondFactor(ctx, half, recovery[0]))(t, "a recovery code of before", store.Unauthorized)
		modelstest.Answers(f.Staff.SecondFactor(ctx, half, modelstest.CodeAt(t, f, secret, 0)))(t, "the app", 0)
		modelstest.WantKind(t, "turning the app off", f.Staff.DisableTOTP(ctx, ada, phrase), 0)
		half, login, err := signIn(t, f, "ada@example.org")
		if err != nil || !login.Pending {
			t.Fatalf("%+v, %v", login, err)
		}
		modelstest.Answers(f.Staff.SecondFactor(ctx, half, next[0]))(t, "a recovery code without the app", 0)
		modelstest.Answers(d.enters())(t, "the passkey", 0)
	})
}

func TestALostPhoneLocksNobodyOutForGood(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		f.Options.HasMail = true
		d, ada, _, _ := withPasskey(t, f)
		for range 6 {
			d.enter("browser", []byte("{}"))
		}
		modelstest.Answers(f.Staff.EndSecondFactor(ctx, ada.Email))(t, "the operator's rescue", 0)
		modelstest.Want(t, "a factor is asked for", halfway(t, f, "ada@example.org"), false)
		modelstest.Answers(d.enters())(t, "the lost passkey", store.Unauthorized)
		if got := mails(t, f, ada.Email); got[len(got)-1] != "Your second factor was ended" {
			t.Errorf("Ada was told %q", got)
		}
		bob := f.Hire(t, "bob", staff.Owner)
		token := modelstest.First(signIn(t, f, "bob@example.org"))(t)
		his := newDevice(t, f, bob)
		modelstest.Answers(his.add(token))(t, "adding", 0)
		modelstest.WantKind(t, "removing Bob", f.Team(ctx, ada).Remove(ctx, bob.ID), 0)
		modelstest.Answers(his.enters())(t, "who was removed", store.Unauthorized)
		f.Hire(t, "bob", staff.Viewer)
		modelstest.Want(t, "who comes back is asked for what they had", halfway(t, f, "bob@example.org"), false)
	})
}

func TestNobodyHasMorePasskeysThanOneMay(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, ada, token, _ := withPasskey(t, f)
		for range passkey.Most - 1 {
			modelstest.Answers(newDevice(t, f, ada).add(token))(t, "one more", 0)
		}
		login := modelstest.Must(f.Staff.LoginBy(t.Context(), token))(t)
		modelstest.Answers(f.Staff.BeginPasskey(t.Context(), d.site, login, token, ""))(t, "one too many", store.Invalid)
	})
}

func TestBrowsersMakePasskeysForNamesOverHTTPS(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]passkey.Address{
		"https://Programme.example.org":          {Host: "programme.example.org", Origin: "https://programme.example.org"},
		"https://programme.example.org:443/here": {Host: "programme.example.org", Origin: "https://programme.example.org"},
		"https://programme.example.org:8443":     {Host: "programme.example.org", Origin: "https://programme.example.org:8443"},
		"https://münchen.example":                {Host: "xn--mnchen-3ya.example", Origin: "https://xn--mnchen-3ya.example"},
		"http://localhost:8080":                  {Host: "localhost", Origin: "http://localhost:8080"},
		"http://a.localhost":                     {Host: "a.localhost", Origin: "http://a.localhost"},
	} {
		if got, why := passkey.AddressOf(public); got != want || why != "" {
			t.Errorf("%s: %+v, %s", public, got, why)
		}
		if _, why := webauthn.New(public); why != "" {
			t.Errorf("%s: %s", public, why)
		}
	}
	for public, word := range map[string]string{
		"http://127.0.0.1:8080": "number", "https://192.0.2.1": "number", "https://[2001:db8::1]": "number",
		"http://programme.example.org": "https", "": "known", "https://": "known", "https://under_score.example": "",
	} {
		site, why := webauthn.New(public)
		if word != "" && (site != nil || !strings.Contains(why, word)) {
			t.Errorf("%s: %v, %q", public, site, why)
		}
	}
}

func TestGuessesAtPasskeysAndPasswordsOfANetworkAreCountedApart(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, ada, _, _ := withPasskey(t, f)
		password := func(email, password string) error {
			_, _, err := f.Staff.SignIn(t.Context(), staff.SignIn{Email: email, Password: password, Address: d.from.Address})
			return err
		}
		for range signin.FailuresOfAddress {
			modelstest.Answers(d.enter("browser", []byte("{}")))(t, "a guess at a passkey", store.Unauthorized)
		}
		modelstest.Answers(d.enters())(t, "a passkey after them", store.TooMany)
		modelstest.WantKind(t, "the password after them", password(ada.Email, phrase), 0)
		f.Clock.Move(16 * time.Minute)
		for i := range signin.FailuresOfAddress {
			modelstest.WantKind(t, "a guess at a password", password(fmt.Sprint("nobody", i, "@example.org"), "guess"),
				store.Unauthorized)
		}
		modelstest.WantKind(t, "the password after those", password(ada.Email, phrase), store.TooMany)
		modelstest.Answers(d.enters())(t, "a passkey after those", 0)
	})
}
