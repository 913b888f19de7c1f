package outbox_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// titles returns the titles of the sessions that rounds tell of.
func titles(rounds []*outbox.Round) (out []string) {
	for _, round := range rounds {
		_, after, _ := strings.Cut(round.Delivery.RequestBody, `"title":"`)
		title, _, _ := strings.Cut(after, `"`)
		out = append(out, title)
	}
	return out
}

func TestRoundsAreTakenInOrderAndOneOfAResource(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		endpoint, _ := modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
		var ids []string
		for _, title := range []string{"A", "B", "C"} {
			s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title}))(t)
			modelstest.Must(p.UpdateSession(ctx, s.ID, models.SessionChange{Title: new(title + "2")}))(t)
			ids = append(ids, s.ID)
		}
		modelstest.Must(f.Outbox.FanOut(ctx, false, 100))(t)
		var done []*outbox.Delivery
		for _, step := range []struct {
			most int
			busy []string
			want []string
			more bool
		}{
			{0, nil, nil, false},
			{2, nil, []string{"A"}, true}, // A2 was looked at, and has to wait
			{2, ids[:1], []string{"B"}, true},
			{9, ids[:2], []string{"C"}, false},
			{9, ids, nil, false},
			{9, ids[1:], []string{"A2"}, false},
			{9, nil, []string{"B2", "C2"}, false},
			{9, nil, nil, false},
		} {
			rounds, more, err := f.Outbox.TakeRounds(ctx, outbox.Take{Line: endpoint.ID, Most: step.most,
				Busy: step.busy, Done: done})
			if err != nil || !slices.Equal(titles(rounds), step.want) || more != step.more {
				t.Errorf("%d besides %d busy ones are %v (more: %t), not %v: %v", step.most, len(step.busy), titles(rounds), more,
					step.want, err)
			}
			done = nil
			for _, round := range rounds {
				round.Delivery.Outcome = outbox.Success
				done = append(done, round.Delivery)
			}
		}
		_, total, err := f.Webhooks().DeliveryRounds(ctx, outbox.DeliveryFilter{Result: outbox.RoundDelivered}, store.Page{})
		if err != nil || total.TotalResults != 6 {
			t.Errorf("%d rounds are kept as delivered, %v", total.TotalResults, err)
		}
	})
}

func TestRoundsThatMayHaveBegunAreFoundOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		endpoint, _ := modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
		inLine(t, f)
		inLine(t, f)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stop := f.Statement.Watch(func(statement string) {
			if strings.HasPrefix(statement, "INSERT INTO") {
				cancel()
			}
		})
		lost, _, err := f.Outbox.TakeRounds(ctx, outbox.Take{Line: endpoint.ID, Most: 1})
		stop()
		if err == nil || len(lost) != 1 {
			t.Fatalf("a call that was cut short: %v, %v", lost, err)
		}
		take := outbox.Take{Line: endpoint.ID, Most: 1, Doubtful: lost}
		began, _, err := f.Outbox.TakeRounds(t.Context(), take)
		if err != nil || len(began) != 1 || began[0].Delivery.ID == lost[0].Delivery.ID ||
			began[0].Delivery.EmissionID != lost[0].Delivery.EmissionID {
			t.Fatalf("what did not begin is not taken anew: %v, %v", began, err)
		}
		take.Doubtful = began // as if the answer had been lost
		again, _, err := f.Outbox.TakeRounds(t.Context(), take)
		if err != nil || len(again) != 1 || again[0] != began[0] {
			t.Errorf("what began is not found: %v, %v", again, err)
		}
		began[0].Delivery.Outcome = outbox.Success
		modelstest.Fine(t, f.Finish(t.Context(), began[0].Delivery))
		if next, _, err := f.Outbox.TakeRounds(t.Context(), take); err != nil || len(next) != 1 ||
			next[0].Delivery.EmissionID == lost[0].Delivery.EmissionID {
			t.Errorf("what has ended begins again: %v, %v", next, err)
		}
	})
}

func TestAnOutcomeIsKeptThoughTheAttemptWasGivenUp(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		endpoint, _ := modelstest.NewEndpoint(t, o, "https://example.org/hook")
		result := func() outbox.RoundResult {
			rounds := modelstest.First(o.DeliveryRounds(ctx, outbox.DeliveryFilter{}, store.Page{}))(t)
			return rounds[0].Result
		}
		inLine(t, f)
		d := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Delivery
		modelstest.Fine(t, f.Outbox.InterruptDeliveries(ctx))
		d.Outcome, d.ErrorClass = outbox.Failure, outbox.ConnectError
		if second, err := f.Outbox.BeginRetry(ctx, d); second != nil || err != nil {
			t.Errorf("a round that another process closed is retried: %v, %v", second, err)
		}
		modelstest.Want(t, "the round", result(), outbox.RoundFailed)
		f.Clock.Move(time.Second)
		inLine(t, f)
		first := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Delivery
		first.Outcome, first.ErrorClass = outbox.Failure, outbox.ConnectError
		second := modelstest.Must(f.Outbox.BeginRetry(ctx, first))(t)
		if again, err := f.Outbox.BeginRetry(ctx, first); again != second || err != nil {
			t.Errorf("a retry that began is %v, %v", again, err)
		}
		modelstest.Fine(t, f.Outbox.InterruptDeliveries(ctx))
		second.Outcome = outbox.Success
		modelstest.Fine(t, f.Finish(ctx, second))
		modelstest.Want(t, "a second attempt that was answered", result(), outbox.RoundDelivered)
		second.Outcome, second.ErrorClass = outbox.Failure, outbox.InterruptedError
		modelstest.Fine(t, f.Finish(ctx, second))
		modelstest.Want(t, "what was delivered became", result(), outbox.RoundDelivered)
	})
}

