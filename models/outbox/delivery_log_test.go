package outbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

func TestTheLogShowsRoundsWithTheirAttempts(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		endpoint, _ := modelstest.NewEndpoint(t, o, "https://example.org/hook")
		labels, results := modelstest.Rounds(t, f, f.Programme())
		all, total, err := o.DeliveryRounds(ctx, outbox.DeliveryFilter{}, store.Page{Size: 100})
		if err != nil || int(total.TotalResults) != len(labels) {
			t.Fatalf("%d rounds of %d, %v", total.TotalResults, len(labels), err)
		}
		for i, round := range all {
			if got := fmt.Sprint(len(round.Attempts), " ", round.Label); got != labels[i] || round.Result != results[i] {
				t.Errorf("round %d is %s (%s), not %s (%s)", i, got, round.Result, labels[i], results[i])
			}
			if managed := round.Driver == outbox.Managed; managed != (round.WebhookID == nil) || *round.EventID != f.Event.ID ||
				round.EventType != outbox.SessionCreated {
				t.Errorf("%+v", round)
			}
			for n, d := range round.Attempts {
				if d.Attempt != n+1 || d.EmissionID != round.EmissionID || d.URL != round.URL {
					t.Errorf("attempt %d is %+v", n+1, d)
				}
			}
		}
		for _, result := range outbox.RoundResults {
			var want, got []string
			for i, round := range all {
				if results[i] == result {
					want = append(want, round.EmissionID)
				}
			}
			found, total, err := o.DeliveryRounds(ctx, outbox.DeliveryFilter{Result: result}, store.Page{Size: 100})
			for _, round := range found {
				got = append(got, round.EmissionID)
			}
			if err != nil || len(want) == 0 || !slices.Equal(got, want) || int(total.TotalResults) != len(want) {
				t.Errorf("%s finds %d (says %d), not %d: %v", result, len(got), total.TotalResults, len(want), err)
			}
		}
		page, total, err := o.DeliveryRounds(ctx, outbox.DeliveryFilter{WebhookID: endpoint.ID, Result: outbox.RoundFailed},
			store.Page{Number: 2, Size: 3})
		if err != nil || len(page) != 3 || total.TotalPages < 2 {
			t.Errorf("page 2 has %d of %v, %v", len(page), total, err)
		}
		if page, total, err = o.DeliveryRounds(ctx, outbox.DeliveryFilter{}, store.Page{Number: 900}); err != nil ||
			len(page) != 0 || int(total.TotalResults) != len(labels) {
			t.Errorf("page 900 has %d of %v, %v", len(page), total, err)
		}
	})
}

func TestTheLogIsNarrowedAndStaysInItsOrganization(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		one, _ := modelstest.NewEndpoint(t, o, "https://example.org/one")
		two, _ := modelstest.NewEndpoint(t, o, "https://example.org/two")
		here := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "T"}))(t)
		modelstest.Must(f.Programme().DeleteSession(ctx, here.ID))(t)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "T"}))(t)
		modelstest.Must(f.Outbox.FanOut(ctx, false, 100))(t)
		for _, line := range []string{one.ID, two.ID} {
			for range 3 {
				modelstest.Must(f.NextRound(ctx, line, "", nil))(t)
			}
		}
		emissions := modelstest.Emitted(t, f)
		for _, c := range []struct {
			name   string
			filter outbox.DeliveryFilter
			want   int
		}{
			{"nothing", outbox.DeliveryFilter{}, 6},
			{"the event", outbox.DeliveryFilter{EventID: f.Event.ID}, 4},
			{"the other event", outbox.DeliveryFilter{EventID: f.Other.ID}, 2},
			{"an event that is none", outbox.DeliveryFilter{EventID: store.NewID()}, 0},
			{"the type", outbox.DeliveryFilter{EventType: outbox.SessionDeleted}, 2},
			{"the endpoint", outbox.DeliveryFilter{WebhookID: one.ID}, 3},
			{"the emission", outbox.DeliveryFilter{EmissionID: emissions[0].ID}, 2},
			{"all of them", outbox.DeliveryFilter{EventID: f.Event.ID, EventType: outbox.SessionCreated, WebhookID: two.ID,
				Result: outbox.RoundUnderWay}, 1},
			{"all of them, in vain", outbox.DeliveryFilter{EventID: f.Other.ID, EventType: outbox.SessionDeleted,
				WebhookID: two.ID}, 0},
		} {
			rounds, total, err := o.DeliveryRounds(ctx, c.filter, store.Page{})
			if err != nil || len(rounds) != c.want || int(total.TotalResults) != c.want {
				t.Errorf("by %s there are %d rounds (%d), not %d: %v", c.name, len(rounds), total.TotalResults, c.want, err)
			}
			if rounds, total, err := stranger(t, f).DeliveryRounds(ctx, c.filter, store.Page{}); err != nil ||
				len(rounds) != 0 || total.TotalResults != 0 {
				t.Errorf("by %s a stranger sees %d rounds, %v", c.name, len(rounds), err)
			}
		}
		for field, filter := range map[string]outbox.DeliveryFilter{
			"event_id": {EventID: "\x00"}, "webhook_id": {WebhookID: "' OR 1=1"}, "emission_id": {EmissionID: "x"},
			"event_type": {EventType: "session.lost"}, "result": {Result: "lost"},
		} {
			modelstest.Answers(o.DeliveryRounds(ctx, filter, store.Page{}))(t, "a wrong "+field, store.Invalid)
		}
		modelstest.Answers(o.DeliveryRounds(ctx, outbox.DeliveryFilter{}, store.Page{Size: 101}))(t, "a page of 101",
			store.Invalid)
	})
}

