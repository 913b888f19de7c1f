package staff_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// whileHeld lets all of them begin, one after the other has come to where it waits, while a member is held.
func whileHeld(t *testing.T, f *modelstest.Fixture, u *staff.User, all ...func() error) []error {
	t.Helper()
	done := make([]chan error, len(all))
	modelstest.Fine(t, f.Staff.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.Lock().Where("id = ?", u.ID).Take(&staff.User{}).Error; err != nil {
			return err
		}
		for i, begin := range all {
			done[i] = make(chan error, 1)
			go func() { done[i] <- begin() }()
			modelstest.Waits(t, f, i+1)
		}
		return nil
	}))
	errs := make([]error, len(all))
	for i := range all {
		errs[i] = <-done[i]
	}
	return errs
}

func TestNoSignInOutlivesThatPasswordsAreTurnedOff(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		d, ada, _, recovery := withPasskey(t, f)
		bob := modelstest.Hire(t, f, ada, staff.Invitation{Email: "bob@example.org", Role: staff.Owner})
		p := house(t, f, ada)
		modelstest.Must(comes(t, f, p, person("ada")))(t)
		turnOff := func() error { return f.Team(ctx, ada).TurnPasswordsOff(ctx, "") }
		password := func() (*staff.User, func() error) {
			return bob, func() error { return modelstest.ErrorOf(modelstest.SignIn(t, f, bob.Email, modelstest.SecretPhrase)) }
		}
		passkey := func() (*staff.User, func() error) {
			answer := d.Uses(d.asked("browser"))
			return ada, func() error { _, err := d.enter("browser", answer); return err }
		}
		second := func() (*staff.User, func() error) {
			pending := modelstest.First(modelstest.SignIn(t, f, ada.Email, modelstest.SecretPhrase))(t)
			code := recovery[0]
			recovery = recovery[1:]
			return ada, func() error { _, _, err := f.Staff.SecondFactor(ctx, pending, code); return err }
		}
		for _, way := range []struct {
			name  string
			begin func() (*staff.User, func() error)
		}{{"a password", password}, {"a passkey", passkey}, {"a second factor", second}} {
			for _, first := range []bool{true, false} {
				u, enter := way.begin()
				both := []func() error{turnOff, enter}
				if first {
					both = []func() error{enter, turnOff}
				}
				for _, err := range whileHeld(t, f, u, both...) {
					if kind := store.KindOf(err); kind != 0 && kind != store.Unauthorized {
						t.Errorf("%s, first: %t: %v", way.name, first, err)
					}
				}
				var left int
				const open = "SELECT count(*) FROM logins WHERE identity_id IS NULL"
				modelstest.Fine(t, f.SQL.QueryRow(open).Scan(&left))
				if left != 0 {
					t.Errorf("%s, first: %t: %d logins outlive that passwords are turned off", way.name, first, left)
				}
				modelstest.Fine(t, f.Team(ctx, ada).TurnPasswordsOn(ctx))
			}
		}
	})
}
