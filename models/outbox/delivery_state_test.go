package outbox_test

import (
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
)

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

// TestReadinessReadsNoBacklog explains the statement behind /readyz on a fresh database of PostgreSQL, which has no
// statistics yet and would compile what it takes for dear.
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
