package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
)

const (
	readyTime = 900 * time.Millisecond // so that the answer is there within a second
	readyKept = time.Second            // anybody may ask, as often as they like
)

// readiness tells whether this process should get requests.
type readiness struct {
	store *models.Store
	mu    sync.Mutex
	asked time.Time
	fault string // why it should not
}

func (r *readiness) answer(c *fiber.Ctx) error {
	if fault := r.look(); fault != "" {
		return c.Status(http.StatusServiceUnavailable).SendString(fault + "\n")
	}
	return c.SendString("ok\n")
}

// look asks the database, or returns what it found a moment ago.
func (r *readiness) look() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.asked) < readyKept {
		return r.fault
	}
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	r.fault = ""
	if err := r.store.Ready(ctx); err != nil {
		slog.Error("not ready", "error", err.Error())
		r.fault = "Something is wrong with the database; the log says what."
		if e := models.AsError(err); errors.Is(err, context.DeadlineExceeded) {
			r.fault = "The database did not answer within a second."
		} else if e != nil {
			r.fault = e.Message
		}
	} else if stuck, err := r.store.DeliveriesStuck(ctx); err == nil && stuck != "" {
		slog.Error("not ready", "error", stuck)
		r.fault = "Deliveries do not move; the log says more."
	}
	r.asked = time.Now()
	return r.fault
}
