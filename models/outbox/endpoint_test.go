package outbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

func stranger(t *testing.T, f *modelstest.Fixture) *outbox.Webhooks {
	t.Helper()
	db, id := f.SQL, store.NewID()
	modelstest.Must(db.Exec(
		"INSERT INTO organizations (id, name, created_at, updated_at) SELECT $1, 'Strangers', created_at, updated_at FROM "+
			"organizations WHERE id = $2", id, f.Event.OrganizationID))(t)
	return f.Outbox.Webhooks(f.Organization(id, modelstest.Tester))
}

// inLine makes an emission and puts it in line.
func inLine(t *testing.T, f *modelstest.Fixture) {
	t.Helper()
	modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
	modelstest.Must(f.Outbox.FanOut(t.Context(), false, 100))(t)
}

func TestEndpointsOfAnotherOrganizationAreNotThere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, other := t.Context(), stranger(t, f)
		theirs, _ := modelstest.NewEndpoint(t, other, "https://example.org/theirs")
		modelstest.Must(other.RotateSecret(ctx, theirs.ID, nil))(t)
		ours, _ := modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/ours")
		for _, id := range []string{theirs.ID, store.NewID(), "", "x", "\x00", strings.ToUpper(ours.ID)} {
			for name, do := range map[string]func(*outbox.Webhooks) error{
				"activate":        func(o *outbox.Webhooks) error { return o.SetEndpointActive(ctx, id, true) },
				"deactivate":      func(o *outbox.Webhooks) error { return o.SetEndpointActive(ctx, id, false) },
				"delete":          func(o *outbox.Webhooks) error { return o.DeleteEndpoint(ctx, id) },
				"rotate":          func(o *outbox.Webhooks) error { _, err := o.RotateSecret(ctx, id, nil); return err },
				"activate secret": func(o *outbox.Webhooks) error { return o.ActivateSecret(ctx, id) },
				"cancel rotation": func(o *outbox.Webhooks) error { return o.CancelRotation(ctx, id) },
			} {
				err := do(f.Webhooks())
				if store.KindOf(err) != store.NotFound || strings.Contains(err.Error(), "theirs") {
					t.Errorf("%s %q: %v", name, id, err)
				}
			}
		}
		if list := modelstest.Must(f.Webhooks().Endpoints(ctx))(t); len(list) != 1 || list[0].ID != ours.ID {
			t.Errorf("we see %v", list)
		}
		if list := modelstest.Must(other.Endpoints(ctx))(t); len(list) != 1 || !list[0].IsActive || !list[0].Rotating() {
			t.Errorf("they see %v", list)
		}
		if list := modelstest.Must(f.Outbox.WebhookEndpoints(ctx))(t); len(list) != 1 || list[0].ID != ours.ID {
			t.Errorf("the command line sees %v", list)
		}
	})
}

func TestRotationSignsWithThePresentSecretUntilItIsActivated(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		endpoint, first := modelstest.NewEndpoint(t, o, "https://example.org/hook")
		signs := func(want string) {
			t.Helper()
			inLine(t, f)
			if round := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t); round == nil || round.Secret != want {
				t.Errorf("%+v does not sign with %s", round, want)
			}
		}
		modelstest.WantKind(t, "activating without a rotation", o.ActivateSecret(ctx, endpoint.ID), store.Invalid)
		modelstest.Fine(t, o.CancelRotation(ctx, endpoint.ID))
		second := modelstest.Must(o.RotateSecret(ctx, endpoint.ID, nil))(t)
		third := modelstest.Must(o.RotateSecret(ctx, endpoint.ID, nil))(t)
		if !strings.HasPrefix(third, "whsec_") || third == second || third == first {
			t.Errorf("the secrets are %s, %s, %s", first, second, third)
		}
		if list := modelstest.Must(o.Endpoints(ctx))(t); !list[0].Rotating() ||
			strings.Contains(*list[0].SealedPending, third) || !list[0].UpdatedAt.After(endpoint.UpdatedAt.Time) {
			t.Errorf("%+v", list[0])
		}
		signs(first)
		modelstest.Fine(t, o.ActivateSecret(ctx, endpoint.ID))
		signs(third)
		modelstest.WantKind(t, "activating twice", o.ActivateSecret(ctx, endpoint.ID), store.Invalid)
		modelstest.Must(o.RotateSecret(ctx, endpoint.ID, nil))(t)
		modelstest.Fine(t, o.CancelRotation(ctx, endpoint.ID))
		modelstest.Want(t, "a cancelled rotation goes on", modelstest.Must(o.Endpoints(ctx))(t)[0].Rotating(), false)
		signs(third)
		lines := activityOf(t, f, endpoint.ID)
		want := "endpoint added, endpoint secret made, endpoint secret made, endpoint secret on, endpoint secret made, endpoint secret gone"
		modelstest.Want(t, "the activity", actions(lines), want)
		if kept := fmt.Sprint(lines); strings.Contains(kept, "whsec_") {
			t.Errorf("the activity holds a secret: %s", kept)
		}
	})
}

