package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"lectern/models"
	"lectern/models/status"
)

// Metrics are what Prometheus may scrape; a nil one observes nothing.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
}

// buckets are in seconds, from an answer out of a cache to one that nobody should wait for.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}

// NewMetrics returns the metrics of a store and of requests.
func NewMetrics(store *models.Store) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lectern_request_seconds", Help: "Time to answer, by route and status.",
			Buckets: buckets,
		}, []string{"method", "route", "status"}),
	}
	statements := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "lectern_statement_seconds", Help: "Time until the database answered a statement.", Buckets: buckets,
	})
	store.ObserveStatements(func(took time.Duration) { statements.Observe(took.Seconds()) })
	m.registry.MustRegister(m.requests, statements, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lectern_database_connections",
			Help: "Open database connections."},
			func() float64 { return float64(store.Stats().OpenConnections) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lectern_database_waits_total",
			Help: "Waits for a database connection."},
			func() float64 { return float64(store.Stats().WaitCount) }),
		deliveryGauges{store}, letterGauges{store}, jobGauges{store})
	return m
}

// SentLog is what sends the security log on to another system.
type SentLog interface {
	Sent() uint64
	Dropped() uint64
	Waiting() int
}

// ObserveSecurityLog adds counts of the security log's lines that were sent on, dropped, or wait.
func (m *Metrics) ObserveSecurityLog(log SentLog) {
	m.registry.MustRegister(
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lectern_security_log_sent_total",
			Help: "Lines of the security log that were sent on."}, func() float64 { return float64(log.Sent()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lectern_security_log_dropped_total",
			Help: "Lines of the security log that were not sent on, as where they go was away for long."},
			func() float64 { return float64(log.Dropped()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lectern_security_log_waiting",
			Help: "Lines of the security log that wait to be sent on."}, func() float64 { return float64(log.Waiting()) }))
}

// gaugeTime is how long the database may take for the gauges of a scrape. Gauges that take longer are left out.
const gaugeTime = time.Second

var (
	deliveriesWaiting = prometheus.NewDesc("lectern_deliveries_waiting", "Deliveries that have not begun.", nil, nil)
	deliveriesOldest  = prometheus.NewDesc("lectern_deliveries_oldest_seconds",
		"How long the first of the waiting deliveries has waited.", nil, nil)
	deliveriesFailed = prometheus.NewDesc("lectern_deliveries_failed",
		"Deliveries begun in the last hour that reached nobody.", nil, nil)
	deliveriesLeader = prometheus.NewDesc("lectern_deliveries_leader", "The machine and process that delivers.",
		[]string{"process"}, nil)
)

// deliveryGauges ask the database when they are scraped.
type deliveryGauges struct{ store *models.Store }

func (deliveryGauges) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{deliveriesWaiting, deliveriesOldest, deliveriesFailed, deliveriesLeader} {
		to <- desc
	}
}

func (g deliveryGauges) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeTime)
	defer cancel()
	state, err := g.store.Outbox.DeliveryState(ctx)
	if err != nil {
		slog.Warn("metrics go without deliveries", "error", err.Error())
		return
	}
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	gauge(deliveriesWaiting, float64(state.Waiting))
	gauge(deliveriesOldest, state.Oldest.Seconds())
	gauge(deliveriesFailed, float64(state.Failed))
	if state.Leader != "" {
		gauge(deliveriesLeader, 1, state.Leader)
	}
}

var (
	lettersWaiting = prometheus.NewDesc("lectern_letters_waiting", "Letters that wait for the mail server.", nil, nil)
	lettersOverdue = prometheus.NewDesc("lectern_letters_overdue_seconds",
		"How long the first of the waiting letters could have gone.", nil, nil)
)

// letterGauges ask the database when they are scraped.
type letterGauges struct{ store *models.Store }

func (letterGauges) Describe(to chan<- *prometheus.Desc) {
	to <- lettersWaiting
	to <- lettersOverdue
}

func (g letterGauges) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeTime)
	defer cancel()
	queue, err := g.store.LetterQueue(ctx)
	if err != nil {
		slog.Warn("metrics go without letters", "error", err.Error())
		return
	}
	to <- prometheus.MustNewConstMetric(lettersWaiting, prometheus.GaugeValue, float64(queue.Waiting))
	to <- prometheus.MustNewConstMetric(lettersOverdue, prometheus.GaugeValue, queue.Overdue.Seconds())
}

var (
	jobsOpen = prometheus.NewDesc("lectern_jobs_open", "Work behind the pages that is not done: batches, imports of people, "+
		"moves and archives, counted up to a limit.", []string{"kind"}, nil)
	jobsOldest = prometheus.NewDesc("lectern_jobs_oldest_seconds", "How long ago the first of that work was begun.",
		[]string{"kind"}, nil)
)

// jobGauges ask the database when they are scraped.
type jobGauges struct{ store *models.Store }

func (jobGauges) Describe(to chan<- *prometheus.Desc) {
	to <- jobsOpen
	to <- jobsOldest
}

func (g jobGauges) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeTime)
	defer cancel()
	jobs, err := status.Jobs(ctx, g.store)
	if err != nil {
		slog.Warn("metrics go without jobs", "error", err.Error())
		return
	}
	for _, job := range jobs {
		age := time.Duration(0)
		if job.Oldest != nil {
			age = g.store.Now().Sub(job.Oldest.Time)
		}
		to <- prometheus.MustNewConstMetric(jobsOpen, prometheus.GaugeValue, float64(job.Open), job.Kind)
		to <- prometheus.MustNewConstMetric(jobsOldest, prometheus.GaugeValue, age.Seconds(), job.Kind)
	}
}

func (m *Metrics) observe(c *fiber.Ctx) error {
	if m == nil {
		return c.Next()
	}
	start := time.Now()
	if err := c.Next(); err != nil {
		return err
	}
	m.requests.WithLabelValues(c.Method(), c.Route().Path, strconv.Itoa(c.Response().StatusCode())).
		Observe(time.Since(start).Seconds())
	return nil
}

// handler serves the metrics in Prometheus' format.
func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Serve serves the metrics and Go's pprof on an address of their own until ctx ends.
func (m *Metrics) Serve(ctx context.Context, address string) error {
	mux := http.NewServeMux()
	mux.Handle("/metrics", m.handler())
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	server := &http.Server{Addr: address, Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		return err
	}
	return nil
}
