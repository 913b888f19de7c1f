package server

import (
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// onward is the transport to a REST API elsewhere; it adds the client's address to X-Forwarded-For.
type onward struct{ *http.Transport }

func (t *onward) RoundTrip(r *http.Request) (*http.Response, error) {
	if origin, ok := r.Context().Value(originKey{}).(*fasthttp.RequestCtx); ok {
		r = r.Clone(r.Context())
		forwarded := origin.RemoteIP().String()
		if before := forwardedFor(origin); len(before) > 0 {
			forwarded = string(before) + ", " + forwarded
		}
		r.Header.Set(fiber.HeaderXForwardedFor, forwarded)
	}
	return t.Transport.RoundTrip(r)
}
