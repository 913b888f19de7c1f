package cfp_test

import (
	"testing"
	"time"

	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestSigningInAsASpeakerTellsNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		begins(t, f, "Ingrid", "ingrid@sorlie.example", modelstest.SecretPhrase)
		begins(t, f, "Ada", "ada@example.org", "")
		for _, email := range []string{"ingrid@sorlie.example", "ada@example.org", "nobody@example.org", "",
			"x\x00@example.org"} {
			_, err := signIn(t, f, email, "not the password")
			modelstest.WantKind(t, email, err, store.Unauthorized)
			modelstest.Want(t, email+" answers", err.Error(), "The address or the password is wrong.")
		}
		for i := range 6 {
			_, err := signIn(t, f, "other@example.org", "wrong")
			if (store.KindOf(err) == store.TooMany) != (i == 5) {
				t.Errorf("attempt %d: %v", i, err)
			}
		}
		// Staff and speakers are let in apart.
		modelstest.FirstOwner(t, f)
		modelstest.Answers(f.Staff.SignIn(t.Context(), staff.SignIn{Email: "ingrid@sorlie.example",
			Password: modelstest.SecretPhrase}))(t, "a speaker in the admin", store.Unauthorized)
		_, err := signIn(t, f, "ada@example.org", modelstest.SecretPhrase)
		modelstest.WantKind(t, "an owner in the place", err, store.Unauthorized)
	})
}

func TestPasswordsAndDevicesOfAPlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ingrid := begins(t, f, "Ingrid", "ingrid@sorlie.example", "")
		other := begins(t, f, "Ada", "ada@example.org", "")
		place := func(token string) *cfp.Place {
			return cfp.PlaceOf(f.Store, modelstest.Must(cfp.LoginBy(ctx, f.Store, token))(t), store.By{Door: "call"})
		}
		modelstest.WantKind(t, "without a link that was opened",
			place(ingrid.login).SetPassword(ctx, f.Event, "", "a long phrase"), store.Invalid)
		opens(t, f, ingrid.link, ingrid.login)
		modelstest.WantKind(t, "a common one", place(ingrid.login).SetPassword(ctx, f.Event, "", "password123"),
			store.Invalid)
		modelstest.Fine(t, place(ingrid.login).SetPassword(ctx, f.Event, "", modelstest.SecretPhrase))
		second := modelstest.Must(signIn(t, f, "ingrid@sorlie.example", modelstest.SecretPhrase))(t)
		f.Clock.Move(16 * time.Minute)
		modelstest.WantKind(t, "without the one before", place(second).SetPassword(ctx, f.Event, "", "another long phrase"),
			store.Invalid)
		modelstest.Want(t, "devices", modelstest.Must(place(second).Devices(ctx))(t), 2)
		modelstest.Fine(t, place(second).SetPassword(ctx, f.Event, modelstest.SecretPhrase, "another long phrase"))
		if ingrid.in(ingrid.login) != "" || ingrid.in(second) == "" || ingrid.in(other.login) == "" {
			t.Error("another password ends the wrong logins")
		}
		third := modelstest.Must(signIn(t, f, "ingrid@sorlie.example", "another long phrase"))(t)
		modelstest.Fine(t, place(third).LeaveOthers(ctx, f.Event))
		if ingrid.in(second) != "" || ingrid.in(third) == "" || ingrid.in(other.login) == "" {
			t.Error("leaving the others ends the wrong ones")
		}
		modelstest.Fine(t, place(third).Leave(ctx, cfp.Browser{}))
		modelstest.Want(t, "who left is there still", ingrid.in(third), "")
	})
}

func TestWhatIsOldOfPlacesIsSwept(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ingrid := begins(t, f, "Ingrid", "ingrid@sorlie.example", "")
		idle := begins(t, f, "Idle", "idle@example.org", "")
		modelstest.Must(f.Programme().DeleteSession(ctx, idle.session.ID))(t)
		modelstest.Exec(t, f.SQL, "DELETE FROM participants WHERE contact_id = '"+idle.contact.ID+"'")
		rows := func(when string, logins, links, accounts int) {
			t.Helper()
			modelstest.Fine(t, cfp.Sweep(ctx, f.Store))
			for table, want := range map[string]int{"speaker_logins": logins, "speaker_links": links,
				"speaker_accounts": accounts} {
				var n int
				if err := f.SQL.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != want {
					t.Errorf("%s: %d rows of %s, want %d, %v", when, n, table, want, err)
				}
			}
		}
		rows("at once", 2, 2, 2)
		f.Clock.Move(cfp.LoginIdle - time.Minute)
		ingrid.in(ingrid.login)
		modelstest.Fine(t, f.KeepSeen(ctx))
		f.Clock.Move(time.Minute)
		rows("when one is idle", 1, 2, 2)
		f.Clock.Move(cfp.LinkLifetime - cfp.LoginIdle)
		rows("after sixty days", 0, 0, 1)
	})
}
