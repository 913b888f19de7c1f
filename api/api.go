// Package api serves the public REST interface under /v1: it decodes and authorises a request, calls one operation of
// models, and answers.
package api

//go:generate go test -count=1 -run ^TestTheDocumentIsTheGoldenOne$ . -update

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	gojson "github.com/goccy/go-json"
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/changes"
	"lectern/models/store"
	"lectern/web/request"
)

// Options are what the API needs besides the store.
type Options struct {
	BaseURL string
	Reads   int // per minute and key; 0 sets no limit
	Writes  int
	Proxies request.Proxies  // the proxies whose address headers are trusted
	Timeout time.Duration    // limit of one request; 0 means 15 s
	Now     func() time.Time // the clock of the rate limits; nil means time.Now
}

// API serves /v1.
type API struct {
	store    *models.Store
	options  Options
	huma     huma.API
	registry huma.Registry
	reads    *request.Limiter
	writes   *request.Limiter
	failures *request.Limiter        // failed authentications, by address
	waiting  waiting                 // requests that wait for changes
	document func() ([]byte, string) // returns the document as served, and its ETag
}

// failuresPerMinute is how many unknown keys one address may try per minute.
const failuresPerMinute = 60

// New registers the API's routes on app.
func New(app *fiber.App, store *models.Store, options Options) *API {
	adoptErrors()
	if options.Now == nil {
		options.Now = time.Now
	}
	a := &API{
		store: store, options: options, waiting: waiting{of: map[string]int{}},
		reads: request.NewLimiter(options.Reads, options.Now), writes: request.NewLimiter(options.Writes, options.Now),
		failures: request.NewLimiter(failuresPerMinute, options.Now),
	}
	if a.options.Timeout == 0 {
		a.options.Timeout = 15 * time.Second
	}
	a.registry = newRegistry()
	app.Get("/v1/openapi.json", request.Pack, request.ETag, a.openAPI)
	app.Use("/v1", request.Pack, a.limitTime, a.authenticate, request.ETag)
	a.huma = humafiber.NewWithGroup(app, headToo{app}, huma.Config{
		OpenAPI:       a.describe(),
		Formats:       map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat},
		DefaultFormat: "application/json",
	})
	a.register()
	a.finish()
	return a
}

// headToo registers HEAD wherever GET is registered.
type headToo struct{ fiber.Router }

func (r headToo) Add(method, path string, handlers ...fiber.Handler) fiber.Router {
	if method == http.MethodGet {
		r.Router.Add(http.MethodHead, path, handlers...)
	}
	return r.Router.Add(method, path, handlers...)
}

// jsonFormat writes with the faster encoder and reads with the stricter one.
var jsonFormat = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		if page, ok := v.(*sessionPage); ok {
			if done, err := page.encode(w); done {
				return err
			}
		}
		return gojson.NewEncoder(w).Encode(v)
	},
	Unmarshal: unmarshal,
}

// adoptErrors makes huma answer errors in our form. huma keeps this in global variables, so it is done once per
// process.
var adoptErrors = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true
	wordFindings()
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return humaError("", status, message, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		return humaError(request.ID(ctx.Context()), status, message, errs)
	}
})

// schemas is the path of schemas in the document.
const schemas = "#/components/schemas/"

// newRegistry returns a registry with the JSON forms of types of models.
func newRegistry() huma.Registry {
	registry := huma.NewMapRegistry(schemas, huma.DefaultSchemaNamer)
	alias := func(from, to reflect.Type) { registry.RegisterTypeAlias(from, to) }
	alias(reflect.TypeFor[store.Time](), reflect.TypeFor[timeSchema]())
	alias(reflect.TypeFor[store.Optional[store.Time]](), reflect.TypeFor[clearableTime]())
	alias(reflect.TypeFor[store.Optional[string]](), reflect.TypeFor[*string]())
	alias(reflect.TypeFor[store.Optional[int]](), reflect.TypeFor[*int]())
	alias(reflect.TypeFor[changes.Kind](), reflect.TypeFor[kindSchema]())
	alias(reflect.TypeFor[sessionPage](), reflect.TypeFor[list[*models.Session]]())
	alias(reflect.TypeFor[models.AnswersInput](), reflect.TypeFor[answersSchema]())
	return registry
}

// timeSchema is the schema of store.Time. Its pattern refuses what Go's parser accepts beyond RFC 3339, while the field
// can still be named.
type timeSchema struct{}

func (timeSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Pattern: store.TimePattern}
}

// clearableTime is timeSchema that also allows null.
type clearableTime struct{}

func (clearableTime) Schema(r huma.Registry) *huma.Schema {
	s := timeSchema{}.Schema(r)
	s.Nullable = true
	return s
}

// NewAnswer is an answer in a request, where no other fields are allowed.
type NewAnswer models.Answer

// answersSchema is the schema of models.AnswersInput.
type answersSchema struct{}

func (answersSchema) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeArray, MaxItems: new(store.MaxCustomFields),
			Items: r.Schema(reflect.TypeFor[NewAnswer](), true, "")},
		{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Type: huma.TypeString}},
	}}
}

// limitTime limits the time of a request's queries: a client that disconnects cancels nothing. Requests for changes get
// the time that they may wait on top.
func (a *API) limitTime(c *fiber.Ctx) error {
	limit := a.options.Timeout
	if strings.HasSuffix(c.Path(), "/changes") {
		limit += maxWait * time.Second
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), limit)
	defer cancel()
	c.SetUserContext(ctx)
	return c.Next()
}
