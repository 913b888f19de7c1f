package models_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/seed"
	"lectern/models/store"
)

// kept returns what sessions and deliveries keep of other rows, by id.
func kept(t *testing.T, f *modelstest.Fixture) map[string]string {
	t.Helper()
	db := f.SQL
	out := map[string]string{}
	for _, query := range []string{
		"SELECT id, CASE WHEN is_alone THEN 'alone' ELSE 'with people' END FROM sessions",
		"SELECT id, attempt || ' ' || round_result FROM webhook_deliveries",
	} {
		rows := modelstest.Must(db.Query(query))(t)
		for rows.Next() {
			var id, value string
			modelstest.Fine(t, rows.Scan(&id, &value))
			out[id] = value
		}
		modelstest.Fine(t, rows.Close())
	}
	return out
}

// TestTheMigrationFindsWhatTheOperationsKeep has the migration compute again what each operation has kept, and so
// proves both.
func TestTheMigrationFindsWhatTheOperationsKeep(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
		modelstest.Rounds(t, f, p) // before the seed, which has no emissions
		modelstest.Fine(t, seed.Fill(ctx, p, 20, 5))
		modelstest.Must(arrival.Of(p).Import(t.Context(), modelstest.TwoTalks(t, "First", "Text"), arrival.Options{}))(t)
		ada := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Ada"}))(t)
		abstract := func(people ...models.Participation) string {
			s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true}))(t)
			return modelstest.Must(p.SetParticipants(ctx, s.ID, people))(t).ID
		}
		alone, joined, left := abstract(), abstract(models.Participation{ContactID: ada.ID}),
			abstract(models.Participation{ContactID: ada.ID})
		modelstest.Must(p.SetParticipants(ctx, left, nil))(t)
		into := modelstest.Must(p.Compose(ctx, []string{alone}, ""))(t).ID
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Waits"}))(t)
		modelstest.Must(f.Outbox.FanOut(ctx, false, 100))(t)
		before := kept(t, f)
		modelstest.Holds(t, before[alone] == "alone" && before[joined] == "with people" && before[left] == "alone" &&
			before[into] == "alone", "%s, %s, %s, %s", before[alone], before[joined], before[left], before[into])
		modelstest.Must(p.Compose(ctx, []string{joined}, into))(t)
		modelstest.Must(p.UpdateSession(ctx, into, models.SessionChange{Title: new("U")}))(t)
		before = kept(t, f)
		modelstest.Want(t, "composed with one that has people", before[into], "with people")

		waiting := modelstest.Must(f.Webhooks().DeliveryState(ctx))(t).Waiting
		dialect := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}[f.Dialect()]
		dir := modelstest.Must(fs.Sub(store.Migrations(), "migrations/"+f.Dialect()))(t)
		provider := modelstest.Must(goose.NewProvider(dialect, f.SQL, dir))(t)
		modelstest.Must(provider.DownTo(ctx, 6))(t)
		modelstest.Must(provider.Up(ctx))(t)
		after := kept(t, f)
		got := modelstest.Must(f.Webhooks().DeliveryState(ctx))(t).Waiting
		modelstest.Holds(t, got == waiting && got != 0, "%d deliveries wait, and before %d did", got, waiting)
		for id, value := range before {
			modelstest.Want(t, id+" was kept, and is found", after[id], value)
		}
		seen := slices.Sorted(maps.Values(before))
		for _, value := range []string{"alone", "with people", "2 ", "1 under_way", "1 delivered", "1 rejected", "1 failed",
			"1 blocked", "1 handoff_accepted", "1 handoff_failed"} {
			modelstest.Holds(t, slices.Contains(seen, value), "nothing is %q", value)
		}
		modelstest.Want(t, "rows", len(after), len(before))
	})
}

func TestTheResultsFindWhatTheLogShowsAtEveryStep(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, o := t.Context(), f.Webhooks()
		modelstest.NewEndpoint(t, o, "https://example.org/hook")
		agree := func(step string, want ...outbox.RoundResult) {
			t.Helper()
			shown := modelstest.First(o.DeliveryRounds(ctx, outbox.DeliveryFilter{}, store.Page{}))(t)
			var got []outbox.RoundResult
			for _, round := range shown {
				got = append(got, round.Result)
				found, _, err := o.DeliveryRounds(ctx, outbox.DeliveryFilter{Result: round.Result}, store.Page{})
				if err != nil || !slices.ContainsFunc(found, func(x *outbox.DeliveryRound) bool {
					return x.Attempts[0].ID == round.Attempts[0].ID
				}) {
					t.Errorf("%s: %s does not find its round, %v", step, round.Result, err)
				}
			}
			sum := 0
			for _, result := range outbox.RoundResults {
				_, total, err := o.DeliveryRounds(ctx, outbox.DeliveryFilter{Result: result}, store.Page{})
				modelstest.Fine(t, err)
				sum += int(total.TotalResults)
			}
			slices.Reverse(got) // the oldest first
			modelstest.Holds(t, sum == len(shown) && slices.Equal(got, want),
				"%s: %d of %d rounds found, %v, not %v", step, sum, len(shown), got, want)
		}
		begin := func(managed bool) *outbox.Delivery {
			f.Clock.Move(time.Second)
			modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "T"}))(t)
			modelstest.Must(f.Outbox.FanOut(ctx, managed, 100))(t)
			line := ""
			if !managed {
				line = modelstest.Must(f.Outbox.Lines(ctx))(t)[0]
			}
			return modelstest.Must(f.NextRound(ctx, line, "https://managed.example", nil))(t).Delivery
		}
		end := func(d *outbox.Delivery, status int) *outbox.Delivery {
			d.Outcome, d.ErrorClass, d.ResponseStatus = outbox.Failure, outbox.StatusError, &status
			if status < 300 {
				d.Outcome, d.ErrorClass = outbox.Success, outbox.NoError
			}
			return d
		}
		first := begin(false)
		agree("begun", outbox.RoundUnderWay)
		second := modelstest.Must(f.Outbox.BeginRetry(ctx, end(first, 503)))(t)
		agree("tried again", outbox.RoundUnderWay)
		modelstest.Fine(t, f.Finish(ctx, end(second, 404)))
		agree("refused", outbox.RoundRejected)
		modelstest.Fine(t, f.Finish(ctx, end(begin(false), 204)))
		agree("delivered", outbox.RoundRejected, outbox.RoundDelivered)
		modelstest.Must(f.Outbox.BeginRetry(ctx, end(begin(false), 500)))(t)
		begin(true)
		agree("four rounds", outbox.RoundRejected, outbox.RoundDelivered, outbox.RoundUnderWay, outbox.RoundUnderWay)
		modelstest.Fine(t, f.Outbox.InterruptDeliveries(ctx))
		agree("interrupted", outbox.RoundRejected, outbox.RoundDelivered, outbox.RoundFailed, outbox.HandoffFailed)
		var interrupted []string
		log := modelstest.Must(f.Attempts(ctx))(t)
		for _, d := range log {
			if d.ErrorClass == outbox.InterruptedError {
				interrupted = append(interrupted, fmt.Sprint(d.Driver, " ", d.Attempt))
			}
		}
		if slices.Sort(interrupted); !slices.Equal(interrupted, []string{"builtin 2", "managed 1"}) {
			t.Errorf("interrupted are %v", interrupted)
		}
	})
}