func TestWhatIsInLineForAnEndpointThatGoesIsDropped(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		for name, end := range map[string]func(id string) error{
			"deleted":    func(id string) error { return o.DeleteEndpoint(ctx, id) },
			"turned off": func(id string) error { return o.SetEndpointActive(ctx, id, false) },
			"turned off behind our back": func(id string) error {
				return modelstest.ErrorOf(f.SQL.Exec("UPDATE webhook_endpoints SET is_active = (1 = 0) WHERE id = $1", id))
			},
		} {
			going, _ := modelstest.NewEndpoint(t, o, "https://example.org/going")
			staying, _ := modelstest.NewEndpoint(t, o, "https://example.org/staying")
			inLine(t, f)
			inLine(t, f)
			round := modelstest.Must(f.NextRound(ctx, going.ID, "", nil))(t)
			modelstest.Fine(t, end(going.ID))
			// The attempt that is under way still keeps its outcome, and may be repeated.
			round.Delivery.Outcome, round.Delivery.ErrorClass = outbox.Failure, outbox.ConnectError
			second := modelstest.Must(f.Outbox.BeginRetry(ctx, round.Delivery))(t)
			second.Outcome = outbox.Success
			if next, err := f.NextRound(ctx, going.ID, "", second); next != nil || err != nil {
				t.Errorf("an endpoint that was %s gets %v, %v", name, next, err)
			}
			if lines := modelstest.Must(f.Outbox.Lines(ctx))(t); len(lines) != 1 || lines[0] != staying.ID {
				t.Errorf("after one was %s, the lines are %v", name, lines)
			}
			inLine(t, f)
			for i := range 3 {
				if round := modelstest.Must(f.NextRound(ctx, staying.ID, "", nil))(t); round == nil {
					t.Errorf("delivery %d to the endpoint that stays was dropped as one was %s", i, name)
				}
			}
			if lines := modelstest.Must(f.Outbox.Lines(ctx))(t); len(lines) != 0 {
				t.Errorf("after one was %s, %v still wait", name, lines)
			}
			rounds, _, err := o.DeliveryRounds(ctx, outbox.DeliveryFilter{WebhookID: going.ID}, store.Page{})
			if err != nil || len(rounds) != 1 || rounds[0].URL != "https://example.org/going" ||
				rounds[0].Label != "Delivered" || len(rounds[0].Attempts) != 2 {
				t.Errorf("the log of the endpoint that was %s has %v, %v", name, rounds, err)
			}
			modelstest.Fine(t, o.DeleteEndpoint(ctx, staying.ID))
		}
	})
}

