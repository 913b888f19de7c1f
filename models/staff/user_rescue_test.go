package staff_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestWhoRunsTheServerLetsAnOwnerInAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := modelstest.FirstOwner(t, f)
		bob := modelstest.Hire(t, f, ada, staff.Invitation{Email: "bob@example.org", Role: staff.Owner, Everywhere: true})
		secret, _ := modelstest.WithTOTP(t, f, ada, modelstest.SecretPhrase)
		modelstest.WithTOTP(t, f, bob, modelstest.SecretPhrase)
		link, _, err := f.Staff.RequestReset(ctx, "ada@example.org", "")
		modelstest.WantKind(t, "asking", err, 0)
		for range 6 {
			modelstest.SignIn(t, f, "ada@example.org", "wrong")
		}
		for _, email := range []string{"", "nobody", "nobody@example.org", "a\x00@example.org", "\xff@example.org"} {
			if _, err := f.Staff.SetPassword(ctx, email, "another password"); store.KindOf(err) != store.NotFound &&
				store.KindOf(err) != store.Invalid {
				t.Errorf("%q: %v", email, err)
			}
			_, err := f.Staff.EndSecondFactor(ctx, email)
			if kind := store.KindOf(err); kind != store.NotFound && kind != store.Invalid {
				t.Errorf("%q: %v", email, err)
			}
		}
		modelstest.Answers(f.Staff.SetPassword(ctx, "ada@example.org", "short"))(t, "a short one", store.Invalid)
		u, err := f.Staff.SetPassword(ctx, " ADA@example.org", "another password")
		if err != nil || u.ID != ada.ID {
			t.Fatalf("%+v %v", u, err)
		}
		modelstest.Answers(f.Staff.ResetBy(ctx, link))(t, "the link", store.NotFound)
		token, login, err := modelstest.SignIn(t, f, "ada@example.org", "another password") // the failures are forgiven
		if err != nil || !login.Pending {
			t.Fatalf("%+v %v", login, err)
		}
		for range 5 {
			f.Staff.SecondFactor(ctx, token, "000000")
		}
		modelstest.Answers(f.Staff.EndSecondFactor(ctx, "ada@example.org"))(t, "ending the second factor", 0)
		_, _, err = f.Staff.SecondFactor(ctx, token, modelstest.CodeAt(t, f, secret, 0))
		modelstest.WantKind(t, "a login that waited", err, store.Unauthorized)
		in, login, err := modelstest.SignIn(t, f, "ada@example.org", "another password")
		if err != nil || login.Pending || login.User.HasTOTP() {
			t.Fatalf("%+v %v", login, err)
		}
		_, err = f.Staff.EndSecondFactor(ctx, "ada@example.org") // there is none
		modelstest.WantKind(t, "again", err, 0)
		modelstest.Answers(f.Staff.LoginBy(ctx, in))(t, "a login that is whole", 0)
		modelstest.WithTOTP(t, f, ada, "another password")
		if _, login, err := modelstest.SignIn(t, f, "bob@example.org", modelstest.SecretPhrase); err != nil ||
			!login.Pending {
			t.Errorf("another's second factor: %+v %v", login, err)
		}
		var lines int
		err = f.SQL.QueryRow("SELECT count(*) FROM activity WHERE door = 'cli' AND subject = 'user' AND subject_id = $1",
			ada.ID).Scan(&lines)
		if err != nil || lines != 3 {
			t.Errorf("%d lines of activity, %v", lines, err)
		}
	})
}
