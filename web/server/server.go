// Package server is what every request goes through, whoever answers it: the listener with its limits, what a request
// may be, the headers of answers, readiness and metrics; and the one app that all doors are put on.
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
	"lectern/models/task"
	"lectern/static"
	"lectern/web/admin"
	"lectern/web/admin/visit"
	"lectern/web/cfp"
	"lectern/web/manual"
	"lectern/web/page"
	"lectern/web/request"
	"lectern/web/site"
)

// headerLimit is what a request may say of itself: an address with filters, the one it came from, and cookies.
const headerLimit = 16 << 10

// bodyLimit is 2 MiB, the largest body any door takes but for files. It is refused by what its
// head says of its length, before it is read; one that does not say is read so far.
const bodyLimit = 2 << 20

// smallBody is what fasthttp has read when a handler is called.
const smallBody = 8 << 10

// formFields is how many fields a form may have: each takes far more memory than the one byte that makes it.
const formFields = 20_000

// Options are what is set from outside.
type Options struct {
	BaseURL               string // the public address, without a trailing slash
	Reads, Writes         int    // of a key in a minute, 0 is any number
	Connections           int    // open at once, 0 is any number
	ConnectionsPerAddress int    // of those from one address, 0 is any number
	TrustedProxies        []string
	MailFrom              string // the address that letters come from
	Design                bool   // serve the gallery of the views
	MCP                   ToolOptions
}

// ToolOptions are those of the tool interface.
type ToolOptions struct {
	API                string // where the REST API is; empty is this process
	FallbackKey        string
	ListText, FullText int // characters
}

// Process is what this process alone has.
type Process struct {
	Key       []byte // seals and signs
	SetupCode string // opens /setup while nobody is staff; made at each start
	Version   string
	IsManaged bool // a service delivers in place of endpoints
	Providers *identity.Client
	Mailer    visit.Mailer // nil without a mail server
	Metrics   *Metrics     // nil observes nothing
	Tracer    *tracing.Tracer
}

// newApp is an app without doors: what holds for every request, whoever answers.
// What nobody answers is explained to browsers by site, if it is not nil.
func newApp(c *Options, own Process, site func(c *fiber.Ctx, status int) error) *fiber.App {
	secure := isSecure(c.BaseURL)
	app := fiber.New(fiber.Config{
		AppName: "Lectern", ServerHeader: "", DisableStartupMessage: true,
		Immutable:     true, // fiber reuses request memory, we keep strings
		CaseSensitive: true, BodyLimit: bodyLimit,
		StreamRequestBody: true, DisablePreParseMultipartForm: true, // a body is read once it is known who sends it
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
	app.Use(own.Metrics.observe, recoverPanic, refuseMalformed, limitBody)
	app.Get("/healthz", func(c *fiber.Ctx) error { return c.SendString("ok\n") })
	return app
}

// anyMethod lets fiber refuse a method that it does not know like one that a path
// does not take: as TRACE, which no path takes.
func anyMethod(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(c *fasthttp.RequestCtx) {
		if !slices.Contains(fiber.DefaultMethods, string(c.Method())) {
			c.Request.Header.SetMethod(http.MethodTrace)
		}
		next(c)
	}
}

// New puts every door on one app.
func New(c *Options, store *models.Store, own Process) *fiber.App {
	var pages *visit.Web
	var speakers *cfp.Web
	app := newApp(c, own, func(c *fiber.Ctx, status int) error {
		if cfp.Has(c.Path()) {
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
	speakers = cfp.New(app, store, cfp.Options{Options: options.Options, Mail: own.Mailer})
	return app
}

// name gives a request its id, the caller's own if it is well formed, and the
// headers that its answer has whatever becomes of it.
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

// contextKey is where the locals keep the context that a request ends with: one in
// process with its caller, one from outside with the process.
type contextKey struct{}

// identify gives each request its id and one line in the log.
func identify(secure bool) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if ctx, ok := c.Locals(contextKey{}).(context.Context); ok {
			c.SetUserContext(ctx)
		}
		id := name(c, secure)
		start := time.Now()
		err := c.Next()
		if err != nil {
			if err := c.App().ErrorHandler(c, err); err != nil {
				return err
			}
		}
		if c.Request().IsBodyStream() { // what was not read must not be taken for the next request
			c.Context().SetConnectionClose()
		}
		slog.Info("request", "request_id", id, "method", c.Method(), "path", loggedPath(c.Path()),
			"status", c.Response().StatusCode(), "ms", float64(time.Since(start).Microseconds())/1000)
		return nil
	}
}

// loggedPath leaves out what opens a door: the token of a link, or of the address of a file.
func loggedPath(path string) string {
	for _, links := range []string{"/invitations/", "/reset/", task.Downloads} {
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

// recoverPanic turns a panic into a 500: without it the process would end.
func recoverPanic(c *fiber.Ctx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("panic", "request_id", request.ID(c.Context()), "panic", r, "stack", string(debug.Stack()))
			err = fiber.ErrInternalServerError
		}
	}()
	return c.Next()
}

// limitBody refuses bodies that are too large, and packed ones, which would grow to any size when fiber opens
// them. It reads the others, but for those of the API, which looks at the key first, and files, of which the admin
// looks at who sends them.
func limitBody(c *fiber.Ctx) error {
	for _, packed := range c.Request().Header.PeekAll(fiber.HeaderContentEncoding) {
		if len(packed) > 0 && string(packed) != "identity" {
			return fiber.ErrUnsupportedMediaType
		}
	}
	length := c.Request().Header.ContentLength() // -1 when it does not say
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

// bodyOf is how large the body of a request may be, and whether it is a form with a file.
func bodyOf(c *fiber.Ctx) (limit int, isFile bool) {
	if below(c.Path(), "/mcp") {
		return mcp.MaxBody, false
	}
	if strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEMultipartForm) {
		limit = max(admin.UploadLimit(c.Path()), cfp.UploadLimit(c.Path()))
	}
	return cmp.Or(limit, bodyLimit), limit > 0
}

// below tells whether a path is a door's address or one below it.
func below(path, door string) bool { return path == door || strings.HasPrefix(path, door+"/") }

// fail answers what no handler did: JSON for the API and the tools, a page for browsers, text elsewhere.
func fail(c *fiber.Ctx, err error, secure bool, site func(c *fiber.Ctx, status int) error) error {
	id := request.ID(c.Context())
	named := id != ""
	if !named { // it could not be read
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
	case !named && status != http.StatusRequestEntityTooLarge, // its address is not known
		status == http.StatusMethodNotAllowed && !strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML):
		return api.Fail(c, status)
	case site != nil && strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML):
		return site(c, status)
	}
	return c.Status(status).SendString(http.StatusText(status) + "\nRequest " + id + "\n")
}
