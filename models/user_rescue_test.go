package models_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestWhoRunsTheServerLetsAnOwnerInAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := firstOwner(t, f)
		bob := hire(t, f, ada, models.Invitation{Email: "bob@example.org", Role: models.Owner, Everywhere: true})
		secret, _ := withTOTP(t, f, ada, secretPhrase)
		withTOTP(t, f, bob, secretPhrase)
		link, _, err := f.Staff.RequestReset(ctx, "ada@example.org", "")
		wantKind(t, "asking", err, 0)
		for range 6 {
			signIn(t, f, "ada@example.org", "wrong")
		}
		for _, email := range []string{"", "nobody", "nobody@example.org", "a\x00@example.org", "\xff@example.org"} {
			if _, err := f.Staff.SetPassword(ctx, email, "another password"); models.KindOf(err) != models.NotFound && models.KindOf(err) != models.Invalid {
				t.Errorf("%q: %v", email, err)
			}
			if _, err := f.Staff.EndTOTP(ctx, email); models.KindOf(err) != models.NotFound && models.KindOf(err) != models.Invalid {
				t.Errorf("%q: %v", email, err)
			}
		}
		_, err = f.Staff.SetPassword(ctx, "ada@example.org", "short")
		wantKind(t, "a short one", err, models.Invalid)
		u, err := f.Staff.SetPassword(ctx, " ADA@example.org", "another password")
		if err != nil || u.ID != ada.ID {
			t.Fatalf("%+v %v", u, err)
		}
		_, err = f.Staff.ResetBy(ctx, link)
		wantKind(t, "the link", err, models.NotFound)
		token, login, err := signIn(t, f, "ada@example.org", "another password") // the failures are forgiven
		if err != nil || !login.Pending {
			t.Fatalf("%+v %v", login, err)
		}
		for range 5 {
			f.Staff.SecondFactor(ctx, token, "000000")
		}
		_, err = f.Staff.EndTOTP(ctx, "ada@example.org")
		wantKind(t, "ending the second factor", err, 0)
		_, _, err = f.Staff.SecondFactor(ctx, token, codeAt(t, f, secret, 0))
		wantKind(t, "a login that waited", err, models.Unauthorized)
		in, login, err := signIn(t, f, "ada@example.org", "another password")
		if err != nil || login.Pending || login.User.HasTOTP() {
			t.Fatalf("%+v %v", login, err)
		}
		_, err = f.Staff.EndTOTP(ctx, "ada@example.org") // there is none
		wantKind(t, "again", err, 0)
		_, err = f.Staff.LoginBy(ctx, in)
		wantKind(t, "a login that is whole", err, 0)
		withTOTP(t, f, ada, "another password")
		if _, login, err := signIn(t, f, "bob@example.org", secretPhrase); err != nil || !login.Pending {
			t.Errorf("another's second factor: %+v %v", login, err)
		}
		var lines int
		err = f.SQL(t).QueryRow("SELECT count(*) FROM activity WHERE door = 'cli' AND subject = 'user' AND subject_id = $1", ada.ID).Scan(&lines)
		if err != nil || lines != 3 {
			t.Errorf("%d lines of activity, %v", lines, err)
		}
	})
}
