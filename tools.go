package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/spf13/cobra"
	"github.com/valyala/fasthttp"

	"lectern/api"
	"lectern/mcp"
)

// restTimeout ends a REST call of a tool when nothing else does.
const restTimeout = 20 * time.Second

// keylessPerMinute is how many messages to the tools that no key stands for one
// address may send.
const keylessPerMinute = 600

// mountTools puts the tool interface at /mcp. It asks the REST API at
// LECTERN_MCP_API_URL, and this app itself, in process, when that is empty.
func mountTools(app *fiber.App, c *Config) {
	address, transport := c.MCP.API, http.RoundTripper(&onward{http.DefaultTransport.(*http.Transport).Clone()})
	if address == "" {
		address, transport = "http://lectern", &inProcess{sync.OnceValue(app.Handler)}
	}
	server, err := mcp.New(mcp.Options{
		Keyless: api.NewLimiter(keylessPerMinute, time.Now).Wait,
		API:     address, PublicURL: c.BaseURL, FallbackKey: c.MCP.FallbackKey, ListText: c.MCP.ListText, FullText: c.MCP.FullText, Version: versionText(),
		Client: &http.Client{Transport: transport, Timeout: restTimeout, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a key goes nowhere else
		}},
	})
	if err != nil {
		panic(err) // the addresses were checked with the configuration
	}
	app.All("/mcp", adapt(server, api.ParseProxies(c.TrustedProxies)))
}

// originKey is where a request that came over a connection is kept for the REST
// calls that it causes.
type originKey struct{}

// contextKey is where the locals keep the context that a request ends with: one in
// process with its caller, one from outside with the process.
type contextKey struct{}

// adapt serves a handler of net/http that answers at once. Its context ends when
// the client hangs up; the remote address is what its requests are counted by.
func adapt(handler http.Handler, proxies api.Proxies) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx, cancel := context.WithCancel(context.WithValue(c.UserContext(), originKey{}, c.Context()))
		defer cancel()
		defer onHangUp(c.Context().Conn(), cancel)()
		r, err := http.NewRequestWithContext(ctx, c.Method(), c.OriginalURL(), bytes.NewReader(c.Body()))
		if err != nil {
			return fiber.ErrBadRequest
		}
		for name, value := range c.Request().Header.All() {
			r.Header.Add(string(name), string(value))
		}
		r.RemoteAddr = proxies.NetworkOf(c)
		r.Host = string(c.Request().Header.Host())
		id, _ := c.Locals(api.RequestIDKey{}).(string)
		r.Header.Set("x-request-id", id)
		handler.ServeHTTP(&response{c: c, header: http.Header{}}, r)
		return nil
	}
}

// response writes what a handler of net/http answers.
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

// hangUpEach is how often a connection is looked at while a request runs.
const hangUpEach = 100 * time.Millisecond

// onHangUp calls cancel when the peer of conn closes it, until stop is called.
// fasthttp itself would not notice before it writes the answer.
func onHangUp(conn net.Conn, cancel func()) (stop func()) {
	var timer *time.Timer
	var mu sync.Mutex
	ended := false
	look := func() {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case ended:
		case hungUp(conn):
			cancel()
		default:
			timer.Reset(hangUpEach)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(hangUpEach, look)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
		timer.Stop()
	}
}

// inProcess answers a REST call by the app's own handler: no port, no
// connection, and the same middleware as from outside.
type inProcess struct {
	handler func() fasthttp.RequestHandler // made after all routes are there
}

func (t *inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	request := fasthttp.Request{}
	request.Header.SetMethod(r.Method)
	request.SetRequestURI(r.URL.RequestURI())
	request.Header.SetHost(r.URL.Host)
	for name, values := range r.Header {
		request.Header.Set(name, values[0])
	}
	request.SetBodyRaw(body)
	var remote net.Addr
	if origin, ok := r.Context().Value(originKey{}).(*fasthttp.RequestCtx); ok {
		remote = origin.RemoteAddr()
		if forwarded := forwardedFor(origin); len(forwarded) > 0 {
			request.Header.SetBytesV(fiber.HeaderXForwardedFor, forwarded)
		}
	}
	ctx := &fasthttp.RequestCtx{}
	ctx.Init(&request, remote, nil)
	ctx.SetUserValue(contextKey{}, r.Context())
	t.handler()(ctx)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	answer := &http.Response{
		StatusCode: ctx.Response.StatusCode(), ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r,
		Body: io.NopCloser(bytes.NewReader(ctx.Response.Body())), ContentLength: int64(len(ctx.Response.Body())),
	}
	for name, value := range ctx.Response.Header.All() {
		answer.Header.Add(string(name), string(value))
	}
	return answer, nil
}

// forwardedFor is whom a request was forwarded for, though it say so in several
// lines: the last one is the nearest proxy's.
func forwardedFor(c *fasthttp.RequestCtx) []byte {
	return bytes.Join(c.Request.Header.PeekAll(fiber.HeaderXForwardedFor), []byte(", "))
}

// onward asks a REST API elsewhere and tells it whom the call is for.
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

func mcpCommand() *cobra.Command {
	return &cobra.Command{Use: "mcp", Short: "Serve the tool interface alone, for the REST API at LECTERN_MCP_API_URL", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(cmd.Flags())
			if err != nil {
				return err
			}
			if c.MCP.API == "" {
				return errors.New("LECTERN_MCP_API_URL: is needed, the address of a Lectern such as https://lectern.example.org")
			}
			setLog(c.LogFormat)
			listener, err := net.Listen("tcp", c.Addr)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithCancelCause(cmd.Context())
			defer cancel(nil)
			app := newApp(c, nil, nil)
			app.Get("/readyz", func(c *fiber.Ctx) error { return c.SendString("ok\n") })
			mountTools(app, c)
			slog.Info("serving tools", "address", c.Addr, "api", redacted(c.MCP.API), "version", versionText())
			return answer(ctx, cancel, app, bounded(listener, c), func() {})
		}}
}

func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Redacted()
}
