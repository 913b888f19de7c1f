package server

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"lectern/jobs/tracing"
	"lectern/web/request"
)

// traced makes the span of each request but those by which machines look whether we live. Only a trusted proxy says
// which trace a request belongs to: anybody else could have every request of theirs traced, or put theirs into a trace
// of ours.
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
			if err := c.App().ErrorHandler(c, err); err != nil {
				return err
			}
		}
		a.Route, a.Status = c.Route().Path, c.Response().StatusCode()
		return nil
	}
}
