package server

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/mcp"
	"lectern/web/request"
)

// keylessPerMinute is how many messages without a valid key one address may send to the tools in a minute.
const keylessPerMinute = 600

// NewTools returns an app with the tool interface alone, for a REST API elsewhere.
func NewTools(c *Options, version string) *fiber.App {
	app := newApp(c, Process{}, nil)
	app.Get("/readyz", func(c *fiber.Ctx) error { return c.SendString("ok\n") })
	mountTools(app, c, version)
	return app
}

// mountTools serves the tools at /mcp. They call the REST API at LECTERN_MCP_API_URL, or this app in process when
// that is empty.
func mountTools(app *fiber.App, c *Options, version string) {
	o, transport := c.MCP, http.RoundTripper(&onward{http.DefaultTransport.(*http.Transport).Clone()})
	if o.API == "" {
		o.API, transport = "http://lectern", &inProcess{sync.OnceValue(app.Handler)}
	}
	o.PublicURL, o.Version, o.Keyless = c.BaseURL, version, request.NewLimiter(keylessPerMinute, time.Now).Wait
	o.Client = &http.Client{
		Transport: transport,
		// A key is never sent on to where a redirect leads.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	server, err := mcp.New(o)
	if err != nil {
		panic(err) // the addresses were checked with the configuration
	}
	app.All("/mcp", adapt(server, request.ParseProxies(c.TrustedProxies)))
}

// originKey is the key in a context of the request that came over a connection, for the REST calls that it causes.
type originKey struct{}

// adapt serves a handler of net/http that answers at once. The remote address that it passes on is the one that
// rate limits count by.
func adapt(handler http.Handler, proxies request.Proxies) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx := context.WithValue(c.UserContext(), originKey{}, c.Context())
		r, err := http.NewRequestWithContext(ctx, c.Method(), c.OriginalURL(), bytes.NewReader(c.Body()))
		if err != nil {
			return fiber.ErrBadRequest
		}
		for name, value := range c.Request().Header.All() {
			r.Header.Add(string(name), string(value))
		}
		r.RemoteAddr = proxies.NetworkOf(c)
		r.Host = string(c.Request().Header.Host())
		r.Header.Set("x-request-id", request.ID(c.Context()))
		handler.ServeHTTP(&response{c: c, header: http.Header{}}, r)
		return nil
	}
}

// forwardedFor returns the request's X-Forwarded-For as one line, in order: the last address is what the nearest
// proxy saw.
func forwardedFor(c *fasthttp.RequestCtx) []byte {
	return bytes.Join(c.Request.Header.PeekAll(fiber.HeaderXForwardedFor), []byte(", "))
}

// response is the http.ResponseWriter of adapt.
type response struct {
	c      *fiber.Ctx
	header http.Header
	sent   bool
}

func (r *response) Header() http.Header { return r.header }

func (r *response) WriteHeader(status int) {
	if r.sent {
		return
	}
	r.sent = true
	r.c.Status(status)
	for name, values := range r.header {
		for _, value := range values {
			r.c.Response().Header.Add(name, value)
		}
	}
}

func (r *response) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.c.Write(p)
}
