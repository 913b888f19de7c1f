package main

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"lectern/models"
)

// metrics are what Prometheus may ask for; nil observes nothing.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
}

func newMetrics(store *models.Store) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lectern_request_seconds", Help: "Time to answer, by route and status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5},
		}, []string{"method", "route", "status"}),
	}
	m.registry.MustRegister(m.requests, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lectern_database_connections", Help: "Open database connections."},
			func() float64 { return float64(store.Stats().OpenConnections) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lectern_database_waits_total", Help: "Waits for a database connection."},
			func() float64 { return float64(store.Stats().WaitCount) }))
	return m
}

func (m *metrics) observe(c *fiber.Ctx) error {
	if m == nil {
		return c.Next()
	}
	start := time.Now()
	err := c.Next()
	if err != nil {
		if err := c.App().ErrorHandler(c, err); err != nil {
			return err
		}
	}
	m.requests.WithLabelValues(c.Method(), c.Route().Path, strconv.Itoa(c.Response().StatusCode())).Observe(time.Since(start).Seconds())
	return nil
}

// serve answers on an address of its own until ctx ends.
func (m *metrics) serve(ctx context.Context, address string) error {
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
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
