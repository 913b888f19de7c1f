package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/store"
)

const (
	readyTime = 900 * time.Millisecond // so that the answer is out within a second
	readyKept = time.Second            // anybody may ask, as often as they like
)

// readiness tells whether this process should get requests.
type readiness struct {
	store *models.Store
	mu    sync.Mutex
	asked time.Time
	fault string // why it should not, "" if it should
}

func (r *readiness) answer(c *fiber.Ctx) error {
	if fault := r.look(); fault != "" {
		return c.Status(http.StatusServiceUnavailable).SendString(fault + "\n")
	}
	return c.SendString("ok\n")
}

// look asks the database, or returns the answer of at most readyKept ago.
func (r *readiness) look() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.asked) < readyKept {
		return r.fault
	}
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	fault, why := r.ask(ctx)
	if fault != r.fault {
		slog.Warn("readiness changed", "ready", fault == "", "fault", fault, "why", why)
	}
	r.fault, r.asked = fault, time.Now()
	return fault
}

// ask returns what the answer says, and what only the log says.
func (r *readiness) ask(ctx context.Context) (fault, why string) {
	err := r.store.Ready(ctx)
	if err == nil {
		why, err = r.store.Outbox.DeliveriesStuck(ctx)
	}
	switch {
	case err != nil:
		return faultOf(err), err.Error()
	case why != "":
		return "Deliveries do not move; the log says more.", why
	}
	return "", ""
}

// faultOf words why the database could not be asked.
func faultOf(err error) string {
	e := store.AsError(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "The database took no change within a second."
	case e != nil:
		return e.Message
	}
	return "Something is wrong with the database; the log says what."
}