func TestTurningAnEndpointOnAgainDeliversOnlyWhatComesThen(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		endpoint, _ := modelstest.NewEndpoint(t, o, "https://example.org/hook")
		inLine(t, f)
		for _, active := range []bool{false, false, true, true} {
			modelstest.Fine(t, o.SetEndpointActive(ctx, endpoint.ID, active))
		}
		if round, err := f.NextRound(ctx, endpoint.ID, "", nil); round != nil || err != nil {
			t.Errorf("%v, %v", round, err)
		}
		inLine(t, f)
		if round, err := f.NextRound(ctx, endpoint.ID, "", nil); round == nil || err != nil {
			t.Errorf("%v, %v", round, err)
		}
		modelstest.Fine(t, o.DeleteEndpoint(ctx, endpoint.ID))
		modelstest.WantKind(t, "deleting twice", o.DeleteEndpoint(ctx, endpoint.ID), store.NotFound)
		modelstest.Want(t, "the activity",
			actions(activityOf(t, f, endpoint.ID)), "endpoint added, endpoint off, endpoint on, endpoint deleted")
	})
}

func TestEndpointsThatGoWhileEmissionsArePutInLineAreNoError(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		o := f.Webhooks()
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 20 {
				endpoint, _, err := o.CreateEndpoint(context.Background(), "https://example.org/hook")
				if err == nil {
					err = o.DeleteEndpoint(context.Background(), endpoint.ID)
				}
				if err != nil {
					t.Error(err)
				}
			}
		}()
		for range 20 {
			inLine(t, f)
			for _, id := range modelstest.Must(f.Outbox.Lines(t.Context()))(t) {
				modelstest.Answers(f.NextRound(t.Context(), id, "", nil))(t, "the next round", 0)
			}
		}
		<-done
	})
}

// activityOf returns the lines about a subject that belong to no event, the oldest first.
func activityOf(t *testing.T, f *modelstest.Fixture, subjectID string) []store.Activity {
	t.Helper()
	var lines []store.Activity
	modelstest.Fine(t, f.Read(t.Context()).Where("organization_id = ? AND event_id IS NULL AND subject_id = ?",
		f.Event.OrganizationID, subjectID).Order("id").Find(&lines).Error)
	return lines
}

func actions(lines []store.Activity) string {
	out := store.Map(lines, func(a store.Activity) string { return a.Action })
	return strings.Join(out, ", ")
}

func TestASecretIsRotatedOnceAForm(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		endpoint := modelstest.First(o.CreateEndpoint(ctx, "https://example.org/hook"))(t)
		id := endpoint.ID
		modelstest.Must(o.RotateSecret(ctx, id, &endpoint.UpdatedAt))(t)
		waiting := *modelstest.Must(o.Endpoints(ctx))(t)[0].SealedPending
		if secret, err := o.RotateSecret(ctx, id, &endpoint.UpdatedAt); store.KindOf(err) != store.Stale || secret != "" {
			t.Errorf("%q %v", secret, err)
		}
		list := modelstest.Must(o.Endpoints(ctx))(t)
		if len(list) != 1 || *list[0].SealedPending != waiting {
			t.Errorf("%+v", list)
		}
		if _, err := stranger(t, f).RotateSecret(ctx, id, &list[0].UpdatedAt); store.KindOf(err) != store.NotFound {
			t.Error(err)
		}
	})
}

func TestEndpointTakesOnlyWebAddressesWithoutCredentials(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for _, address := range []string{"", "ftp://example.org", "example.org", "http://",
			"https://user:password@example.org/x", "https://user@example.org",
			"javascript:alert(1)", "https://example.org/\x00", "https://example.org/" + strings.Repeat("x", 2000),
			"https://example.org:0/", "https://example.org:65536", "http://[::1]:99999999999999999999/",
			"https://example.org:-1", "https://example.org:x"} {
			modelstest.Answers(f.Outbox.CreateWebhookEndpoint(t.Context(), address))(t, fmt.Sprintf("%.60q", address),
				store.Invalid)
		}
		modelstest.Want(t, "endpoints are there", len(modelstest.Must(f.Outbox.WebhookEndpoints(t.Context()))(t)), 0)
		for _, address := range []string{"https://example.org", "http://example.org:1/x", "https://[2001:db8::1]:65535"} {
			if e, _, err := f.Outbox.CreateWebhookEndpoint(t.Context(), address); err != nil || e.URL != address {
				t.Errorf("%s: %v", address, err)
			}
		}
	})
}

