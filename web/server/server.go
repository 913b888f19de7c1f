// Package server is what every request passes, whichever door answers it: the listener with its limits, the rules
// for requests, the headers of answers, readiness and metrics. New puts all doors on one app.
package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	gojson "github.com/goccy/go-json"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"lectern/api"
	"lectern/jobs/tracing"
	"lectern/mcp"
	"lectern/models"
	"lectern/models/identity"
	"lectern/models/tasks"
	"lectern/static"
	"lectern/web/admin"
	"lectern/web/admin/visit"
	"lectern/web/call"
	"lectern/web/manual"
	"lectern/web/page"
	"lectern/web/request"
	"lectern/web/site"
)

// headerLimit bounds a request's head in bytes: an address with filters, the referring address, and cookies.
const headerLimit = 16 << 10

// bodyLimit is 2 MiB, the largest body that any door takes except for files. A body is refused by its stated length
// before it is read; one without a stated length is read up to the limit.
const bodyLimit = 2 << 20

// smallBody is how many bytes of a body fasthttp has read when it calls a handler.
const smallBody = 8 << 10

// formFields is how many fields a form may have: each takes far more memory than the one byte that it takes to
// send.
const formFields = 20_000

// Options are set from outside.
type Options struct {
	BaseURL               string // the public address, without a trailing slash
	Reads, Writes         int    // per key and minute, 0 is any number
	Connections           int    // open at once, 0 is any number
	ConnectionsPerAddress int    // open from one address, 0 is any number
	TrustedProxies        []string
	MailFrom              string      // the sender's address of letters
	Design                bool        // serve the gallery of the views
	MCP                   mcp.Options // API ("" is this process), FallbackKey, the texts' limits; mountTools sets the others
}

// Process holds what belongs to this process alone.
type Process struct {
	Key       []byte // seals and signs
	SetupCode string // opens /setup while there is no staff; new at each start
	Version   string
	IsManaged bool // a service delivers instead of endpoints
	Providers *identity.Client
	Mailer    visit.Mailer // nil without a mail server
	Metrics   *Metrics     // nil observes nothing
	Tracer    *tracing.Tracer
}

// newApp returns an app without doors, with the middleware of every request. site, unless nil, explains to browsers
// what no route answers.
func newApp(c *Options, own Process, site func(c *fiber.Ctx, status int) error) *fiber.App {
	secure := isSecure(c.BaseURL)
	app := fiber.New(fiber.Config{
		AppName: "Lectern", ServerHeader: "", DisableStartupMessage: true,
		Immutable:     true, // fiber reuses the memory of requests; we keep strings
		CaseSensitive: true, BodyLimit: bodyLimit,
		StreamRequestBody: true, DisablePreParseMultipartForm: true, // a body is read once its sender is known
		ReadBufferSize: headerLimit,
		ReadTimeout:    30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		EnableTrustedProxyCheck: true, TrustedProxies: c.TrustedProxies,
		JSONEncoder: gojson.Marshal, ErrorHandler: func(c *fiber.Ctx, err error) error { return fail(c, err, secure, site) },
	})
	app.Server().CloseOnShutdown = true
	app.Server().HeaderReceived = awaitNoLargeBody
	app.Server().Handler = anyMethod(app.Server().Handler)
	app.Use(identify(secure))
	if own.Tracer != nil {
		app.Use(traced(own.Tracer))
	}
	app.Use(own.Metrics.observe, answerFaults, recoverPanic, refuseMalformed, limitBody)
	app.Get("/healthz", func(c *fiber.Ctx) error { return c.SendString("ok\n") })
	return app
}

// anyMethod has fiber refuse unknown methods like those that a path does not take: it turns them into TRACE, which
// no path takes.
func anyMethod(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(c *fasthttp.RequestCtx) {
		if !slices.Contains(fiber.DefaultMethods, string(c.Method())) {
			c.Request.Header.SetMethod(http.MethodTrace)
		}
		next(c)
	}
}

// New returns an app with every door.
func New(c *Options, store *models.Store, own Process) *fiber.App {
	var pages *visit.Web
	var speakers *call.Web
	app := newApp(c, own, func(c *fiber.Ctx, status int) error {
		if call.Has(c.Path()) {
			return speakers.Problem(c, status)
		}
		return pages.Problem(c, status)
	})
	app.Get("/readyz", (&readiness{store: store}).answer)
	static.Register(app, request.ETag)
	page.RegisterPictures(app, store)
	proxies := request.ParseProxies(c.TrustedProxies)
	preview := site.Register(app, store, site.Options{BaseURL: c.BaseURL, Address: proxies.AddressOf})
	api.New(app, store, api.Options{BaseURL: c.BaseURL, Reads: c.Reads, Writes: c.Writes, Proxies: proxies})
	mountTools(app, c, own.Version)
	options := visit.Options{
		Options:   page.Options{BaseURL: c.BaseURL, Key: own.Key, Address: proxies.AddressOf, Version: own.Version},
		SetupCode: own.SetupCode, Managed: own.IsManaged, Gallery: c.Design, Mail: own.Mailer,
		MailFrom: c.MailFrom, Providers: own.Providers, PreviewEmbed: preview,
	}
	manual.Register(app, store, options.Options)
	pages = admin.New(app, store, options)
	speakers = call.New(app, store, call.Options{Options: options.Options, Mail: own.Mailer})
	return app
}