func TestAPageOfRoundsCostsAtMostThreeStatements(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		o := f.Webhooks()
		modelstest.NewEndpoint(t, o, "https://example.org/hook")
		modelstest.Rounds(t, f, f.Programme())
		for _, filter := range []outbox.DeliveryFilter{{}, {EventID: f.Event.ID, Result: outbox.RoundFailed}} {
			for size, most := range map[int]int{1: 3, 8: 3, 100: 2} {
				statements := f.Statement.During(func() {
					modelstest.First(o.DeliveryRounds(t.Context(), filter, store.Page{Size: size}))(t)
				})
				if len(statements) > most {
					t.Errorf("a page of %d costs %d statements: %v", size, len(statements), statements)
				}
			}
		}
	})
}

func TestAFilterOfTheLogAsksAndSaysTheSameEachTime(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		o, said := f.Webhooks(), map[string]bool{}
		good := outbox.DeliveryFilter{
			EventID: f.Event.ID, EventType: outbox.EmissionTypes[0], WebhookID: store.NewID(), EmissionID: store.NewID(),
		}
		bad := outbox.DeliveryFilter{EventID: "x", EventType: "x", WebhookID: "x", EmissionID: "x"}
		for range 8 {
			statements := f.Statement.During(func() {
				modelstest.Fine(t, modelstest.ErrorOf(o.DeliveryRounds(t.Context(), good, store.Page{})))
			})
			said[statements[len(statements)-1]] = true
			_, _, err := o.DeliveryRounds(t.Context(), bad, store.Page{})
			said[err.Error()] = true
		}
		if len(said) != 2 || !said["event_id is not an id (and 3 more)"] {
			t.Errorf("%v", said)
		}
	})
}

