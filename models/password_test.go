package models_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestPasswordsAreKeptAsOWASPAdvises(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		store := modelstest.Must(models.Open(t.Context(), f.Address, models.Options{}))(t)
		t.Cleanup(func() { store.Close() })
		in := models.Setup{Organization: "Conferences", Owner: models.NewUser{Email: "ada@example.org", Name: "Ada", Password: secretPhrase}}
		modelstest.Must(store.SetUp(t.Context(), in))(t)
		var hash string
		if err := f.SQL(t).QueryRow("SELECT password_hash FROM users").Scan(&hash); err != nil {
			t.Fatal(err)
		}
		if want := "$argon2id$v=19$m=47104,t=2,p=1$"; !strings.HasPrefix(hash, want) {
			t.Errorf("the password is kept as %s, want %s…", hash, want)
		}
		// A store with another cost knows it all the same.
		_, _, err := signIn(t, f, "ada@example.org", secretPhrase)
		wantKind(t, "signing in", err, 0)
		_, _, err = signIn(t, f, "ada@example.org", secretPhrase+"!")
		wantKind(t, "a wrong password", err, models.Unauthorized)
	})
}

func TestPasswordsAreCountedInCharacters(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := firstOwner(t, f)
		password := secretPhrase
		for _, x := range []struct {
			next string
			want models.Kind
		}{
			{strings.Repeat("ж", models.MinPassword-1), models.Invalid},
			{strings.Repeat("ж", models.MaxPassword+1), models.Invalid},
			{strings.Repeat("ж", models.MaxPassword), 0},
		} {
			wantKind(t, x.next, f.ChangePassword(t.Context(), ada, password, x.next, ""), x.want)
			if x.want == 0 {
				password = x.next
			}
		}
		_, _, err := signIn(t, f, ada.Email, password)
		wantKind(t, "signing in", err, 0)
	})
}