func TestTheLogIsShortenedALittleAtATime(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		endpoint, _ := modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
		const n = 5
		for range n {
			inLine(t, f)
		}
		for range n - 1 {
			d := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Delivery
			d.Outcome = outbox.Success
			modelstest.Fine(t, f.Finish(ctx, d))
		}
		f.Clock.Move(time.Hour)
		var more []bool
		for range 3 {
			more = append(more, modelstest.Must(f.Outbox.PruneDeliveries(ctx, time.Minute, 2))(t))
		}
		modelstest.WantAll(t, "there was more", more, []bool{true, true, false})
		modelstest.Want(t, "attempts are left", modelstest.RowsOf(t, f, "SELECT count(*) FROM webhook_deliveries"), 0)
		modelstest.Want(t, "emissions wait", modelstest.RowsOf(t, f, "SELECT count(*) FROM emissions"), 1)
		// What is younger stays.
		d := modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Delivery
		d.Outcome = outbox.Success
		modelstest.Fine(t, f.Finish(ctx, d))
		f.Clock.Move(30 * time.Second)
		modelstest.Want(t, "there was more", modelstest.Must(f.Outbox.PruneDeliveries(ctx, time.Minute, 2))(t), false)
		modelstest.Want(t, "younger attempts are left", len(modelstest.Must(f.Attempts(ctx))(t)), 1)
	})
}

func TestTheLeadEndsWhenItIsNotRenewed(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	ctx, long, short := t.Context(), modelstest.Patience, 500*time.Millisecond
	one := modelstest.Must(f.Outbox.TakeLead(ctx, long))(t)
	if other := modelstest.Must(f.Outbox.TakeLead(ctx, long))(t); other != nil || !one.Valid() {
		t.Fatal("two have the lead")
	}
	modelstest.Fine(t, one.Renew(ctx))
	if other := modelstest.Must(f.Outbox.TakeLead(ctx, long))(t); other != nil || !one.Valid() {
		t.Fatal("two have a lead that was renewed")
	}
	modelstest.Fine(t, one.Release(ctx))
	one = modelstest.Must(f.Outbox.TakeLead(ctx, short))(t)
	var other *outbox.Lead
	modelstest.Await(t, "the lead ends", func() bool {
		other = modelstest.Must(f.Outbox.TakeLead(ctx, long))(t)
		return other != nil
	})
	modelstest.Want(t, "another process took a lead that was valid", one.Valid(), false)
	if err := one.Renew(ctx); !errors.Is(err, outbox.ErrLeadLost) || one.Valid() {
		t.Errorf("renewing a lost lead: %v", err)
	}
	modelstest.Fine(t, one.Release(ctx)) // gives up nothing of the other's
	modelstest.Fine(t, other.Renew(ctx))
	modelstest.Fine(t, other.Release(ctx))
	if err := other.Renew(ctx); !errors.Is(err, outbox.ErrLeadLost) {
		t.Errorf("renewing what was given up: %v", err)
	}
}

func TestTheOnlyProcessHasTheLeadForGood(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	lead := modelstest.Must(f.Outbox.TakeLead(t.Context(), time.Nanosecond))(t)
	if err := lead.Renew(t.Context()); err != nil || !lead.Valid() {
		t.Errorf("valid: %t, %v", lead.Valid(), err)
	}
	modelstest.Fine(t, lead.Release(t.Context()))
}

func TestReceiversThatFailAreRetriedAndAskedLess(t *testing.T) {
	t.Parallel()
	status := func(n int) outbox.Delivery {
		return outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.StatusError, ResponseStatus: &n}
	}
	for _, c := range []struct {
		name            string
		end             outbox.Delivery
		again, slowDown bool
	}{
		{"2xx", outbox.Delivery{Outcome: outbox.Success, ResponseStatus: new(200)}, false, false},
		{"a redirect", status(302), false, false},
		{"a refusal", status(404), false, false},
		{"too many", status(429), false, true},
		{"a fault", status(503), true, true},
		{"nobody there", outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.ConnectError}, true, true},
		{"no answer", outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.TimeoutError}, true, true},
		{"given up", outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.InterruptedError}, false, false},
		{"blocked", outbox.Delivery{Outcome: outbox.Failure, ErrorClass: outbox.BlockedError}, false, false},
	} {
		for _, driver := range []outbox.Driver{outbox.Builtin, outbox.Managed} {
			for attempt := 1; attempt <= 2; attempt++ {
				c.end.Driver, c.end.Attempt = driver, attempt
				if again := c.again && attempt == 1 && driver == outbox.Builtin; c.end.Retry() != again ||
					c.end.SlowDown() != c.slowDown {
					t.Errorf("%s, %s, attempt %d: again %t, slower %t", c.name, driver, attempt, c.end.Retry(), c.end.SlowDown())
				}
			}
		}
	}
}