func TestDeliveryStateTellsHowFarDeliveriesAre(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		other := stranger(t, f)
		endpoint, _ := modelstest.NewEndpoint(t, o, "https://example.org/hook")
		state := func(step string, waiting int64, oldest time.Duration, failed int64, stuck bool) {
			t.Helper()
			for of, ask := range map[string]func() (outbox.DeliveryState, error){
				"all":                func() (outbox.DeliveryState, error) { return f.Outbox.DeliveryState(ctx) },
				"one's organization": func() (outbox.DeliveryState, error) { return o.DeliveryState(ctx) },
			} {
				got, err := ask()
				if err != nil || got.Waiting != waiting || got.Oldest != oldest || got.Failed != failed ||
					(got.Stuck() != "") != stuck {
					t.Errorf("%s, of %s: %+v, %q, %v", step, of, got, got.Stuck(), err)
				}
			}
			if got, err := other.DeliveryState(ctx); err != nil || got.Waiting != 0 || got.Oldest != 0 || got.Failed != 0 ||
				got.Stuck() != "" {
				t.Errorf("%s, a stranger sees %+v, %v", step, got, err)
			}
			modelstest.Want(t, step, modelstest.Must(f.Outbox.DeliveriesStuck(ctx))(t) != "", stuck)
		}
		begin := func() *outbox.Delivery {
			t.Helper()
			return modelstest.Must(f.NextRound(ctx, endpoint.ID, "", nil))(t).Delivery
		}
		state("nothing", 0, 0, 0, false)
		modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "First"}))(t)
		f.Clock.Move(time.Minute)
		state("not in line yet", 1, time.Minute, 0, false)
		modelstest.Must(f.Outbox.FanOut(ctx, false, 10))(t)
		f.Clock.Move(time.Minute)
		inLine(t, f)
		state("in line, and none has ever begun", 2, 2*time.Minute, 0, true)
		d := begin()
		state("one began", 1, 0, 0, false)
		d.Outcome, d.ErrorClass = outbox.Failure, outbox.ConnectError
		second := modelstest.Must(f.Outbox.BeginRetry(ctx, d))(t)
		second.Outcome, second.ErrorClass = outbox.Failure, outbox.ConnectError
		modelstest.Fine(t, f.Finish(ctx, second))
		state("it failed", 1, 0, 1, false)
		f.Clock.Move(3 * time.Minute)
		state("nothing moves", 1, 3*time.Minute, 1, true)
		modelstest.Must(f.Outbox.FanOut(ctx, true, 10))(t)
		begin()
		f.Clock.Move(time.Hour)
		state("an hour later nothing waits", 0, 0, 0, false)
		modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Handed over"}))(t)
		modelstest.Must(f.Outbox.FanOut(ctx, true, 10))(t)
		f.Clock.Move(2 * time.Minute)
		state("for the managed service", 1, 2*time.Minute, 0, true)
	})
}

func TestDeliveryStateNamesWhoLeads(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Want(t, "before anybody leads it is", (modelstest.Must(f.Outbox.DeliveryState(ctx))(t).Leader != ""),
			f.Embedded())
		lead := modelstest.Must(f.Outbox.TakeLead(ctx, time.Minute))(t)
		modelstest.Want(t, "who leads is", strings.Count(modelstest.Must(f.Outbox.DeliveryState(ctx))(t).Leader, "/"), 1)
		modelstest.Fine(t, lead.Release(ctx))
	})
}

// TestReadinessReadsNoBacklog explains the statement of /readyz on a fresh PostgreSQL database, which has no statistics
// yet and would compile statements that it takes for expensive.
func TestReadinessReadsNoBacklog(t *testing.T) {
	t.Parallel()
	f := modelstest.OpenAt(t, modelstest.Database(t, "postgres"))
	ctx := t.Context()
	endpoint, _ := modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
	modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "T"}))(t)
	db := f.SQL
	modelstest.Exec(t, db, `INSERT INTO deliveries_due (emission_seq, webhook_id, organization_id, resource_id)
		SELECT e.seq, '`+endpoint.ID+`', e.organization_id, e.resource_id FROM emissions e, generate_series(1, 5000)`)
	f.Clock.Move(3 * time.Minute)
	var reason string
	statements := f.Statement.During(func() { reason = modelstest.Must(f.Outbox.DeliveriesStuck(ctx))(t) })
	if len(statements) != 1 || reason == "" {
		t.Fatalf("%q by %q", reason, statements)
	}
	rows := modelstest.Must(db.Query("EXPLAIN (ANALYZE) " + statements[0]))(t)
	defer rows.Close()
	for rows.Next() {
		var line string
		modelstest.Fine(t, rows.Scan(&line))
		if strings.Contains(line, "rows=5000 loops") || strings.Contains(line, "JIT") {
			t.Error(line)
		}
	}
	modelstest.Fine(t, rows.Err())
	var jit string
	modelstest.Fine(t, f.Read(ctx).Raw("SHOW jit").Scan(&jit).Error)
	modelstest.Want(t, "jit", jit, "off")
}
