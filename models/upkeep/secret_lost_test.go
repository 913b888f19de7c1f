package upkeep_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/upkeep"
)

func TestALostSecretKeyLosesNoEvent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		added, _ := modelstest.NewEndpoint(t, o, "https://example.org/hook?token=hush")
		endpoint := added.ID
		first := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Before"}))(t)
		modelstest.Must(f.Outbox.FanOut(ctx, false, 10))(t)
		done := modelstest.Must(f.NextRound(ctx, endpoint, "", nil))(t).Delivery
		done.Outcome = outbox.Success
		modelstest.Must(f.Programme().UpdateSession(ctx, first.ID, models.SessionChange{Title: new("Waits")}))(t)
		modelstest.Must(f.Outbox.FanOut(ctx, false, 10))(t)

		other := modelstest.WithKey(t, f, 'k')
		all, lost, err := upkeep.SealedSecrets(ctx, other.Store)
		if err != nil || all != 1 || len(lost) != 1 || lost[0].Kind != upkeep.EndpointSecret || lost[0].ID != endpoint ||
			lost[0].Whose != "example.org" {
			t.Fatalf("%d sealed, lost are %+v, %v", all, lost, err)
		}
		if given := modelstest.Must(upkeep.GiveUpLostSecrets(ctx, other.Store))(t); len(given) != 1 ||
			given[0].ID != endpoint {
			t.Errorf("given up are %+v", given)
		}
		modelstest.Want(t, "given up again are", len(modelstest.Must(upkeep.GiveUpLostSecrets(ctx, other.Store))(t)), 0)
		round, err := other.NextRound(ctx, endpoint, "", done)
		if round != nil || err != nil || !slices.Equal(modelstest.Must(other.Outbox.Lines(ctx))(t), []string{endpoint}) {
			t.Errorf("the line does not wait: %+v %v", round, err)
		}
		if log, err := other.Attempts(ctx); err != nil || len(log) != 1 || log[0].Outcome != outbox.Success {
			t.Errorf("the log has %+v, %v", log, err)
		}
		modelstest.Must(f.Programme().DeleteSession(ctx, first.ID))(t) // waits too
		modelstest.Must(other.Outbox.FanOut(ctx, false, 10))(t)

		// What waits for a person is not stuck: the server must stay ready for them.
		f.Clock.Move(time.Hour)
		if state := modelstest.Must(other.Outbox.DeliveryState(ctx))(t); state.Waiting != 2 || state.Stuck() != "" {
			t.Errorf("%+v %q", state, state.Stuck())
		}

		theirs := other.Webhooks()
		shown := modelstest.Must(theirs.Endpoints(ctx))(t)[0]
		if !shown.NeedsSecret() || !shown.IsActive {
			t.Errorf("%+v", shown)
		}
		secret := modelstest.Must(theirs.RotateSecret(ctx, endpoint, &shown.UpdatedAt))(t)
		if round, err := other.NextRound(ctx, endpoint, "", nil); round != nil || err != nil {
			t.Errorf("it was not waited for the new secret to be used: %+v %v", round, err)
		}
		modelstest.Fine(t, theirs.ActivateSecret(ctx, endpoint))
		var sent []outbox.EmissionType
		for {
			round := modelstest.Must(other.NextRound(ctx, endpoint, "", nil))(t)
			if round == nil {
				break
			}
			modelstest.Want(t, "signed with another secret", round.Secret, secret)
			sent = append(sent, round.Delivery.EventType)
		}
		modelstest.WantAll(t, "sent", sent, []outbox.EmissionType{outbox.SessionUpdated, outbox.SessionDeleted})
		told := modelstest.RowsOf(t, f, "SELECT count(*) FROM activity WHERE action = 'secret lost' AND subject_id = $1",
			endpoint)
		if told != 1 {
			t.Errorf("the activity tells of it %d times", told)
		}
	})
}

func TestALostSecretKeyLeavesRecoveryCodes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, password := t.Context(), "correct horse battery"
		ada, begun := f.Hire(t, "Ada", staff.Owner), f.Hire(t, "Bea", staff.Viewer)
		secret := modelstest.First(f.Staff.BeginTOTP(ctx, ada, password))(t)
		codes := modelstest.Must(f.Staff.ConfirmTOTP(ctx, ada, nextCode(t, f, secret), ""))(t)
		modelstest.Fine(t, modelstest.ErrorOf(f.Staff.BeginTOTP(ctx, begun, password)))
		modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
		shown := modelstest.Must(f.Webhooks().Endpoints(ctx))(t)[0]

		other := modelstest.WithKey(t, f, 'k')
		modelstest.Must(other.Webhooks().RotateSecret(ctx, shown.ID, nil))(t)
		kinds := func(lost []upkeep.LostSecret) (out []string) {
			return store.Map(lost, func(x upkeep.LostSecret) string { return string(x.Kind) + " " + x.Whose })
		}
		// The endpoint's own secret opens with the first key, the next one with the second.
		_, lost, err := upkeep.SealedSecrets(ctx, f.Store)
		if got := kinds(lost); err != nil || !slices.Equal(got, []string{"next endpoint example.org"}) {
			t.Errorf("%v %v", got, err)
		}
		modelstest.Must(upkeep.GiveUpLostSecrets(ctx, f.Store))(t)
		if e := modelstest.Must(f.Webhooks().Endpoints(ctx))(t)[0]; e.Rotating() || e.NeedsSecret() {
			t.Errorf("%+v", e)
		}
		lost = modelstest.Must(upkeep.GiveUpLostSecrets(ctx, other.Store))(t)
		modelstest.WantAll(t, "given up", kinds(lost), []string{"endpoint example.org", "second factor Ada",
			"begun second factor Bea"})
		for name, x := range map[string]struct {
			code  string
			right bool
		}{"the app's": {nextCode(t, f, secret), false}, "a recovery": {codes[0], true}} {
			token, login, err := other.Staff.SignIn(ctx, staff.SignIn{Email: ada.Email, Password: password,
				Address: "192.0.2.1"})
			if err != nil || !login.Pending {
				t.Fatalf("%v %v", login, err)
			}
			if _, _, err := other.Staff.SecondFactor(ctx, token, x.code); (err == nil) != x.right ||
				(err != nil && store.KindOf(err) != store.Unauthorized) {
				t.Errorf("%s code: %v", name, err)
			}
		}
		modelstest.First(other.Staff.BeginTOTP(ctx, begun, password))(t)
		if all, lost, err := upkeep.SealedSecrets(ctx, other.Store); err != nil || all != 2 || len(lost) != 0 {
			t.Errorf("%d sealed, %v lost, %v", all, lost, err)
		}
	})
}

// nextCode returns the next code of an authenticator app; each code is good once.
func nextCode(t *testing.T, f *modelstest.Fixture, secret string) string {
	t.Helper()
	f.Clock.Move(time.Minute)
	return modelstest.CodeAt(t, f, secret, 0)
}

func TestAKeysFingerprintTellsKeysApartAndNotWhatTheyAre(t *testing.T) {
	t.Parallel()
	a, b := upkeep.KeyFingerprint([]byte(strings.Repeat("a", 32))), upkeep.KeyFingerprint([]byte(strings.Repeat("b", 32)))
	if len(a) != 16 || a == b || upkeep.KeyFingerprint(nil) != "" {
		t.Errorf("%q %q", a, b)
	}
}
