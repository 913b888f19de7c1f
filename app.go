package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"lectern/api"
	"lectern/mcp"
	"lectern/models"
	"lectern/static"
	"lectern/web"
)

// headerLimit is what a request may say of itself: an address with filters, the
// one it came from, and cookies.
const headerLimit = 16 << 10

// bodyLimit is 2 MiB, the largest body any door takes. Up to readLimit is read
// before it is refused: who is cut off while sending does not see the answer.
const (
	bodyLimit = 2 << 20
	readLimit = 4 * bodyLimit
)

// newApp is an app without doors: what holds for every request, whoever answers.
// What nobody answers is explained to browsers by site, if it is not nil.
func newApp(c *Config, metrics *metrics, site func(c *fiber.Ctx, status int) error) *fiber.App {
	app := fiber.New(fiber.Config{
		AppName: "Lectern", ServerHeader: "", DisableStartupMessage: true,
		Immutable:     true, // fiber reuses request memory, we keep strings
		CaseSensitive: true, BodyLimit: readLimit,
		ReadBufferSize: headerLimit,
		ReadTimeout:    30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		EnableTrustedProxyCheck: true, TrustedProxies: c.TrustedProxies,
		JSONEncoder: gojson.Marshal, ErrorHandler: func(c *fiber.Ctx, err error) error { return fail(c, err, site) },
	})
	app.Use(identify, metrics.observe, recoverPanic, limitBody)
	app.Get("/healthz", func(c *fiber.Ctx) error { return c.SendString("ok\n") })
	return app
}

// assemble puts every door on one app.
func assemble(c *Config, store *models.Store, metrics *metrics) *fiber.App {
	var admin *web.Web
	app := newApp(c, metrics, func(c *fiber.Ctx, status int) error { return admin.Problem(c, status) })
	app.Get("/readyz", (&readiness{store: store}).answer)
	static.Register(app)
	api.New(app, store, api.Options{BaseURL: c.BaseURL, Reads: c.Reads, Writes: c.Writes})
	mountTools(app, c)
	options := web.Options{
		BaseURL: c.BaseURL, Key: c.SecretKey, SetupCode: c.setupCode, Managed: c.Managed.Enabled(), Gallery: c.Design,
		RequestID: func(c *fiber.Ctx) string { id, _ := c.Locals(api.RequestIDKey{}).(string); return id },
		Address:   api.AddressOf,
	}
	if c.Mail != nil {
		options.Mail = c.Mail.send
	}
	admin = web.New(app, store, options)
	return app
}

// name gives a request its id, the caller's own if it is well formed.
func name(c *fiber.Ctx) string {
	id := c.Get("x-request-id")
	if !requestIDForm.MatchString(id) {
		id = uuid.NewString()
	}
	c.Locals(api.RequestIDKey{}, id)
	c.Set("x-request-id", id)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	return id
}

var requestIDForm = regexp.MustCompile(`^[A-Za-z0-9._-]{8,64}$`)

// identify gives each request its id and one line in the log.
func identify(c *fiber.Ctx) error {
	if ctx, ok := c.Locals(contextKey{}).(context.Context); ok {
		c.SetUserContext(ctx) // a call in process ends with its caller
	}
	id := name(c)
	start := time.Now()
	err := c.Next()
	if err != nil {
		if err := c.App().ErrorHandler(c, err); err != nil {
			return err
		}
	}
	slog.Info("request", "request_id", id, "method", c.Method(), "path", loggedPath(c.Path()),
		"status", c.Response().StatusCode(), "ms", float64(time.Since(start).Microseconds())/1000)
	return nil
}

// loggedPath leaves out what opens a door: the token of a one-time link.
func loggedPath(path string) string {
	for _, links := range []string{"/invitations/", "/reset/"} {
		if strings.HasPrefix(path, links) {
			return links + "…"
		}
	}
	return path
}

// recoverPanic turns a panic into a 500: without it the process would end.
func recoverPanic(c *fiber.Ctx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic", "request_id", c.Locals(api.RequestIDKey{}), "panic", r, "stack", string(debug.Stack()))
			err = fiber.ErrInternalServerError
		}
	}()
	return c.Next()
}

// limitBody refuses bodies that are too large, and packed ones, which would grow
// to any size when fiber opens them.
func limitBody(c *fiber.Ctx) error {
	for _, packed := range c.Request().Header.PeekAll(fiber.HeaderContentEncoding) {
		if len(packed) > 0 && string(packed) != "identity" {
			return fiber.ErrUnsupportedMediaType
		}
	}
	if len(c.Request().Body()) > bodyLimit {
		return fiber.ErrRequestEntityTooLarge
	}
	return c.Next()
}

// below tells whether a path is a door's address or one below it.
func below(path, door string) bool { return path == door || strings.HasPrefix(path, door+"/") }

// fail answers what no handler did: JSON for the API and the tools, a page for
// browsers, text elsewhere.
func fail(c *fiber.Ctx, err error, site func(c *fiber.Ctx, status int) error) error {
	id, named := c.Locals(api.RequestIDKey{}).(string)
	if !named { // it was too large to come in
		id = name(c)
	}
	status := http.StatusInternalServerError
	var e *fiber.Error
	if errors.As(err, &e) {
		status = e.Code
	} else {
		slog.Error("request failed", "request_id", id, "error", err.Error())
	}
	switch {
	case below(c.Path(), "/v1"), status == http.StatusRequestHeaderFieldsTooLarge: // whose address is not known
		return api.Fail(c, status)
	case below(c.Path(), "/mcp"):
		mcp.Refuse(&response{c: c, header: http.Header{}}, status)
		return nil
	case site != nil && strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML):
		return site(c, status)
	}
	return c.Status(status).SendString(http.StatusText(status) + "\nRequest " + id + "\n")
}
