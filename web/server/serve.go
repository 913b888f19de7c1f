package server

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/web/request"
)

// DrainTime is how long running requests and deliveries may take after the signal to end. Requests lose the
// database after requestTime. Everything ends within 10 s.
const DrainTime, requestTime = 8 * time.Second, 6 * time.Second

// Serve serves app until ctx ends, then calls stopping, ends the connections that wait for their client, and lets
// running requests finish. It returns a plain cancel of ctx as no error, any other cause as one.
func Serve(
	ctx context.Context, cancel context.CancelCauseFunc, app *fiber.App, listener *Listener, stopping func(),
) error {
	requests, endRequests := context.WithCancel(
		context.WithValue(context.WithoutCancel(ctx), request.EndingKey{}, ctx.Done()))
	defer endRequests()
	handle := app.Server().Handler
	app.Server().Handler = func(c *fasthttp.RequestCtx) {
		c.SetUserValue(contextKey{}, requests)
		handle(c)
	}
	go func() {
		if err := app.Listener(listener); err != nil {
			cancel(err)
		}
	}()
	<-ctx.Done()
	slog.Info("ending", "within", DrainTime.String())
	stopping()
	listener.stop()
	defer time.AfterFunc(requestTime, endRequests).Stop()
	err := app.ShutdownWithTimeout(DrainTime)
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		err = errors.Join(cause, err)
	}
	return err
}
