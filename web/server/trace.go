package server

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"lectern/jobs/tracing"
	"lectern/web/request"
)

// traced makes a span of each request except health checks. It takes the parent trace from trusted proxies only:
// otherwise anybody could have all their requests traced, or add spans to our traces.
func traced(tracer *tracing.Tracer) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if path := c.Path(); path == "/healthz" || path == "/readyz" {
			return c.Next()
		}
		parent := ""
		if c.IsProxyTrusted() {
			parent = c.Get("traceparent")
		}
		ctx, end := tracer.Request(c.UserContext(), c.Method(), parent)
		c.SetUserContext(ctx)
		a := tracing.Answer{RequestID: request.ID(c.Context()), Status: http.StatusInternalServerError}
		defer func() { end(a) }()
		if err := c.Next(); err != nil {
			return err
		}
		a.Route, a.Status = c.Route().Path, c.Response().StatusCode()
		return nil
	}
}
