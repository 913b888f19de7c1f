package outbox_test

import (
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

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
