package server

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"lectern/jobs/sendlog"
	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
)

// gauges returns the metrics about deliveries, by name.
func gauges(t *testing.T, m *Metrics) map[string]float64 {
	t.Helper()
	families := modelstest.Must(m.registry.Gather())(t)
	out := map[string]float64{}
	for _, family := range families {
		if strings.HasPrefix(family.GetName(), "lectern_deliveries") {
			out[family.GetName()] = family.GetMetric()[0].GetGauge().GetValue()
		}
	}
	return out
}

func TestMetricsTellHowFarDeliveriesAre(t *testing.T) {
	modelstest.EachAlone(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, m := t.Context(), NewMetrics(f.Store)
		lead := modelstest.Must(f.Outbox.TakeLead(ctx, time.Minute))(t)
		modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "T"}))(t)
		f.Clock.Move(90 * time.Second)
		got := gauges(t, m)
		if got["lectern_deliveries_waiting"] != 1 || got["lectern_deliveries_oldest_seconds"] != 90 ||
			got["lectern_deliveries_failed"] != 0 ||
			got["lectern_deliveries_leader"] != 1 || len(got) != 4 {
			t.Errorf("%v", got)
		}
		modelstest.Fine(t, lead.Release(ctx))
		f.Store.Close()
		modelstest.Want(t, "without a database", len(gauges(t, m)), 0)
	})
}

func TestReadinessTellsOfDeliveriesThatDoNotMove(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Programme().CreateSession(context.Background(), models.NewSession{Title: "T"}))(t)
		modelstest.Want(t, "at first", (&readiness{store: f.Store}).look(), "")
		f.Clock.Move(3 * time.Minute)
		if fault := (&readiness{store: f.Store}).look(); !strings.Contains(fault, "Deliveries do not move") {
			t.Errorf("after three minutes: %q", fault)
		}
		modelstest.Must(f.Outbox.FanOut(context.Background(), false, 10))(t) // to no endpoint
		modelstest.Want(t, "when nothing waits", (&readiness{store: f.Store}).look(), "")
	})
}

func TestPrometheusReadsTheMetrics(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := NewMetrics(f.Store)
		m.requests.WithLabelValues("GET", "/v1/events", "200").Observe(0.02)
		answer := httptest.NewRecorder()
		m.handler().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families := modelstest.Must(parser.TextToMetricFamilies(answer.Body))(t)
		requests := families["lectern_request_seconds"]
		if requests.GetType() != dto.MetricType_HISTOGRAM || requests.GetMetric()[0].GetHistogram().GetSampleCount() != 1 ||
			families["lectern_letters_waiting"] == nil || families["lectern_statement_seconds"] == nil {
			t.Errorf("%v", families)
		}
	})
}

// TestTheDashboardAndTheAlarmsAskForMetricsThatThereAre knows all that we have by their prefix.
func TestTheDashboardAndTheAlarmsAskForMetricsThatThereAre(t *testing.T) {
	f := modelstest.Open(t, "sqlite")
	m := NewMetrics(f.Store)
	m.ObserveSecurityLog(modelstest.Must(sendlog.Parse("stdout"))(t))
	m.requests.WithLabelValues("GET", "/", "200").Observe(1)
	modelstest.Must(f.Outbox.TakeLead(t.Context(), time.Minute))(t)
	families := modelstest.Must(m.registry.Gather())(t)
	known := map[string]bool{}
	for _, family := range families {
		known[family.GetName()] = true
	}
	for _, name := range []string{"alerts.yml", "dashboard.json"} {
		text := modelstest.Must(os.ReadFile("../../docs/monitoring/" + name))(t)
		asked := regexp.MustCompile(`lectern_[a-z_]+`).FindAllString(string(text), -1)
		if len(asked) < 8 {
			t.Errorf("%s asks for %d", name, len(asked))
		}
		for _, metric := range asked {
			if !known[strings.TrimSuffix(strings.TrimSuffix(metric, "_bucket"), "_count")] {
				t.Errorf("%s asks for %s, which there is not", name, metric)
			}
		}
	}
}

func TestMetricsTellOfJobsThatHang(t *testing.T) {
	modelstest.EachAlone(t, func(t *testing.T, f *modelstest.Fixture) {
		m := NewMetrics(f.Store)
		session := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
		modelstest.Must(f.Programme().StartBatch(t.Context(), []string{session.ID}, nil,
			models.BatchChange{Status: new(models.Accepted)}))(t)
		f.Clock.Move(40 * time.Minute)
		told := func() (said []string) {
			for _, family := range modelstest.Must(m.registry.Gather())(t) {
				if strings.HasPrefix(family.GetName(), "lectern_jobs") {
					for _, of := range family.GetMetric() {
						said = append(said, fmt.Sprint(family.GetName(), " ", of.GetLabel()[0].GetValue(), " ", of.GetGauge().GetValue()))
					}
				}
			}
			return said
		}
		want := []string{"lectern_jobs_oldest_seconds archives 0", "lectern_jobs_oldest_seconds batches 2400",
			"lectern_jobs_oldest_seconds imports 0", "lectern_jobs_oldest_seconds moves 0", "lectern_jobs_open archives 0",
			"lectern_jobs_open batches 1", "lectern_jobs_open imports 0", "lectern_jobs_open moves 0"}
		modelstest.WantAll(t, "the told", told(), want)
		f.Store.Close()
		modelstest.WantAll(t, "without a database", told(), nil)
	})
}

func TestMetricsTellOfLettersThatWait(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Want(t, "the queue", modelstest.Must(f.Store.LetterQueue(t.Context()))(t), (models.LetterQueue{}))
		p := f.Programme()
		person := modelstest.Must(p.CreateContact(t.Context(), models.NewContact{FirstName: "A", Email: "a@example.org"}))(t)
		mailing := modelstest.Must(letters.Of(p).StartMailing(t.Context(), p.Directory(), []string{person.ID}))(t)
		modelstest.Must(letters.Of(p).SaveMailing(t.Context(), mailing.ID, 0, "Hello", "Dear {{first_name}}"))(t)
		modelstest.Must(letters.Of(p).SendMailing(t.Context(), mailing.ID, 1))(t)
		f.Clock.Move(90 * time.Second)
		if q := modelstest.Must(f.Store.LetterQueue(t.Context()))(t); q.Waiting != 1 || q.Overdue != 30*time.Second { // a minute is left to take it back
			t.Errorf("%+v", q)
		}
	})
}