// name gives a request its id, the caller's own if it is well formed, and sets the headers of its answer, errors
// included.
func name(c *fiber.Ctx, secure bool) string {
	id := c.Get("x-request-id")
	if !requestIDForm.MatchString(id) {
		id = uuid.NewString()
	}
	c.Locals(request.IDKey{}, id)
	c.Set("x-request-id", id)
	setHeaders(c, secure)
	return id
}

var requestIDForm = regexp.MustCompile(`^[A-Za-z0-9._-]{8,64}$`)

// contextKey is the key in fiber's locals of the context that ends a request: that of its caller in process, or
// that of the process for a request from outside.
type contextKey struct{}

// identify gives each request its id and one line in the log.
func identify(secure bool) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if ctx, ok := c.Locals(contextKey{}).(context.Context); ok {
			c.SetUserContext(ctx)
		}
		id := name(c, secure)
		start := time.Now()
		if err := c.Next(); err != nil {
			return err
		}
		if c.Request().IsBodyStream() { // bytes left unread must not be taken for the next request
			c.Context().SetConnectionClose()
		}
		slog.Info("request", "request_id", id, "method", c.Method(), "path", loggedPath(c.Path()),
			"status", c.Response().StatusCode(), "ms", float64(time.Since(start).Microseconds())/1000)
		return nil
	}
}

// loggedPath hides from the log the secrets in a path: the token of a link, or of a file's address.
func loggedPath(path string) string {
	for _, links := range []string{"/invitations/", "/reset/", tasks.Downloads} {
		if strings.HasPrefix(path, links) {
			return links + "…"
		}
	}
	for _, links := range []string{"/place/link/", "/place/join/", "/place/fresh/"} {
		if before, _, found := strings.Cut(path, links); found && strings.HasPrefix(path, "/events/") {
			return before + links + "…"
		}
	}
	return path
}

// answerFaults answers what fails, so that those before it see the status of the answer.
func answerFaults(c *fiber.Ctx) error {
	if err := c.Next(); err != nil {
		return c.App().ErrorHandler(c, err)
	}
	return nil
}

// recoverPanic turns a panic into a 500, where the process would end otherwise.
func recoverPanic(c *fiber.Ctx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic", "request_id", request.ID(c.Context()), "panic", r, "stack", string(debug.Stack()))
			err = fiber.ErrInternalServerError
		}
	}()
	return c.Next()
}

// limitBody refuses bodies that are too large, and compressed ones, which fiber would expand to any size. It reads
// the others, except those of the API, which checks the key first, and forms with files, whose handlers check the
// sender first.
func limitBody(c *fiber.Ctx) error {
	for _, packed := range c.Request().Header.PeekAll(fiber.HeaderContentEncoding) {
		if len(packed) > 0 && string(packed) != "identity" {
			return fiber.ErrUnsupportedMediaType
		}
	}
	length := c.Request().Header.ContentLength() // -1 when it is not stated
	limit, isFile := bodyOf(c)
	switch {
	case length > limit || length == 0 && isAnnouncedLarge(&c.Request().Header):
		c.Context().SetConnectionClose()
		return fiber.ErrRequestEntityTooLarge
	case isFile, below(c.Path(), "/v1") && (length < 0 || length > smallBody):
		return c.Next()
	}
	if err := request.ReadBody(c, limit); err != nil {
		return err
	}
	isForm := strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEApplicationForm)
	if isForm && bytes.Count(c.Body(), []byte("&")) >= formFields {
		return fiber.ErrRequestEntityTooLarge
	}
	return c.Next()
}

// bodyOf returns how large a request's body may be, and whether it is a form with a file.
func bodyOf(c *fiber.Ctx) (limit int, isFile bool) {
	if below(c.Path(), "/mcp") {
		return mcp.MaxBody, false
	}
	if strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEMultipartForm) {
		limit = max(admin.UploadLimit(c.Path()), call.UploadLimit(c.Path()))
	}
	return cmp.Or(limit, bodyLimit), limit > 0
}

// below tells whether a path is a door's address or below it.
func below(path, door string) bool { return path == door || strings.HasPrefix(path, door+"/") }

// fail answers an error that no handler answered: with JSON for the API and the tools, a page for browsers, text
// elsewhere.
func fail(c *fiber.Ctx, err error, secure bool, site func(c *fiber.Ctx, status int) error) error {
	id := request.ID(c.Context())
	named := id != ""
	if !named { // the request could not be read
		id = name(c, secure)
	}
	status := http.StatusInternalServerError
	var e *fiber.Error
	if errors.As(err, &e) {
		status = e.Code
	} else {
		slog.Error("request failed", "request_id", id, "error", err.Error())
	}
	switch {
	case below(c.Path(), "/v1"):
		return api.Fail(c, status)
	case below(c.Path(), "/mcp"):
		mcp.Refuse(&response{c: c, header: http.Header{}}, status)
		return nil
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	switch {
	case !named && status != http.StatusRequestEntityTooLarge, // its address is unknown
		status == http.StatusMethodNotAllowed && !strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML):
		return api.Fail(c, status)
	case site != nil && strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML):
		return site(c, status)
	}
	return c.Status(status).SendString(http.StatusText(status) + "\nRequest " + id + "\n")
}
