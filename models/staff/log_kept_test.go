package staff_test

import (
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestTheLogIsKeptForAsLongAsAnOwnerSays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := modelstest.FirstOwner(t, f)
		bob := modelstest.Hire(t, f, ada, staff.Invitation{Email: "bob@example.org", Role: staff.Viewer, Everywhere: true})
		team := f.Team(ctx, ada)
		count := func(event store.SecurityEvent) int {
			t.Helper()
			modelstest.Fine(t, f.KeepSeen(ctx))
			n := 0
			modelstest.Fine(t, f.Store.Organization(ada.OrganizationID, store.By{}).EachSecurityEntry(ctx,
				store.SecurityFilter{Events: []store.SecurityEvent{event}},
				func(entries []*store.SecurityEntry) error { n += len(entries); return nil }))
			return n
		}
		sweep := func(days int) {
			t.Helper()
			f.Clock.Move(time.Duration(days) * 24 * time.Hour)
			modelstest.Fine(t, f.Staff.SweepSignIns(ctx))
		}
		want := func(what string, event store.SecurityEvent, n int) {
			t.Helper()
			if got := count(event); got != n {
				t.Errorf("%s: %d of %s, want %d", what, got, event, n)
			}
		}
		modelstest.SignIn(t, f, "ada@example.org", modelstest.SecretPhrase)
		signIns := count(store.SignedIn)
		f.Note(store.Incident{Event: store.SignInFailed, By: store.By{Door: "admin"}, OrganizationID: ada.OrganizationID})
		want("at first", store.SignInFailed, 1)
		sweep(400)
		want("by itself", store.SignInFailed, 0)
		want("by itself", store.SignedIn, signIns)

		for _, days := range []int{-1, 1, 91, 1 << 40} {
			modelstest.WantKind(t, "odd days", team.KeepLog(ctx, days), store.Invalid)
		}
		modelstest.WantKind(t, "no owner", f.Team(ctx, bob).KeepLog(ctx, 90), store.NotFound)
		modelstest.Fine(t, team.KeepLog(ctx, 365))
		modelstest.Fine(t, team.KeepLog(ctx, 365))
		want("once", store.LogKept, 1)
		if days := modelstest.Must(team.LogKept(ctx))(t); days != 365 {
			t.Errorf("kept %d days", days)
		}
		sweep(0)
		want("swept", store.SignedIn, 0)
		want("swept", store.StaffJoined, 0)
		want("swept", store.LogKept, 1)
		modelstest.Fine(t, team.KeepLog(ctx, 0))
		sweep(4000)
		want("for good", store.LogKept, 2)
	})
}
