package staff_test

import (
	"strings"
	"testing"

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
			Password: modelstest.SecretPhrase}}
		modelstest.Must(setup.Do(t.Context(), db, in))(t)
		var hash string
		modelstest.Fine(t, f.SQL.QueryRow("SELECT password_hash FROM users").Scan(&hash))
		if want := "$argon2id$v=19$m=47104,t=2,p=1$"; !strings.HasPrefix(hash, want) {
			t.Errorf("the password is kept as %s, want %s…", hash, want)
		}
		// A store with another cost knows it all the same.
		modelstest.Answers(modelstest.SignIn(t, f, "ada@example.org", modelstest.SecretPhrase))(t, "signing in", 0)
		_, _, err := modelstest.SignIn(t, f, "ada@example.org", modelstest.SecretPhrase+"!")
		modelstest.WantKind(t, "a wrong password", err, store.Unauthorized)
	})
}

// The hash was made in November 2026 by the code that came before the library.
func TestAnOlderHashIsKnown(t *testing.T) {
	const older = "$argon2id$v=19$m=47104,t=2,p=1$yraFmxPBDFHkznoF+3N7HA$HUFwiDheX7kZpEB7eNKNgQI+4u4D1tFuXzBdpgi4Tzg"
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.FirstOwner(t, f)
		for _, x := range []struct {
			hash, password string
			want           store.Kind
		}{
			{older, modelstest.SecretPhrase, 0},
			{older, modelstest.SecretPhrase + "!", store.Unauthorized},
			{older[:len(older)-5], modelstest.SecretPhrase, store.Unauthorized},
			{"no hash", modelstest.SecretPhrase, store.Unauthorized},
			{"", "", store.Unauthorized},
		} {
			modelstest.Must(f.SQL.Exec("UPDATE users SET password_hash = $1", x.hash))(t)
			modelstest.Answers(modelstest.SignIn(t, f, ada.Email, x.password))(t, x.password+" for "+x.hash, x.want)
		}
	})
}

func TestPasswordsAreCountedInCharacters(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.FirstOwner(t, f)
		password, long := modelstest.SecretPhrase, strings.Repeat("живой журавль ", signin.MaxPassword)
		for _, x := range []struct {
			next string
			want store.Kind
		}{
			{strings.Repeat("ж", signin.MinPassword-1), store.Invalid},
			{strings.Repeat("ж", signin.MaxPassword+1), store.Invalid},
			{string([]rune(long)[:signin.MaxPassword]), 0},
		} {
			modelstest.WantKind(t, x.next, f.Staff.ChangePassword(t.Context(), ada, password, x.next, ""), x.want)
			if x.want == 0 {
				password = x.next
			}
		}
		modelstest.Answers(modelstest.SignIn(t, f, ada.Email, password))(t, "signing in", 0)
	})
}

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
		refused("the account", f.Staff.ChangePassword(ctx, ada, modelstest.SecretPhrase, common, ""))
		token, _, err = f.Staff.RequestReset(ctx, ada.Email, "")
		modelstest.WantKind(t, "asking", err, 0)
		refused("a reset", f.Staff.ResetPassword(ctx, token, common))
		modelstest.WantKind(t, "spaces alone", f.Staff.ResetPassword(ctx, token, strings.Repeat(" ", 20)), store.Invalid)
		modelstest.WantKind(t, "the same link, another password", f.Staff.ResetPassword(ctx, token, "another password"), 0)
	})
}