func TestSecretIsSealedAtRestAndOpensOnlyWithTheKey(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		endpoint, secret, err := f.Outbox.CreateWebhookEndpoint(ctx, "https://example.org/hook")
		if err != nil {
			t.Fatal(err)
		}
		listed, _ := json.Marshal(modelstest.Must(f.Outbox.WebhookEndpoints(ctx))(t))
		var sealed string
		modelstest.Fine(t, f.SQL.QueryRow("SELECT sealed_secret FROM webhook_endpoints").Scan(&sealed))
		if strings.Contains(string(listed), secret) || strings.Contains(string(listed), sealed) ||
			strings.Contains(sealed, secret) || len(sealed) < len(secret) {
			t.Errorf("the secret is readable: %s %s", listed, sealed)
		}
		modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "One"}))(t)
		modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Two"}))(t)
		modelstest.Must(f.Outbox.FanOut(ctx, false, 10))(t)
		modelstest.Want(t, "the sealed secret opens to another one",
			modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Secret, secret)
		// A process with another key cannot sign, so it sends nothing and loses nothing.
		other := modelstest.WithKey(t, f, 'k')
		if round, err := other.NextRound(ctx, endpoint.ID, "", nil); round != nil || err != nil {
			t.Errorf("%+v %v", round, err)
		}
		if round := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t); round.Secret != secret ||
			!strings.Contains(round.Delivery.RequestBody, "Two") {
			t.Errorf("the line lost what waited: %+v", round)
		}
	})
}

func TestATestEventGoesToItsEndpointAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		endpoint, secret := modelstest.NewEndpoint(t, o, "https://example.org/hook")
		modelstest.NewEndpoint(t, o, "https://example.org/other")
		modelstest.NewEndpoint(t, stranger(t, f), "https://example.org/theirs")
		if test := modelstest.Must(o.LastTest(ctx, endpoint.ID))(t); test != nil {
			t.Errorf("before any: %+v", test)
		}
		before := f.Committed.Load()
		modelstest.Fine(t, o.SendTest(ctx, endpoint.ID, outbox.DecisionCommitted))
		if f.Committed.Load() == before {
			t.Error("nobody is woken")
		}
		modelstest.Want(t, "emissions are put in line for all", modelstest.Must(f.Outbox.FanOut(ctx, false, 10))(t), 0)
		modelstest.WantAll(t, "the lines", modelstest.Must(f.Outbox.Lines(ctx))(t), []string{endpoint.ID})
		if test := modelstest.Must(o.LastTest(ctx, endpoint.ID))(t); !test.InLine || test.Round != nil || test.Ended() {
			t.Errorf("in line: %+v", test)
		}
		round := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t)
		d := round.Delivery
		want := `{"data":{"test":true},"metadata":{"event":"decision.committed","resourceId":"` + endpoint.ID +
			`","eventId":"` + d.EmissionID + `","occurredAt":"` + f.Clock.Now().UTC().Format("2006-01-02T15:04:05.000Z") +
			`","version":1}}`
		if d.RequestBody != want || round.Secret != secret || !d.IsTest || d.EventID != nil {
			t.Errorf("it sends %s\nof %+v", d.RequestBody, d)
		}
		if test := modelstest.Must(o.LastTest(ctx, endpoint.ID))(t); test.InLine || test.Ended() || !test.Round.IsTest {
			t.Errorf("under way: %+v", test)
		}
		d.Outcome, d.ErrorClass, d.ResponseStatus = outbox.Failure, outbox.StatusError, new(500)
		second := modelstest.Must(f.Outbox.BeginRetry(ctx, d))(t)
		if !second.IsTest || second.RequestBody != want {
			t.Errorf("the retry is %+v", second)
		}
		second.Outcome, second.ErrorClass, second.ResponseStatus = outbox.Success, outbox.NoError, new(204)
		modelstest.Fine(t, f.Finish(ctx, second))
		test := modelstest.Must(o.LastTest(ctx, endpoint.ID))(t)
		if !test.Ended() || test.Round.Result != outbox.RoundDelivered || len(test.Round.Attempts) != 2 {
			t.Errorf("at the end: %+v", test)
		}
		modelstest.Want(t, "the activity", actions(activityOf(t, f, endpoint.ID)), "endpoint added, test sent")
		if test, err := stranger(t, f).LastTest(ctx, endpoint.ID); test != nil || err != nil {
			t.Errorf("a stranger sees %+v, %v", test, err)
		}
	})
}

func TestATestEventIsCountedNowhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		endpoint, _ := modelstest.NewEndpoint(t, o, "https://example.org/hook")
		counts := func(step string, waiting, failed int64, oldest time.Duration) {
			t.Helper()
			got := modelstest.Must(o.DeliveryState(ctx))(t)
			if got.Waiting != waiting || got.Failed != failed || got.Oldest != oldest {
				t.Errorf("%s: %+v", step, got)
			}
		}
		modelstest.Fine(t, o.SendTest(ctx, endpoint.ID, outbox.SessionCreated))
		f.Clock.Move(time.Minute)
		counts("in line", 0, 0, 0)
		inLine(t, f)
		f.Clock.Move(time.Minute)
		counts("with a real one behind", 1, 0, time.Minute)
		d := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Delivery
		if !d.IsTest {
			t.Fatal("the line is out of order")
		}
		d.Outcome, d.ErrorClass, d.ResponseStatus = outbox.Failure, outbox.StatusError, new(404)
		modelstest.Fine(t, f.Finish(ctx, d))
		counts("refused", 1, 0, time.Minute)
		if idle := modelstest.Must(o.DeliveryState(ctx))(t).Idle; idle < 24*time.Hour {
			t.Errorf("a test passes for a delivery that began %s ago", idle)
		}
	})
}

func TestTestEventsAreBounded(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		endpoint, _ := modelstest.NewEndpoint(t, o, "https://example.org/hook")
		other, _ := modelstest.NewEndpoint(t, o, "https://example.org/other")
		refused := func(what string, kind store.Kind) {
			t.Helper()
			modelstest.WantKind(t, what, o.SendTest(ctx, endpoint.ID, outbox.SessionCreated), kind)
		}
		finish := func() {
			t.Helper()
			d := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Delivery
			refused("while one is under way", store.TooMany)
			d.Outcome = outbox.Success
			modelstest.Fine(t, f.Finish(ctx, d))
		}
		for range 5 {
			refused("the next", 0)
			refused("while one is in line", store.TooMany)
			finish()
		}
		refused("a sixth within a minute", store.TooMany)
		modelstest.Fine(t, o.SendTest(ctx, other.ID, outbox.SessionCreated)) // each endpoint has its own bound
		f.Clock.Move(time.Minute)
		refused("a minute later", 0)
		modelstest.Fine(t, o.SetEndpointActive(ctx, endpoint.ID, false))
		if test := modelstest.Must(o.LastTest(ctx, endpoint.ID))(t); !test.Ended() || test.Round != nil {
			t.Errorf("dropped: %+v", test)
		}
		refused("turned off", store.Invalid)
		modelstest.WantAll(t, "lines", modelstest.Must(f.Outbox.Lines(ctx))(t), []string{other.ID})
		modelstest.Fine(t, o.SetEndpointActive(ctx, endpoint.ID, true))
		modelstest.WantKind(t, "no type", o.SendTest(ctx, endpoint.ID, "session.lost"), store.Invalid)
		modelstest.WantKind(t, "no endpoint", o.SendTest(ctx, store.NewID(), outbox.SessionCreated), store.NotFound)
		theirs, _ := modelstest.NewEndpoint(t, stranger(t, f), "https://example.org/theirs")
		modelstest.WantKind(t, "another's", o.SendTest(ctx, theirs.ID, outbox.SessionCreated), store.NotFound)
		modelstest.Exec(t, f.SQL, "UPDATE webhook_endpoints SET sealed_secret = ''")
		refused("without a secret", store.Invalid)
	})
}

func TestOfManyTestEventsAtOnceOneIsSent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		endpoint, _ := modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
		modelstest.OneSucceeds(t, 8, store.TooMany, func(int) error {
			return f.Webhooks().SendTest(t.Context(), endpoint.ID, outbox.SessionUpdated)
		})
	})
}
